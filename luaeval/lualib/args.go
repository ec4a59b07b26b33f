package lualib

import (
	lua "github.com/yuin/gopher-lua"

	"github.com/minilockd/minilockd/internal/num"
	"github.com/minilockd/minilockd/luaeval/luafront"
)

// The helpers below read argument n of the running function, counted from 1, as lauxlib.c does: numbers and numeric
// strings are interchangeable, and a wrong type raises "bad argument #n to 'name' (…)". The exported ones are for
// functions of other packages, too.

// typeName is luaL_typename: the type of argument n for messages, "no value" if it is not there.
func typeName(L *lua.LState, n int) string {
	if isNone(L, n) {
		return "no value"
	}
	return L.Get(n).Type().String()
}

// isNone reports whether there is no argument n. A nil that was passed is one.
func isNone(L *lua.LState, n int) bool { return n > L.GetTop() }

// isNoneOrNil reports whether argument n takes its default.
func isNoneOrNil(L *lua.LState, n int) bool { return L.Get(n) == lua.LNil }

// toNumber is lua_isnumber and lua_tonumber in one.
func toNumber(v lua.LValue) (float64, bool) {
	switch v := v.(type) {
	case lua.LNumber:
		return float64(v), true
	case lua.LString:
		return ParseNumber(string(v))
	}
	return 0, false
}

// ToString is lua_tolstring: strings and numbers have a text.
func ToString(v lua.LValue) (string, bool) {
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

// CheckAny is luaL_checkany: it accepts all but an argument that is not there.
func CheckAny(L *lua.LState, n int) lua.LValue {
	if isNone(L, n) {
		argError(L, n, "value expected")
	}
	return L.Get(n)
}

// CheckString is luaL_checklstring: numbers count as their text.
func CheckString(L *lua.LState, n int) string {
	s, ok := ToString(L.Get(n))
	if !ok {
		typeError(L, n, "string")
	}
	return s
}

// OptString is CheckString for an argument that may be nil or not there.
func OptString(L *lua.LState, n int, missing string) string {
	if isNoneOrNil(L, n) {
		return missing
	}
	return CheckString(L, n)
}

// CheckNumber is luaL_checknumber: numeric strings count as numbers.
func CheckNumber(L *lua.LState, n int) float64 {
	f, ok := toNumber(L.Get(n))
	if !ok {
		typeError(L, n, "number")
	}
	return f
}

// OptNumber is CheckNumber for an argument that may be nil or not there.
func OptNumber(L *lua.LState, n int, missing float64) float64 {
	if isNoneOrNil(L, n) {
		return missing
	}
	return CheckNumber(L, n)
}

// checkInteger is luaL_checkinteger: the fraction is dropped.
func checkInteger(L *lua.LState, n int) int { return int(num.Int64(CheckNumber(L, n))) }

// optInteger is luaL_optinteger: missing is the value of an argument that is nil or not there.
func optInteger(L *lua.LState, n, missing int) int {
	if isNoneOrNil(L, n) {
		return missing
	}
	return checkInteger(L, n)
}

// checkInt is luaL_checkint: 32 bits, the rest is cut off, so that 2^32 is 0.
func checkInt(L *lua.LState, n int) int { return int(toInt32(CheckNumber(L, n))) }

// optInt is luaL_optint: checkInt for an argument that may be nil or not there.
func optInt(L *lua.LState, n, missing int) int {
	if isNoneOrNil(L, n) {
		return missing
	}
	return checkInt(L, n)
}

// CheckTable accepts a table only, as luaL_checktype does.
func CheckTable(L *lua.LState, n int) *lua.LTable {
	t, ok := L.Get(n).(*lua.LTable)
	if !ok {
		typeError(L, n, "table")
	}
	luafront.Adopt(L, t)
	return t
}

// CheckFunction accepts a function only, be it one of Go. A table that can be called is none.
func CheckFunction(L *lua.LState, n int) *lua.LFunction {
	f, ok := L.Get(n).(*lua.LFunction)
	if !ok {
		typeError(L, n, "function")
	}
	return f
}
