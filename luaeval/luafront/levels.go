package luafront

import (
	lua "github.com/yuin/gopher-lua"
)

// Lua limits calls twice: by the depth of all, LUAI_MAXCALLS, which gopher-lua does (CallStackSize), and by the depth
// of those that need the C stack. The second limit is here, and it is what keeps the Go stack small.

// maxNested is how many calls from Go functions, metamethods and iterators can be inside one another (LUAI_MAXCCALLS):
// each of them runs in a Go call of its own.
const maxNested = 200

// nestedTooDeep is the message of Lua for deeper nesting.
const nestedTooDeep = "C stack overflow"

// countedLoop is the mainLoop of installed states: gopher-lua calls it where Lua has luaD_call, and to run a coroutine.
func countedLoop(L *lua.LState, base *vmFrame) {
	m := MachineOf(L)
	if base == nil && L.Parent != nil {
		m.runCoroutine(L)
		return
	}
	m.run(L, base)
}

// run runs the function whose frame was pushed. The code that catches an error restores levels. As in Lua, resuming a
// coroutine can exceed the limit; a second limit ends that.
func (m *Machine) run(L *lua.LState, base *vmFrame) {
	if m.levels++; m.levels == maxNested || m.levels >= maxNested+maxNested/8 {
		s := internals(L)
		s.currentFrame = s.currentFrame.Parent // the caller's fault
		raise(L, lua.LString(where(s.currentFrame)+nestedTooDeep))
	}
	m.loop(L, base)
	m.levels--
}
