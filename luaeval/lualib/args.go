package lualib

import lua "github.com/yuin/gopher-lua"

// The helpers below read argument n of the running function as lauxlib does: numbers and numeric strings stand for each
// other, and a wrong type raises "bad argument #n to 'name' (…)".

func typeName(L *lua.LState, n int) string {
	if isNone(L, n) {
		return "no value"
	}
	return L.Get(n).Type().String()
}

func isNone(L *lua.LState, n int) bool { return n > L.GetTop() }

func isNoneOrNil(L *lua.LState, n int) bool { return L.Get(n) == lua.LNil }

// toNumber is lua_tonumber together with lua_isnumber.
func toNumber(v lua.LValue) (float64, bool) {
	switch v := v.(type) {
	case lua.LNumber:
		return float64(v), true
	case lua.LString:
		return ParseNumber(string(v))
	}
	return 0, false
}

// toString is lua_tolstring: strings and numbers have a text.
func toString(v lua.LValue) (string, bool) {
	switch v := v.(type) {
	case lua.LString:
		return string(v), true
	case lua.LNumber:
		return FormatNumber(float64(v)), true
	}
	return "", false
}

// isTrue is lua_toboolean: all but nil and false.
func isTrue(v lua.LValue) bool { return lua.LVAsBool(v) }

// checkAny accepts all but an argument that is not there.
func checkAny(L *lua.LState, n int) lua.LValue {
	if isNone(L, n) {
		argError(L, n, "value expected")
	}
	return L.Get(n)
}

// checkString is luaL_checklstring: numbers count as their text.
func checkString(L *lua.LState, n int) string {
	s, ok := toString(L.Get(n))
	if !ok {
		typeError(L, n, "string")
	}
	return s
}

func optString(L *lua.LState, n int, missing string) string {
	if isNoneOrNil(L, n) {
		return missing
	}
	return checkString(L, n)
}

// checkNumber is luaL_checknumber: numeric strings count as numbers.
func checkNumber(L *lua.LState, n int) float64 {
	f, ok := toNumber(L.Get(n))
	if !ok {
		typeError(L, n, "number")
	}
	return f
}

// checkInteger is luaL_checkinteger: the fraction is dropped.
func checkInteger(L *lua.LState, n int) int { return int(toInt64(checkNumber(L, n))) }

func optInteger(L *lua.LState, n, missing int) int {
	if isNoneOrNil(L, n) {
		return missing
	}
	return checkInteger(L, n)
}

// checkInt is luaL_checkint: 32 bits, the rest is cut off.
func checkInt(L *lua.LState, n int) int { return int(toInt32(checkNumber(L, n))) }

func optInt(L *lua.LState, n, missing int) int {
	if isNoneOrNil(L, n) {
		return missing
	}
	return checkInt(L, n)
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
