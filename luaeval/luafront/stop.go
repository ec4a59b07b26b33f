package luafront

import (
	lua "github.com/yuin/gopher-lua"
)

// Stop makes the script that runs in the state, or the next one, end with reason at its next jump, loop or call. The script's
// pcall can't catch it, and Machine.PCall returns it. Only the first reason counts, until Rearm. Any goroutine may call Stop.
//
// A call of a Go function is not interrupted: long-running ones must ask Stopped in their loops.
func (m *Machine) Stop(reason error) { m.reason.CompareAndSwap(nil, &reason) }

// Stopped returns the reason given to Stop, nil if there is none. Any goroutine may call it.
func (m *Machine) Stopped() error {
	if reason := m.reason.Load(); reason != nil {
		return *reason
	}
	return nil
}

// Rearm takes back Stop. Call it between scripts, when no other goroutine may still mean the one that ended.
func (m *Machine) Rearm() {
	m.raised = false
	m.reason.Store(nil)
}

// jump carries out OP_JMP.
func jump(L *lua.LState, inst uint32, _ *vmFrame) int {
	if m := MachineOf(L); m != nil && m.reason.Load() != nil {
		m.raiseStop(L)
	}
	internals(L).currentFrame.Pc += argJump(inst)
	return 0
}

// stoppable returns gopher-lua's instruction with a look at Stop before it.
func stoppable(op int) instruction {
	return func(L *lua.LState, inst uint32, base *vmFrame) int {
		if m := MachineOf(L); m != nil && m.reason.Load() != nil {
			m.raiseStop(L)
		}
		return original[op](L, inst, base)
	}
}

// raiseStop raises the reason. Whatever catches it (coroutine.resume does) meets it again at the next instruction that looks.
func (m *Machine) raiseStop(L *lua.LState) {
	m.raised = true
	value := L.NewUserData()
	value.Value = m.Stopped()
	raise(L, value)
}
