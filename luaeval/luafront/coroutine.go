package luafront

import (
	"sync"

	lua "github.com/yuin/gopher-lua"
)

// crossing is what Lua 5.1 raises when a coroutine yields with a Go function or a metamethod in between.
const crossing = "attempt to yield across metamethod/C-call boundary"

// coroutines is the coroutine library of Lua for the coroutines of gopher-lua, which run on the Go stack of the one
// that resumes them. The library of gopher-lua itself has other error messages, and its yield from a Go function is
// undefined.
type coroutines struct {
	m              *Machine
	create, resume lua.LGFunction // of gopher-lua
}

// InstallCoroutines sets the global table coroutine of a state that Install was called for.
func InstallCoroutines(L *lua.LState) {
	library := NewTable(0, 0)
	c := &coroutines{m: MachineOf(L), create: originals()["create"], resume: originals()["resume"]}
	for name, function := range map[string]lua.LGFunction{
		"create": c.createThread, "resume": c.resumeThread, "running": running,
		"status": status, "wrap": c.wrap, "yield": c.yield,
	} {
		RawSetString(library, name, L.NewFunction(function))
	}
	SetGlobal(L, "coroutine", library)
}

// originals are the functions of the library of gopher-lua, by name.
var originals = sync.OnceValue(func() map[string]lua.LGFunction {
	L := lua.NewState(lua.Options{SkipOpenLibs: true})
	defer L.Close()
	L.Push(L.NewFunction(lua.OpenCoroutine))
	L.Call(0, 1)
	functions := make(map[string]lua.LGFunction)
	for name, f := range All(L.Get(-1).(*lua.LTable)) {
		functions[name.String()] = f.(*lua.LFunction).GFunction
	}
	return functions
})

// createThread is coroutine.create(f), of a Lua function only.
func (c *coroutines) createThread(L *lua.LState) int {
	if f, ok := L.Get(1).(*lua.LFunction); !ok || f.IsG {
		ArgError(L, 1, "Lua function expected")
	}
	c.create(L)
	internals(L.Get(-1).(*lua.LState)).mainLoop = countedLoop
	return 1
}

// runCoroutine runs a coroutine from where it is to its next yield or its end. An error ends it; unwind closes its
// upvalues.
func (m *Machine) runCoroutine(L *lua.LState) {
	L.Panic = throw
	defer internals(L).unwind(L, 0)
	m.levels++
	m.loop(L, nil)
	m.levels--
}

// resumeThread is coroutine.resume(co, …): true and what the coroutine yields or returns, or false and what it raises.
func (c *coroutines) resumeThread(L *lua.LState) int {
	results, _ := c.run(L, checkThread(L))
	return results
}

// wrap is coroutine.wrap(f): a function that resumes and raises what the coroutine raises; a text gets the position of
// the caller before it.
func (c *coroutines) wrap(L *lua.LState) int {
	c.createThread(L)
	thread := L.Get(-1).(*lua.LState)
	// The closure captures the thread as an upvalue, so that Size finds it.
	L.Push(L.NewClosure(func(L *lua.LState) int {
		L.Insert(thread, 1)
		results, ok := c.run(L, thread)
		if ok {
			return results - 1
		}
		raised := L.Get(-1)
		if text, ok := c.m.toText(raised); ok {
			raised = lua.LString(Where(L, 1) + text)
		}
		raise(L, raised)
		return 0
	}, thread))
	return 1
}

// run resumes a thread, the first argument of the running function, with the other arguments. It pushes true and the
// results of the coroutine, or false and why it failed, and returns how many values these are. A stop of the script,
// and a fault in Go code, pass through.
func (c *coroutines) run(L, thread *lua.LState) (results int, ok bool) {
	if s := statusOf(L, thread); s != "suspended" {
		L.Push(lua.LFalse)
		L.Push(lua.LString("cannot resume " + s + " coroutine"))
		return 2, false
	}
	m := c.m
	if m.levels >= maxNested {
		thread.Dead = true
		L.Push(lua.LFalse)
		L.Push(lua.LString(nestedTooDeep))
		return 2, false
	}
	levels, outermost := m.levels, m.outermost
	m.outermost = levels + 1
	results = c.resume(L)
	m.levels, m.outermost = levels, outermost
	if ok = L.Get(-results) == lua.LTrue; !ok {
		m.passOn(L, failure(L, L.Get(-1)))
	}
	return results, ok
}

// yield is coroutine.yield(…). A negative number of results makes gopher-lua switch to the coroutine that resumed this
// one. That is impossible with a Go call in between, which has no way to return.
func (c *coroutines) yield(L *lua.LState) int {
	if L.Parent == nil || c.m.levels > c.m.outermost {
		raise(L, lua.LString(crossing))
	}
	return -1
}

// running is coroutine.running(): nil outside of coroutines.
func running(L *lua.LState) int {
	if L.Parent == nil {
		L.Push(lua.LNil)
	} else {
		L.Push(L)
	}
	return 1
}

// status is coroutine.status(co).
func status(L *lua.LState) int {
	L.Push(lua.LString(statusOf(L, checkThread(L))))
	return 1
}

// statusOf returns the status of a thread as the running thread L sees it: normal is one that has resumed another.
func statusOf(L, thread *lua.LState) string {
	switch {
	case thread == L:
		return "running"
	case thread.Dead:
		return "dead"
	}
	for p := L.Parent; p != nil; p = p.Parent {
		if p == thread {
			return "normal"
		}
	}
	return "suspended"
}

// checkThread returns argument 1, which must be a coroutine.
func checkThread(L *lua.LState) *lua.LState {
	thread, ok := L.Get(1).(*lua.LState)
	if !ok {
		ArgError(L, 1, "coroutine expected")
	}
	return thread
}
