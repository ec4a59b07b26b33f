package num

import (
	"math"
	"math/big"
)

const leastNormal = 0x1p-1022

// tiny is the smallest absolute value that becomes leastNormal when rounded to the 53 bits of a double: smaller ones
// are subnormal.
var tiny = func() *big.Rat {
	least, step := new(big.Rat).SetFloat64(leastNormal), new(big.Rat).SetFloat64(0x1p-54)
	return least.Sub(least, step.Mul(step, least))
}()

// Underflows reports whether strtod of C sets ERANGE for b, which ParseFinite has read as f: the number is too small
// for a normal double, and the subnormal one is not exact (IEEE 754, with tininess detected after rounding, as in
// glibc).
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
