package lualib

import (
	"math"

	lua "github.com/yuin/gopher-lua"

	"github.com/minilockd/minilockd/luaeval/luafront"
)

// newMath makes the table math. Redis replaces random and randomseed (random.go); mod is the name of fmod before Lua
// 5.1.
func (l *library) newMath(L *lua.LState) *lua.LTable {
	module := newModule(L, []function{
		{"abs", absolute}, {"acos", ofOneOr(positiveNaN, math.Acos)}, {"asin", ofOneOr(positiveNaN, math.Asin)},
		{"atan", ofOne(math.Atan)},
		{"atan2", ofTwo(math.Atan2)}, {"ceil", ofOne(math.Ceil)}, {"cos", ofOne(math.Cos)}, {"cosh", ofOne(math.Cosh)},
		{"deg", ofOne(degrees)}, {"exp", ofOne(math.Exp)}, {"floor", ofOne(math.Floor)}, {"fmod", ofTwo(math.Mod)},
		{"frexp", frexp}, {"ldexp", ldexp}, {"log", ofOne(logarithm)}, {"log10", ofOneOr(positiveNaN, log10)}, {"max",
			largest},
		{"min", least}, {"mod", ofTwo(math.Mod)}, {"modf", modf}, {"pow", ofTwo(math.Pow)}, {"rad", ofOne(radians)},
		{"random", l.random}, {"randomseed", l.randomSeed}, {"sin", ofOne(math.Sin)}, {"sinh", ofOne(math.Sinh)},
		{"sqrt", ofOne(math.Sqrt)}, {"tan", ofOne(math.Tan)}, {"tanh", ofOne(math.Tanh)},
	})
	luafront.RawSetString(module, "huge", lua.LNumber(math.Inf(1)))
	luafront.RawSetString(module, "pi", lua.LNumber(math.Pi))
	return module
}

// ofOne makes a function of one number. A NaN passes with its sign; where there is no result, C gives -nan.
func ofOne(f func(float64) float64) lua.LGFunction { return ofOneOr(negativeNaN, f) }

// ofOneOr is ofOne with another NaN for where there is no result.
func ofOneOr(invalid float64, f func(float64) float64) lua.LGFunction {
	return func(L *lua.LState) int {
		x := CheckNumber(L, 1)
		pushNumber(L, orNaN(f(x), invalid, x, x))
		return 1
	}
}

// ofTwo makes a function of two numbers.
func ofTwo(f func(x, y float64) float64) lua.LGFunction {
	return func(L *lua.LState) int {
		x := CheckNumber(L, 1)
		y := CheckNumber(L, 2)
		pushNumber(L, orNaN(f(x, y), negativeNaN, x, y))
		return 1
	}
}

// negativeNaN is what x86-64 makes of an invalid operation such as 0/0; C writes it as -nan.
var negativeNaN = math.Copysign(positiveNaN, -1)

// orNaN gives a result that is NaN the sign that it has in C: that of the first argument which is NaN, or of invalid.
func orNaN(result, invalid, x, y float64) float64 {
	switch {
	case result == result:
		return result
	case x != x:
		return x
	case y != y:
		return y
	}
	return invalid
}

// absolute is math.abs(x).
func absolute(L *lua.LState) int {
	pushNumber(L, math.Abs(CheckNumber(L, 1)))
	return 1
}

// radiansPerDegree is RADIANS_PER_DEGREE of lmathlib.c: dividing by it does not always give what multiplying by its
// inverse does.
const radiansPerDegree = float64(math.Pi) / 180

func degrees(x float64) float64 { return x / radiansPerDegree }

func radians(x float64) float64 { return x * radiansPerDegree }

// smallestNormal is the smallest number for which Go's logarithm is right on all machines.
const smallestNormal = 0x1p-1022

// logarithm scales subnormal numbers to the normal range first.
func logarithm(x float64) float64 {
	if x > 0 && x < smallestNormal {
		return math.Log(x*0x1p54) - 54*math.Ln2
	}
	return math.Log(x)
}

// log10 is exact for powers of ten, as that of C is and that of Go is not.
func log10(x float64) float64 {
	result := math.Log10(x)
	if x > 0 && x < smallestNormal {
		result = logarithm(x) / math.Ln10
	}
	if n := math.Round(result); math.Abs(result-n) < 1e-9 && math.Pow10(int(n)) == x {
		return n
	}
	return result
}

// frexp is math.frexp(x): 0 or a fraction from 0.5 to below 1, and the power of two by which it is multiplied.
func frexp(L *lua.LState) int {
	fraction, exponent := math.Frexp(CheckNumber(L, 1))
	pushNumber(L, fraction)
	pushInt(L, exponent)
	return 2
}

// ldexp is math.ldexp(x, exponent): x times a power of two.
func ldexp(L *lua.LState) int {
	x := CheckNumber(L, 1)
	pushNumber(L, math.Ldexp(x, checkInt(L, 2)))
	return 1
}

// modf is math.modf(x): the integer part and the fraction, with the signs that they have in C: the fraction of -3 is
// -0, that of an infinity is a zero.
func modf(L *lua.LState) int {
	x := CheckNumber(L, 1)
	whole, fraction := math.Trunc(x), 0.0
	if !math.IsInf(x, 0) {
		fraction = x - whole
	}
	pushNumber(L, whole)
	pushNumber(L, math.Copysign(fraction, x))
	return 2
}

// largest is math.max(x, …).
func largest(L *lua.LState) int {
	return pick(L, func(f, best float64) bool { return f > best })
}

// least is math.min(x, …).
func least(L *lua.LState) int {
	return pick(L, func(f, best float64) bool { return f < best })
}

// pick pushes the best of the arguments. Comparing as C does lets a NaN win only as the first.
func pick(L *lua.LState, better func(f, best float64) bool) int {
	best := CheckNumber(L, 1)
	for i := 2; i <= L.GetTop(); i++ {
		if f := CheckNumber(L, i); better(f, best) {
			best = f
		}
	}
	pushNumber(L, best)
	return 1
}
