package lualib

import (
	lua "github.com/yuin/gopher-lua"

	"github.com/minilockd/minilockd/luaeval/luafront"
)

// openBasic sets the functions of the base library that are here.
func (l *library) openBasic(L *lua.LState) {
	for _, f := range []function{
		{"tostring", tostring}, {"tonumber", tonumber}, {"select", selectValues}, {"unpack", unpack},
	} {
		luafront.SetGlobal(L, f.name, L.NewFunction(f.call))
	}
}

// tostring is tostring(v): the result of the metamethod __tostring, of any type, or the text that Lua has for the
// value.
func tostring(L *lua.LState) int {
	v := CheckAny(L, 1)
	if meta := L.GetMetaField(v, "__tostring"); meta != lua.LNil {
		L.Push(meta)
		L.Push(v)
		L.Call(1, 1)
		return 1
	}
	L.Push(text(v))
	return 1
}

// text returns the text of a value, without metamethods. Small integers and strings need no allocation.
func text(v lua.LValue) lua.LValue {
	switch x := v.(type) {
	case lua.LString:
		return v // not x, which would allocate again
	case lua.LNumber:
		if i, ok := smallInt(float64(x)); ok {
			return smallStrings[i]
		}
		return lua.LString(FormatNumber(float64(x)))
	case *lua.LUserData:
		if x == Null {
			return nullText
		}
	}
	return lua.LString(v.String())
}

// nullText is the text of printf in C for the null pointer that stands for null in JSON.
var nullText lua.LValue = lua.LString("userdata: (nil)")

// tonumber is tonumber(v, base), nil for what is no number. Base 10 is the same as none: then numbers pass, and strings
// may be decimal, hexadecimal, inf or nan.
func tonumber(L *lua.LState) int {
	base := optInt(L, 2, 10)
	if base != 10 {
		return tonumberBase(L, base)
	}
	v := CheckAny(L, 1)
	switch x := v.(type) {
	case lua.LNumber:
		L.Push(v)
	case lua.LString:
		pushParsed(L, string(x))
	default:
		L.Push(lua.LNil)
	}
	return 1
}

// pushParsed pushes the number that s stands for, or nil.
func pushParsed(L *lua.LState, s string) {
	if f, ok := ParseNumber(s); ok {
		pushNumber(L, f)
		return
	}
	L.Push(lua.LNil)
}

// tonumberBase reads text in another base than ten by the rules of strtoul, so that -11 in base 2 is 2^64-3. The base
// is from 2 to 36; letters are digits in either case, and white space may stand around.
func tonumberBase(L *lua.LState, base int) int {
	s := cString(CheckString(L, 1))
	if base < 2 || base > 36 {
		argError(L, 2, "base out of range")
	}
	n, end := scanUnsigned(s, uint64(base))
	if end == 0 || skipSpaces(s, end) != len(s) {
		L.Push(lua.LNil)
		return 1
	}
	pushNumber(L, float64(n))
	return 1
}

// selectValues is select(n, …): its results are the last arguments, which are where they must be. select("#", …) is
// their number; a negative n counts from the end.
func selectValues(L *lua.LState) int {
	n := L.GetTop()
	if s, ok := L.Get(1).(lua.LString); ok && len(s) > 0 && s[0] == '#' {
		pushInt(L, n-1)
		return 1
	}
	i := checkInt(L, 1)
	if i < 0 {
		i += n
	}
	i = min(i, n)
	if i < 1 {
		argError(L, 1, "index out of range")
	}
	return n - i
}

// unpack is unpack(t, first, last): it pushes t[first] to t[last], by default all of the list. Lua lets a C function
// have at most maxStack values, its arguments included.
func unpack(L *lua.LState) int {
	t := CheckTable(L, 1)
	first := optInt(L, 2, 1)
	last := luafront.Len(t)
	if !isNoneOrNil(L, 3) {
		last = checkInt(L, 3)
	}
	if first > last {
		return 0
	}
	n := last - first + 1
	if n > maxStack-L.GetTop() {
		raise(L, "too many results to unpack")
	}
	for i := first; i <= last; i++ {
		L.Push(luafront.RawGetInt(t, i))
	}
	return n
}
