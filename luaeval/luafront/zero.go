package luafront

import (
	"math"

	lua "github.com/yuin/gopher-lua"
)

// gopher-lua has preallocated small integers and uses 0 for -0, which a script can distinguish: redis.call('zadd', key,
// 0 * x, m) with a negative x sends "-0" in Redis.

// multiply executes OP_MUL.
func multiply(L *lua.LState, inst uint32, base *vmFrame) int {
	if a, b, ok := numbers(L, inst); ok && a*b == 0 {
		return setZero(L, inst, a*b)
	}
	return original[lua.OP_MUL](L, inst, base)
}

// divide executes OP_DIV.
func divide(L *lua.LState, inst uint32, base *vmFrame) int {
	if a, b, ok := numbers(L, inst); ok && a/b == 0 {
		return setZero(L, inst, a/b)
	}
	return original[lua.OP_DIV](L, inst, base)
}

// numbers returns the operands of an instruction if both are numbers.
func numbers(L *lua.LState, inst uint32) (a, b float64, ok bool) {
	s := internals(L)
	x, okX := s.value(argB(inst)).(lua.LNumber)
	y, okY := s.value(argC(inst)).(lua.LNumber)
	return float64(x), float64(y), okX && okY
}

// zero is a value that needs no allocation.
var zero lua.LValue = lua.LNumber(0)

// setZero sets the result of an instruction to a zero with the sign that it has in C.
func setZero(L *lua.LState, inst uint32, n float64) int {
	result := zero
	if math.Signbit(n) && MachineOf(L) != nil {
		result = lua.LNumber(n)
	}
	internals(L).setRegister(argA(inst), result)
	return 0
}
