package luaeval

import (
	lua "github.com/yuin/gopher-lua"
)

// openBase opens the base library and those libraries that gopher-lua's own code reaches, without what Redis does not have.
func (st *state) openBase() {
	L := st.L
	L.Push(L.NewFunction(lua.OpenString))
	L.Call(0, 0)
	globals := L.G.Global
	globals.RawSetString("_G", globals)
	globals.RawSetString("_VERSION", lua.LString("Lua 5.1"))
	for name, f := range st.baseFunctions() {
		globals.RawSetString(name, L.NewFunction(f))
	}
}

// seal sets KEYS and ARGV, and makes the globals as Redis shows them: a name that is not there can neither be read nor made,
// and nothing that a library holds can be changed.
func (st *state) seal() {
	L := st.L
	globals := L.G.Global
	globals.RawSetString("KEYS", st.keys)
	globals.RawSetString("ARGV", st.argv)
	meta := L.NewTable()
	meta.RawSetString("__index", L.NewFunction(func(L *lua.LState) int {
		L.RaiseError("Script attempted to access nonexistent global variable '%s'", L.ToString(2))
		return 0
	}))
	globals.Metatable = meta
	sealed := []*lua.LTable{globals, meta}
	globals.ForEach(func(k, v lua.LValue) {
		if t, ok := v.(*lua.LTable); ok && t != st.keys && t != st.argv {
			sealed = append(sealed, t)
		}
	})
	if t, ok := L.GetMetatable(lua.LString("")).(*lua.LTable); ok {
		sealed = append(sealed, t)
	}
	st.machine.Protect(sealed...)
}
