package lualib

import (
	"math"
	"strconv"

	lua "github.com/yuin/gopher-lua"

	"github.com/minilockd/minilockd/internal/num"
)

// A Lua value is a Go interface, so a number or string in it costs an allocation unless it is there already. Small
// integers and single bytes are what scripts use most: counters, flags, results of string.byte and of commands.

// smallCount is how many integers from 0 have their text and their Lua values ready, so that they cost no allocation.
const smallCount = 256

var (
	smallTexts   [smallCount]string
	smallStrings [smallCount]lua.LValue // the texts as Lua strings
	smallNumbers [smallCount]lua.LValue
	byteStrings  [256]lua.LValue // one byte each
)

func init() {
	for i := range smallCount {
		smallTexts[i] = strconv.Itoa(i)
		smallStrings[i] = lua.LString(smallTexts[i])
		smallNumbers[i] = lua.LNumber(i)
	}
	for i := range byteStrings {
		byteStrings[i] = lua.LString([]byte{byte(i)})
	}
}

// smallInt returns f as an integer when its text and value are ready. -0 is none: its text is "-0".
func smallInt(f float64) (int, bool) {
	if f >= 0 && f < smallCount && f == math.Trunc(f) && !(f == 0 && math.Signbit(f)) {
		return int(f), true
	}
	return 0, false
}

// number returns f as a Lua value; small integers cost no allocation.
func number(f float64) lua.LValue {
	if i, ok := smallInt(f); ok {
		return smallNumbers[i]
	}
	return lua.LNumber(f)
}

// pushNumber pushes a number, pushInt an integer and pushString a string, without an allocation for common values.
func pushNumber(L *lua.LState, f float64) { L.Push(number(f)) }

func pushInt(L *lua.LState, i int) { L.Push(number(float64(i))) }

// stringValue returns s as a Lua value; a single byte costs no allocation.
func stringValue(s string) lua.LValue {
	if len(s) == 1 {
		return byteStrings[s[0]]
	}
	return lua.LString(s)
}

func pushString(L *lua.LState, s string) { L.Push(stringValue(s)) }

// toInt32 is a cast to int in C by way of 64 bits, as lua_tointeger and luaL_checkint do it: the low half.
func toInt32(f float64) int32 { return int32(num.Int64(f)) }

// toCInt is a cast from double to int in C, which on x86-64 gives the smallest integer for what does not fit.
func toCInt(f float64) int32 {
	if f > -(1<<31)-1 && f < 1<<31 {
		return int32(f)
	}
	return math.MinInt32
}
