package lualib

import (
	"math"
	"math/bits"

	lua "github.com/yuin/gopher-lua"
)

// Lua 5.1 has no integers. BitOp takes a number modulo 2^32, so -1 and 2^32-1 are the same argument, and returns a
// signed one. A fraction is rounded. Numbers beyond 2^51 have no defined result in BitOp; here they give the same as in
// Redis.

// bitFunctions is the BitOp library: arguments are taken modulo 2^32, and all results are signed 32-bit numbers.
var bitFunctions = []function{
	{"arshift", shift(func(b uint32, n int) uint32 { return uint32(int32(b) >> n) })},
	{"band", fold(func(a, b uint32) uint32 { return a & b })},
	{"bnot", single(func(b uint32) uint32 { return ^b })},
	{"bor", fold(func(a, b uint32) uint32 { return a | b })},
	{"bswap", single(bits.ReverseBytes32)},
	{"bxor", fold(func(a, b uint32) uint32 { return a ^ b })},
	{"lshift", shift(func(b uint32, n int) uint32 { return b << n })},
	{"rol", shift(bits.RotateLeft32)},
	{"ror", shift(func(b uint32, n int) uint32 { return bits.RotateLeft32(b, -n) })},
	{"rshift", shift(func(b uint32, n int) uint32 { return b >> n })},
	{"tobit", single(func(b uint32) uint32 { return b })},
	{"tohex", tohex},
}

// roundingBias (2^52 + 2^51), when added, moves the integer nearest to a number, modulo 2^32, to the low half of its
// bits.
const roundingBias = 6755399441055744.0

// checkBits reads argument n as 32 bits: rounded to the nearest integer, of two the even one, modulo 2^32. Numeric
// strings count as numbers.
func checkBits(L *lua.LState, n int) uint32 {
	f, ok := toNumber(L.Get(n))
	if !ok {
		typeError(L, n, "number")
	}
	return uint32(math.Float64bits(f + roundingBias))
}

// pushBits pushes the bits as a signed number.
func pushBits(L *lua.LState, b uint32) int {
	pushNumber(L, float64(int32(b)))
	return 1
}

// single makes a function of one argument.
func single(f func(uint32) uint32) lua.LGFunction {
	return func(L *lua.LState) int { return pushBits(L, f(checkBits(L, 1))) }
}

// fold makes a function that combines all arguments, of which there must be one.
func fold(f func(a, b uint32) uint32) lua.LGFunction {
	return func(L *lua.LState) int {
		b := checkBits(L, 1)
		for i := L.GetTop(); i > 1; i-- {
			b = f(b, checkBits(L, i))
		}
		return pushBits(L, b)
	}
}

// shift makes a function of a number and a distance, which is taken modulo 32.
func shift(f func(b uint32, n int) uint32) lua.LGFunction {
	return func(L *lua.LState) int {
		b := checkBits(L, 1)
		return pushBits(L, f(b, int(checkBits(L, 2)&31)))
	}
}

// tohex is bit.tohex(b, n): the last n hexadecimal digits, 8 by default and at most, in upper case if n is negative.
func tohex(L *lua.LState) int {
	b := checkBits(L, 1)
	n := int32(8)
	if !isNone(L, 2) {
		n = int32(checkBits(L, 2))
	}
	digits := "0123456789abcdef"
	if n < 0 {
		n = -max(n, -math.MaxInt32)
		digits = "0123456789ABCDEF"
	}
	n = min(n, 8)
	var text [8]byte
	for i := n - 1; i >= 0; i-- {
		text[i] = digits[b&15]
		b >>= 4
	}
	pushString(L, string(text[:n]))
	return 1
}
