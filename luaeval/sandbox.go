package luaeval

import (
	lua "github.com/yuin/gopher-lua"

	"github.com/minilockd/minilockd/luaeval/luafront"
)

// openBase sets the functions of baseFunctions as globals, with _G and _VERSION. Those that luafront and lualib have
// follow in newState.
func (st *state) openBase() {
	L := st.L
	globals := L.G.Global
	luafront.RawSetString(globals, "_G", globals)
	luafront.RawSetString(globals, "_VERSION", lua.LString("Lua 5.1"))
	for name, f := range st.baseFunctions() {
		luafront.RawSetString(globals, name, L.NewFunction(f))
	}
}

// protect sets KEYS and ARGV, and makes the globals as in Redis: an unknown global can neither be read nor created, and
// libraries are read-only, as is the metatable of strings. Scripts may change KEYS and ARGV; fill restores them for the
// next one.
func (st *state) protect() {
	L := st.L
	globals := L.G.Global
	luafront.RawSetString(globals, "KEYS", st.keys)
	luafront.RawSetString(globals, "ARGV", st.argv)
	meta := st.machine.NewTable(0, 0)
	luafront.RawSetString(meta, "__index", L.NewFunction(func(L *lua.LState) int {
		L.RaiseError("Script attempted to access nonexistent global variable '%s'", L.ToString(2))
		return 0
	}))
	globals.Metatable = meta
	protected := []*lua.LTable{globals, meta}
	for _, v := range luafront.All(globals) {
		if t, ok := v.(*lua.LTable); ok && t != st.keys && t != st.argv {
			protected = append(protected, t)
		}
	}
	if t, ok := L.GetMetatable(lua.LString("")).(*lua.LTable); ok {
		protected = append(protected, t)
	}
	st.machine.Protect(protected...)
}
