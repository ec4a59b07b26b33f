package resp

import (
	"math"
	"math/big"
	"math/bits"
	"sync"
)

// Redis since 7.2 and Valkey write doubles by Grisu2 (F. Loitsch, "Printing Floating-Point Numbers Quickly and
// Accurately with Integers", 2010). Of a thousand doubles it gives one some other digits than the shortest ones, which
// strconv finds; they tell the double from its neighbors all the same.

// diy is a floating-point number with 64 bits of mantissa: f·2ᵉ.
type diy struct {
	f uint64
	e int
}

// normalized has the highest bit of the mantissa set.
func (d diy) normalized() diy {
	n := bits.LeadingZeros64(d.f)
	return diy{d.f << n, d.e - n}
}

// times is the product, rounded.
func (d diy) times(o diy) diy {
	high, low := bits.Mul64(d.f, o.f)
	return diy{high + low>>63, d.e + o.e + 64}
}

// The powers of ten that are at hand, every eighth. Their mantissas have all 64 bits.
const (
	firstPower = -348
	powerStep  = 8
	powerCount = 87
)

var powersOfTen = sync.OnceValue(func() *[powerCount]diy {
	var powers [powerCount]diy
	for i := range powers {
		powers[i] = powerOfTen(firstPower + i*powerStep)
	}
	return &powers
})

// powerOfTen is 10ⁿ, rounded to the nearest.
func powerOfTen(n int) diy {
	const precision = 1300 // 10³⁴⁸ has 1157 bits
	ten := new(big.Float).SetPrec(precision).SetInt(new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(max(n, -n))), nil))
	if n < 0 {
		ten.Quo(big.NewFloat(1).SetPrec(precision), ten)
	}
	mantissa := new(big.Float)
	exponent := new(big.Float).SetPrec(64).Set(ten).MantExp(mantissa)
	f, _ := mantissa.SetMantExp(mantissa, 64).Uint64()
	return diy{f, exponent - 64}
}

// scaled returns the power of ten 10ᵏ that brings a number of binary exponent e to one from -60 to -32.
func scaled(e int) (power diy, k int) {
	powers := powersOfTen()
	i := int((-float64(e+powerCount)*math.Log10(2) - firstPower) / powerStep)
	for {
		switch result := e + powers[i].e + 64; {
		case result < -60:
			i++
		case result > -32:
			i--
		default:
			return powers[i], firstPower + i*powerStep
		}
	}
}

// maxDigits is the largest number of digits of a double, with one to spare.
const maxDigits = 18

// grisu writes the digits of a positive double to buf and returns their number. They are those of an integer that is to
// be multiplied by 10ᵉ.
func grisu(buf *[maxDigits]byte, v float64) (n, e int) {
	const hidden = 1 << 52
	w := diy{math.Float64bits(v) & (hidden - 1), -1074}
	if biased := int(math.Float64bits(v) >> 52 & 0x7FF); biased != 0 {
		w = diy{w.f | hidden, biased - 1075}
	}
	upper := diy{w.f<<1 + 1, w.e - 1}.normalized() // halfway to the neighbors
	lower := diy{w.f<<1 - 1, w.e - 1}
	if w.f == hidden {
		lower = diy{w.f<<2 - 1, w.e - 2}
	}
	lower = diy{lower.f << (lower.e - upper.e), upper.e}
	power, k := scaled(upper.e)
	upper, lower, w = upper.times(power), lower.times(power), w.normalized().times(power)
	upper.f-- // the products may be wrong by one
	lower.f++
	g := digitGenerator{digits: buf, shift: -upper.e, delta: upper.f - lower.f, toValue: upper.f - w.f}
	e = -k + g.run(upper.f)
	return g.n, e
}

// digitGenerator makes the digits of the upper limit from the first one on, until what is left is within delta.
type digitGenerator struct {
	digits  *[maxDigits]byte
	n       int    // of digits
	shift   int    // numbers are fixed-point, with so many bits behind the point
	delta   uint64 // from the upper limit down to the lower one
	toValue uint64 // from the upper limit down to the value
}

// run returns the exponent of ten of the last digit.
func (g *digitGenerator) run(upper uint64) (exponent int) {
	one := uint64(1) << g.shift
	whole, fraction := upper>>g.shift, upper&(one-1)
	exponent = 10
	for unit := uint64(1e9); unit > 0; unit /= 10 {
		g.add(whole / unit)
		whole %= unit
		exponent--
		if rest := whole<<g.shift + fraction; rest <= g.delta {
			g.round(rest, unit<<g.shift)
			return exponent
		}
	}
	for {
		fraction, g.delta, g.toValue = fraction*10, g.delta*10, g.toValue*10
		g.add(fraction >> g.shift)
		fraction &= one - 1
		exponent--
		if fraction < g.delta {
			g.round(fraction, one)
			return exponent
		}
	}
}

// add appends a digit, unless it is a leading zero.
func (g *digitGenerator) add(digit uint64) {
	if digit != 0 || g.n > 0 {
		g.digits[g.n] = byte('0' + digit)
		g.n++
	}
}

// round makes the last digit smaller while that comes closer to the value. unit is what it counts, rest what is left.
func (g *digitGenerator) round(rest, unit uint64) {
	for rest < g.toValue && g.delta-rest >= unit &&
		(rest+unit < g.toValue || g.toValue-rest > rest+unit-g.toValue) {
		g.digits[g.n-1]--
		rest += unit
	}
}
