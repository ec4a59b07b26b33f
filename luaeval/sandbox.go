package luaeval

import lua "github.com/yuin/gopher-lua"

// protectGlobals makes the globals as Redis shows them: a name that is not there can neither be read nor made.
func (st *state) protectGlobals() {
	L := st.L
	meta := L.NewTable()
	meta.RawSetString("__index", L.NewFunction(func(L *lua.LState) int {
		L.RaiseError("Script attempted to access nonexistent global variable '%s'", L.ToString(2))
		return 0
	}))
	meta.RawSetString("__newindex", L.NewFunction(func(L *lua.LState) int {
		L.RaiseError("Attempt to modify a readonly table")
		return 0
	}))
	L.G.Global.Metatable = meta
}
