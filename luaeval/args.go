package luaeval

import (
	lua "github.com/yuin/gopher-lua"

	"github.com/minilockd/minilockd/luaeval/luafront"
	"github.com/minilockd/minilockd/luaeval/lualib"
)

// The helpers below read argument n of the running base function as Lua's lauxlib does.

// checkAny accepts all but an argument that is not there.
func checkAny(L *lua.LState, n int) lua.LValue {
	if n > L.GetTop() {
		luafront.ArgError(L, n, "value expected")
	}
	return L.Get(n)
}

func checkTable(L *lua.LState, n int) *lua.LTable {
	t, ok := L.Get(n).(*lua.LTable)
	if !ok {
		typeError(L, n, "table")
	}
	return t
}

func checkFunction(L *lua.LState, n int) *lua.LFunction {
	f, ok := L.Get(n).(*lua.LFunction)
	if !ok {
		typeError(L, n, "function")
	}
	return f
}

// checkString takes numbers for their text.
func checkString(L *lua.LState, n int) string {
	text, ok := toText(L.Get(n))
	if !ok {
		typeError(L, n, "string")
	}
	return text
}

func optString(L *lua.LState, n int, absent string) string {
	if L.Get(n) == lua.LNil {
		return absent
	}
	return checkString(L, n)
}

// checkNumber takes strings for the numbers they are the text of.
func checkNumber(L *lua.LState, n int) float64 {
	switch v := L.Get(n).(type) {
	case lua.LNumber:
		return float64(v)
	case lua.LString:
		if f, ok := lualib.ParseNumber(string(v)); ok {
			return f
		}
	}
	typeError(L, n, "number")
	return 0
}

func optNumber(L *lua.LState, n int, absent float64) float64 {
	if L.Get(n) == lua.LNil {
		return absent
	}
	return checkNumber(L, n)
}

func typeError(L *lua.LState, n int, want string) {
	got := "no value"
	if n <= L.GetTop() {
		got = L.Get(n).Type().String()
	}
	luafront.ArgError(L, n, want+" expected, got "+got)
}

// toText is the text of a string or a number.
func toText(v lua.LValue) (string, bool) {
	switch v := v.(type) {
	case lua.LString:
		return string(v), true
	case lua.LNumber:
		return lualib.FormatNumber(float64(v)), true
	}
	return "", false
}

// raise raises an error with the caller's position before the text, raiseBare without one.
func raise(L *lua.LState, text string) { raiseBare(L, luafront.Where(L, 1)+text) }

func raiseBare(L *lua.LState, text string) { L.Error(lua.LString(text), 0) }
