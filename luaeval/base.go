package luaeval

import (
	lua "github.com/yuin/gopher-lua"

	"github.com/minilockd/minilockd/internal/clock"
	"github.com/minilockd/minilockd/internal/emulate"
	"github.com/minilockd/minilockd/luaeval/luafront"
	"github.com/minilockd/minilockd/luaeval/lualib"
)

// baseFunctions returns the functions of the base library that neither luafront nor lualib has. Redis has removed
// print, dofile and loadfile from it, and getfenv, setfenv and newproxy, with which a script could leave the sandbox.
func (st *state) baseFunctions() map[string]lua.LGFunction {
	return map[string]lua.LGFunction{
		"collectgarbage": new(collector).collectGarbage,
		"gcinfo":         gcInfo,
		"getmetatable":   getMetatable,
		"load":           st.load,
		"loadstring":     loadString,
		"rawequal":       rawEqual,
		"setmetatable":   st.setMetatable,
		"type":           typeOf,
	}
}

// openOS sets the global os, of which scripts have only clock.
func (st *state) openOS() {
	if !st.engine.server.Does(emulate.OSClock) {
		return
	}
	os := st.machine.NewTable(0, 0)
	luafront.RawSetString(os, "clock", st.L.NewFunction(osClock))
	luafront.SetGlobal(st.L, "os", os)
}

// osClock is os.clock(): the seconds that the server has run. Lua returns the processor time of the process, which
// scripts use to measure how long something takes.
func osClock(L *lua.LState) int {
	L.Push(lua.LNumber(clock.Real{}.Now().Sub(processStart).Seconds()))
	return 1
}

// processStart is the zero of os.clock.
var processStart = clock.Real{}.Now()

// typeOf is type(v).
func typeOf(L *lua.LState) int {
	L.Push(typeNames[lualib.CheckAny(L, 1).Type()])
	return 1
}

// typeNames are the results of type(v), which need no allocation.
var typeNames = map[lua.LValueType]lua.LValue{
	lua.LTNil: lua.LString("nil"), lua.LTBool: lua.LString("boolean"), lua.LTNumber: lua.LString("number"),
	lua.LTString: lua.LString("string"), lua.LTFunction: lua.LString("function"), lua.LTUserData: lua.LString("userdata"),
	lua.LTThread: lua.LString("thread"), lua.LTTable: lua.LString("table"),
}

// rawEqual is rawequal(a, b), which calls no metamethod: strings and numbers are equal by value, all else by identity.
func rawEqual(L *lua.LState) int {
	lualib.CheckAny(L, 1)
	lualib.CheckAny(L, 2)
	L.Push(lua.LBool(L.Get(1) == L.Get(2)))
	return 1
}

// checkNotReadOnly raises the error of Redis, which has no position, for a change to a table of its own.
func (st *state) checkNotReadOnly(L *lua.LState, t *lua.LTable) {
	if st.machine.ReadOnly(t) {
		raisePlain(L, luafront.ReadOnlyMessage)
	}
}

// getMetatable is getmetatable(v): it returns the field __metatable of the metatable if there is one.
func getMetatable(L *lua.LState) int {
	v := lualib.CheckAny(L, 1)
	if protected := L.GetMetaField(v, "__metatable"); protected != lua.LNil {
		L.Push(protected)
		return 1
	}
	L.Push(L.GetMetatable(v))
	return 1
}

// setMetatable is setmetatable(t, metatable or nil), which returns t. A metatable with the field __metatable can't be
// replaced, nor can that of a read-only table.
func (st *state) setMetatable(L *lua.LState) int {
	t := lualib.CheckTable(L, 1)
	meta := L.Get(2)
	if kind := meta.Type(); L.GetTop() < 2 || kind != lua.LTNil && kind != lua.LTTable {
		luafront.ArgError(L, 2, "nil or table expected")
	}
	if L.GetMetaField(t, "__metatable") != lua.LNil {
		raise(L, "cannot change a protected metatable")
	}
	st.checkNotReadOnly(L, t)
	t.Metatable = meta
	L.Push(t)
	return 1
}
