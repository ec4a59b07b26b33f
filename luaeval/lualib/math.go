package lualib

import (
	"math"

	lua "github.com/yuin/gopher-lua"
)

func (l *library) newMath(L *lua.LState) *lua.LTable {
	module := newModule(L, []function{
		{"abs", ofOne(math.Abs)}, {"acos", ofOne(math.Acos)}, {"asin", ofOne(math.Asin)}, {"atan", ofOne(math.Atan)},
		{"atan2", ofTwo(math.Atan2)}, {"ceil", ofOne(math.Ceil)}, {"cos", ofOne(math.Cos)}, {"cosh", ofOne(math.Cosh)},
		{"deg", ofOne(degrees)}, {"exp", ofOne(math.Exp)}, {"floor", ofOne(math.Floor)}, {"fmod", ofTwo(math.Mod)},
		{"frexp", frexp}, {"ldexp", ldexp}, {"log", ofOne(math.Log)}, {"log10", ofOne(log10)}, {"max", greatest},
		{"min", least}, {"mod", ofTwo(math.Mod)}, {"modf", modf}, {"pow", ofTwo(math.Pow)}, {"rad", ofOne(radians)},
		{"random", l.random}, {"randomseed", l.randomSeed}, {"sin", ofOne(math.Sin)}, {"sinh", ofOne(math.Sinh)},
		{"sqrt", ofOne(math.Sqrt)}, {"tan", ofOne(math.Tan)}, {"tanh", ofOne(math.Tanh)},
	})
	module.RawSetString("huge", lua.LNumber(math.Inf(1)))
	module.RawSetString("pi", lua.LNumber(math.Pi))
	return module
}

func ofOne(f func(float64) float64) lua.LGFunction {
	return func(L *lua.LState) int {
		pushNumber(L, f(checkNumber(L, 1)))
		return 1
	}
}

func ofTwo(f func(x, y float64) float64) lua.LGFunction {
	return func(L *lua.LState) int {
		x := checkNumber(L, 1)
		pushNumber(L, f(x, checkNumber(L, 2)))
		return 1
	}
}

const radiansPerDegree = float64(math.Pi) / 180

func degrees(x float64) float64 { return x / radiansPerDegree }

func radians(x float64) float64 { return x * radiansPerDegree }

// log10 is exact for powers of ten, as C's is and Go's is not.
func log10(x float64) float64 {
	result := math.Log10(x)
	if n := math.Round(result); math.Abs(result-n) < 1e-9 && math.Pow10(int(n)) == x {
		return n
	}
	return result
}

func frexp(L *lua.LState) int {
	fraction, exponent := math.Frexp(checkNumber(L, 1))
	pushNumber(L, fraction)
	pushInt(L, exponent)
	return 2
}

func ldexp(L *lua.LState) int {
	x := checkNumber(L, 1)
	pushNumber(L, math.Ldexp(x, checkInt(L, 2)))
	return 1
}

// modf keeps C's signs: -3 has the fraction -0, and an infinity has a zero.
func modf(L *lua.LState) int {
	x := checkNumber(L, 1)
	whole, fraction := math.Trunc(x), 0.0
	if !math.IsInf(x, 0) {
		fraction = x - whole
	}
	pushNumber(L, whole)
	pushNumber(L, math.Copysign(fraction, x))
	return 2
}

func greatest(L *lua.LState) int {
	return pick(L, func(f, best float64) bool { return f > best })
}

func least(L *lua.LState) int {
	return pick(L, func(f, best float64) bool { return f < best })
}

// pick pushes the best of the arguments. Comparing as C does lets a NaN win only as the first.
func pick(L *lua.LState, better func(f, best float64) bool) int {
	best := checkNumber(L, 1)
	for i := 2; i <= L.GetTop(); i++ {
		if f := checkNumber(L, i); better(f, best) {
			best = f
		}
	}
	pushNumber(L, best)
	return 1
}
