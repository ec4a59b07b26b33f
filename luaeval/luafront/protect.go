package luafront

import (
	"fmt"

	lua "github.com/yuin/gopher-lua"
)

// PCall calls a function that was pushed with its nargs arguments, as lua_pcall does, and leaves nret results or, with
// an error, nothing. The error is a *lua.ApiError with the raised value (Message) and place (Position), the reason of
// Stop, or a *Fault.
//
// It is LState.PCall with three faults put right. That one closes the captured variables of all functions when an error
// is raised, so that functions outside of the call lose the variables they share; given a handler it closes none. Its
// stack trace takes time by the square of the depth (a second for 20,000 levels). And its errors have gopher-lua's
// words.
func (m *Machine) PCall(L *lua.LState, nargs, nret int) error {
	err := m.protect(L, nargs, nret)
	switch {
	case m.fault != nil:
		return m.fault
	case m.raised:
		return m.stopError(err)
	}
	return err
}

// Catch is PCall for functions of scripts' like pcall: what they may not catch is raised again.
func (m *Machine) Catch(L *lua.LState, nargs, nret int) error {
	if stopping.Load() != 0 {
		checkStop(L)
	}
	err := m.protect(L, nargs, nret)
	if err != nil {
		m.passOn(L, err)
	}
	return err
}

func (m *Machine) protect(L *lua.LState, nargs, nret int) error {
	s := internals(L)
	levels, keepOpen := m.levels, s.hasErrorFunc
	s.mainLoop = protectedLoop
	err := L.PCall(nargs, nret, nil)
	s.mainLoop = countedLoop
	m.levels, s.hasErrorFunc = levels, keepOpen
	if err != nil {
		return overflow(L, err)
	}
	return nil
}

// protectedLoop is a state's mainLoop when protect's call begins: LState.PCall has set L.Panic to its own function by
// then, and pushed the frame of the function to call.
func protectedLoop(L *lua.LState, base *vmFrame) {
	s, m := internals(L), MachineOf(L)
	s.mainLoop = countedLoop
	L.Panic = throw
	s.hasErrorFunc = true // keeps errors from closing captured variables
	defer s.unwind(L, s.currentFrame.Base)
	m.run(L, base)
}

// overflow words the error when the call stack was full at the call itself.
func overflow(L *lua.LState, err error) error {
	failed, ok := err.(*lua.ApiError)
	if !ok || failed.Type != lua.ApiErrorPanic || failed.Object != lua.LString(stackIsFull) {
		return err
	}
	return failure(L, lua.LString(Where(L, 1)+"stack overflow"))
}

// stackIsFull is what gopher-lua panics with when a call stack that grows as needed can't.
const stackIsFull = "lua callstack overflow"

// unwind passes a panic on, after it took the captured variables of the functions that it ends out of the registers
// from base on. LState.PCall, which catches it, clears these. Other panics than Lua's become errors: of a call stack
// that grows as needed when it is full, and of faults in Go functions.
func (s *vmState) unwind(L *lua.LState, base int) {
	cause := recover()
	if cause == nil {
		return
	}
	err, ok := cause.(*lua.ApiError)
	if !ok {
		MachineOf(L).noteFault(cause)
		text := fmt.Sprint(cause)
		if text == stackIsFull {
			text = "stack overflow"
		}
		err = failure(L, lua.LString(where(s.currentFrame)+text))
	}
	s.closeUpvalues(L, base)
	panic(err)
}

// closeUpvalues takes captured variables out of the registers from base on.
func (s *vmState) closeUpvalues(L *lua.LState, base int) {
	frame := s.currentFrame
	s.currentFrame = &vmFrame{LocalBase: base}
	original[lua.OP_CLOSE](L, uint32(lua.OP_CLOSE)<<26, nil)
	s.currentFrame = frame
}

// throw raises the value on top of the stack as a Go panic; it is L.Panic inside of protected calls. The trace that
// LState.PCall would add is replaced by the place alone.
func throw(L *lua.LState) {
	s := internals(L)
	value := L.Get(-1)
	if text, ok := value.(lua.LString); ok && s.currentFrame != nil && !s.currentFrame.Fn.IsG {
		value = lua.LString(explain(s, string(text)))
	}
	panic(failure(L, value))
}

// failure makes an error of a value raised at this point.
func failure(L *lua.LState, value lua.LValue) *lua.ApiError {
	f := internals(L).currentFrame
	if f != nil && f.Fn.IsG {
		f = f.Parent
	}
	place := "?"
	if source, line, ok := position(f); ok {
		place = source + ":" + itoa(line)
	}
	return &lua.ApiError{Type: lua.ApiErrorRun, Object: value, StackTrace: place}
}

// raise raises a value as it is.
func raise(L *lua.LState, value lua.LValue) { L.Error(value, 0) }
