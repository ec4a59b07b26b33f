package luaeval

import (
	"strings"

	lua "github.com/yuin/gopher-lua"

	"github.com/minilockd/minilockd/luaeval/luafront"
)

// baseFunctions are the functions of gopher-lua's base library that scripts see as they are. What is missing here is either
// ours (lualib, luafront, below) or not for scripts.
var baseFunctions = []string{"collectgarbage", "getmetatable", "ipairs", "next", "pairs", "rawequal", "rawget", "rawset",
	"setmetatable", "type"}

// openBase opens the base, string and coroutine libraries and takes away what Redis does not have.
func (st *state) openBase() {
	L := st.L
	for _, open := range []lua.LGFunction{lua.OpenBase, lua.OpenString, lua.OpenCoroutine} {
		L.Push(L.NewFunction(open))
		L.Call(0, 0)
	}
	globals := L.G.Global
	kept := make(map[string]lua.LValue)
	for _, name := range baseFunctions {
		kept[name] = globals.RawGetString(name)
	}
	kept["coroutine"] = globals.RawGetString("coroutine")
	kept["string"] = globals.RawGetString("string")
	st.clearTable(globals)
	for name, v := range kept {
		globals.RawSetString(name, v)
	}
	globals.RawSetString("_G", globals)
	globals.RawSetString("_VERSION", lua.LString("Lua 5.1"))
	globals.RawSetString("gcinfo", L.NewFunction(gcinfo))
	globals.RawSetString("load", L.NewFunction(load))
	globals.RawSetString("loadstring", L.NewFunction(loadString))
	for _, name := range []string{"rawset", "setmetatable"} {
		globals.RawSetString(name, st.guarded(name))
	}
}

func (st *state) clearTable(t *lua.LTable) {
	var names []lua.LValue
	t.ForEach(func(k, _ lua.LValue) { names = append(names, k) })
	for _, k := range names {
		t.RawSet(k, lua.LNil)
	}
}

// guarded wraps a function that writes into its first argument, so that it refuses read-only tables.
func (st *state) guarded(name string) *lua.LFunction {
	inner := st.L.G.Global.RawGetString(name).(*lua.LFunction).GFunction
	return st.L.NewFunction(func(L *lua.LState) int {
		if t, ok := L.Get(1).(*lua.LTable); ok && st.machine.ReadOnly(t) {
			L.Error(lua.LString(luafront.ReadOnlyMessage), 0)
		}
		return inner(L)
	})
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

// gcinfo tells how much memory Lua uses, in KB. Go does not know it for one state.
func gcinfo(L *lua.LState) int {
	L.Push(lua.LNumber(0))
	return 1
}

// loadString is loadstring(source [, name]).
func loadString(L *lua.LState) int {
	source := L.CheckString(1)
	return pushChunk(L, source, L.OptString(2, source))
}

// load is load(function [, name]): the function returns the source piece by piece, nil or the empty string at its end.
func load(L *lua.LState) int {
	reader, name := L.CheckFunction(1), L.OptString(2, "=(load)")
	var source strings.Builder
	for {
		L.Push(reader)
		L.Call(0, 1)
		piece := L.Get(-1)
		L.Pop(1)
		if piece == lua.LNil || lua.LVAsString(piece) == "" {
			return pushChunk(L, source.String(), name)
		}
		source.WriteString(lua.LVAsString(piece))
	}
}

func pushChunk(L *lua.LState, source, name string) int {
	proto, err := luafront.Compile(source, name)
	if err != nil {
		L.Push(lua.LNil)
		L.Push(lua.LString(err.Error()))
		return 2
	}
	L.Push(L.NewFunctionFromProto(proto))
	return 1
}
