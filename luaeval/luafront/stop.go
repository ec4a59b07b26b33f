package luafront

import (
	"sync/atomic"

	lua "github.com/yuin/gopher-lua"
)

// stopping counts the machines that were told to stop. It is the one thing that the instructions look at when nothing is to be
// stopped, as finding a state's Machine takes four loads.
var stopping atomic.Int32

// Stop makes the script that runs in the state, or the next one, end with reason at its next jump, loop or call. The script's
// pcall can't catch it, and Machine.PCall returns it. Only the first reason counts, until Rearm. Any goroutine may call Stop.
//
// A call of a Go function is not interrupted: long-running ones must ask Stopped in their loops.
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

// Rearm takes back Stop. Call it between scripts, when no other goroutine may still mean the one that ended, and also for a state
// that is given up.
func (m *Machine) Rearm() {
	m.raised = false
	if m.reason.Swap(nil) != nil {
		stopping.Add(-1)
	}
}

// checkStop raises the reason if the state was told to stop.
func checkStop(L *lua.LState) {
	if m := MachineOf(L); m != nil && m.reason.Load() != nil {
		m.raiseStop(L)
	}
}

// jump carries out OP_JMP.
func jump(L *lua.LState, inst uint32, _ *vmFrame) int {
	if stopping.Load() != 0 {
		checkStop(L)
	}
	internals(L).currentFrame.Pc += argJump(inst)
	return 0
}

// The others look and leave the rest to gopher-lua. Four functions with an instruction each are faster than one closure.

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
	return original[lua.OP_TAILCALL](L, inst, base)
}

// raiseStop raises the reason. Whatever catches it (coroutine.resume does) meets it again at the next instruction that looks.
func (m *Machine) raiseStop(L *lua.LState) {
	m.raised = true
	value := L.NewUserData()
	value.Value = m.Stopped()
	raise(L, value)
}
