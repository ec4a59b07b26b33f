package num

import (
	"math"
	"math/big"
)

const leastNormal = 0x1p-1022

// tiny is the least magnitude that comes to leastNormal once it is rounded to the 53 digits of a double: what is below
// is subnormal.
var tiny = func() *big.Rat {
	least, step := new(big.Rat).SetFloat64(leastNormal), new(big.Rat).SetFloat64(0x1p-54)
	return least.Sub(least, step.Mul(step, least))
}()

// Underflows reports whether C's strtod sets ERANGE for b, which ParseFinite has read as f: it does where a number is
// too small to be a normal double and the subnormal one is not exactly it (IEEE 754, with tininess detected after
// rounding, as glibc does).
func Underflows(b []byte, f float64) bool {
	if f == 0 || math.Abs(f) > leastNormal {
		return false
	}
	exact, ok := new(big.Rat).SetString(string(b))
	if !ok || exact.Cmp(new(big.Rat).SetFloat64(f)) == 0 {
		return false
	}
	return exact.Abs(exact).Cmp(tiny) < 0
}
