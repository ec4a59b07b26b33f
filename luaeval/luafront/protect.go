package luafront

import (
	"fmt"

	lua "github.com/yuin/gopher-lua"
)

// PCall calls a function that was pushed with its nargs arguments, as lua_pcall does, and leaves nret results or, with
// an error, nothing. The error is a *lua.ApiError with the raised value (Message) and position (Position), the reason
// of Stop, or a *Fault.
//
// It replaces LState.PCall, which has three faults: on an error it closes the upvalues of all functions, so that
// functions outside of the call no longer share them, or of none if there is a handler; its stack trace takes time
// quadratic in the depth (a second for 20,000 levels); and its error messages are those of
// gopher-lua.
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

// Catch is PCall for functions such as pcall: it raises errors again that scripts may not catch.
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

// protect is PCall without the conversion of its error. The upvalues of functions outside of the call stay open.
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

// protectedLoop is the mainLoop of a state when the call of protect begins: LState.PCall has set L.Panic to its own
// function by then, and pushed the frame of the function to call.
func protectedLoop(L *lua.LState, base *vmFrame) {
	s, m := internals(L), MachineOf(L)
	s.mainLoop = countedLoop
	L.Panic = throw
	s.hasErrorFunc = true // keeps errors from closing captured variables
	defer s.unwind(L, s.currentFrame.Base)
	m.run(L, base)
}

// overflow returns the error of Lua when the call stack was full at the call itself.
func overflow(L *lua.LState, err error) error {
	failed, ok := err.(*lua.ApiError)
	if !ok || failed.Type != lua.ApiErrorPanic || failed.Object != lua.LString(stackIsFull) {
		return err
	}
	return failure(L, lua.LString(Where(L, 1)+"stack overflow"))
}

// stackIsFull is what gopher-lua panics with when a call stack that grows as needed can't.
const stackIsFull = "lua callstack overflow"

// unwind passes a panic on, after closing the upvalues in the registers from base on, which LState.PCall clears when it
// catches the panic. It converts other panics than those of Lua to errors: those of a full call stack, and those in Go
// functions.
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

// failure returns an error with a value raised at this point.
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
