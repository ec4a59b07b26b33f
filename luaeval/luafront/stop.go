package luafront

import (
	"sync/atomic"

	lua "github.com/yuin/gopher-lua"
)

// A script runs in a goroutine that nothing can stop from outside. So the instructions that every long script must
// execute, jumps, loops and calls, check a counter, and a state that it may concern checks its Machine. The counter is
// global since an atomic load of one address is cheap; the price is that scripts of all states are slower for the short
// time until the one to be stopped has noticed.

// stopping counts the machines with a Stop or RunAtSafepoint to handle. Instructions check only this while it is 0,
// since finding the Machine of a state takes four loads.
var stopping atomic.Int32

// Stop makes the script that runs in the state, or the next one, end with reason at its next jump, loop or call. The
// script can't catch it, and Machine.PCall returns it. Only the first reason counts, until Reset. Any goroutine may
// call Stop.
//
// A call of a Go function is not interrupted: long-running ones must call Interrupted in their loops.
func (m *Machine) Stop(reason error) {
	if m.reason.CompareAndSwap(nil, &reason) {
		stopping.Add(1)
	}
}

// Stopped returns the reason given to Stop, nil if there is none. Any goroutine may call it.
func (m *Machine) Stopped() error {
	if reason := m.reason.Load(); reason != nil {
		return *reason
	}
	return nil
}

// RunAtSafepoint makes the goroutine that runs the state call f at its next jump, loop or call, and then continue. A
// later f replaces one that was not called yet, and Reset cancels it. Any goroutine may call RunAtSafepoint.
func (m *Machine) RunAtSafepoint(f func()) {
	if m.safepointFunc.Swap(&f) == nil {
		stopping.Add(1)
	}
}

// Interrupted calls the function of RunAtSafepoint and returns the result of Stopped. It is for Go functions that the
// script runs.
func (m *Machine) Interrupted() error {
	if f := m.takeSafepointFunc(); f != nil {
		(*f)()
	}
	return m.Stopped()
}

// takeSafepointFunc returns the function of RunAtSafepoint, which then is not called again; nil if there is none.
func (m *Machine) takeSafepointFunc() *func() {
	if m.safepointFunc.Load() == nil {
		return nil
	}
	f := m.safepointFunc.Swap(nil)
	if f != nil {
		stopping.Add(-1)
	}
	return f
}

// Reset cancels Stop and RunAtSafepoint. Call it between scripts, when no other goroutine may still refer to the one
// that ended, and also for a state that is no longer used.
func (m *Machine) Reset() {
	m.raised, m.fault = false, nil
	m.takeSafepointFunc()
	if m.reason.Load() != nil && m.reason.Swap(nil) != nil {
		stopping.Add(-1)
	}
}

// checkStop calls the function of RunAtSafepoint, and raises the reason of Stop.
func checkStop(L *lua.LState) {
	if m := MachineOf(L); m != nil {
		m.Check(L)
	}
}

// Check raises what Stop was given in the script that runs, for Go functions whose result makes no sense then.
func (m *Machine) Check(L *lua.LState) {
	if m.Interrupted() != nil {
		m.raiseStop(L)
	}
}

// jump executes OP_JMP.
func jump(L *lua.LState, inst uint32, _ *vmFrame) int {
	if stopping.Load() != 0 {
		checkStop(L)
	}
	internals(L).currentFrame.Pc += argJump(inst)
	return 0
}

// The other instructions check stopping and leave the rest to gopher-lua. Four functions with an instruction each are
// faster than one closure.

func forLoop(L *lua.LState, inst uint32, base *vmFrame) int {
	if stopping.Load() != 0 {
		checkStop(L)
	}
	return original[lua.OP_FORLOOP](L, inst, base)
}

func genericForLoop(L *lua.LState, inst uint32, base *vmFrame) int {
	if stopping.Load() != 0 {
		checkStop(L)
	}
	return original[lua.OP_TFORLOOP](L, inst, base)
}

func callFunction(L *lua.LState, inst uint32, base *vmFrame) int {
	if stopping.Load() != 0 {
		checkStop(L)
	}
	return original[lua.OP_CALL](L, inst, base)
}

func tailCall(L *lua.LState, inst uint32, base *vmFrame) int {
	if stopping.Load() != 0 {
		checkStop(L)
	}
	if f, ok := internals(L).register(argA(inst)).(*lua.LFunction); ok && f.IsG && L.Parent != nil {
		// What yields must leave the frame of its caller, which the return that follows ends.
		return original[lua.OP_CALL](L, inst, base)
	}
	return original[lua.OP_TAILCALL](L, inst, base)
}

// stopError is the reason of Stop, with the place where the script was.
type stopError struct {
	error
	place string
}

// Unwrap returns the reason.
func (e *stopError) Unwrap() error { return e.error }

// stopError returns the error of a script that was stopped.
func (m *Machine) stopError(raised error) error {
	stop := &stopError{error: m.Stopped()}
	if failure, ok := raised.(*lua.ApiError); ok {
		stop.place = failure.StackTrace
	}
	return stop
}

// raiseStop raises the reason. If it is caught, as by coroutine.resume, the next instruction that checks stopping
// raises it again.
func (m *Machine) raiseStop(L *lua.LState) {
	m.raised = true
	value := L.NewUserData()
	value.Value = m.Stopped()
	raise(L, value)
}
