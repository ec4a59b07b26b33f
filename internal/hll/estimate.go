package hll

import "math"

// histogram counts the registers by their values.
type histogram [1 << registerBits]int

// highest is the largest value that a hash can give a register.
const highest = countBits + 1

// estimate is Ertl's improved estimator with the correction of its constant for an unlimited number of registers
// (algorithms 6 to 8 of his paper). Conversions keep compilers from fusing operations, which would round differently.
func (h *histogram) estimate() uint64 {
	const m, alpha = float64(registers), 0.721347520444481703680 // 1 / (2 ln 2)
	z := m * tau((m-float64(h[highest]))/m)
	for k := countBits; k >= 1; k-- {
		z = (z + float64(h[k])) * 0.5
	}
	z += float64(m * sigma(float64(h[0])/m))
	e := math.Round(alpha * m * m / z)
	if e >= 1<<63 { // all registers at their highest: what C makes of infinity, which then counts as out of date
		return 1 << 63
	}
	return uint64(e)
}

// sigma is x + Σ x^(2^k)·2^(k-1), the share of the registers that are 0.
func sigma(x float64) float64 {
	if x == 1 {
		return math.Inf(1)
	}
	y, z := 1.0, x
	for {
		x *= x
		before := z
		z += float64(x * y)
		y += y
		if z == before {
			return z
		}
	}
}

// tau is (1 - x - Σ (1-x^(2^-k))²·2^-k) / 3, the share of the registers that are as high as can be.
func tau(x float64) float64 {
	if x == 0 || x == 1 {
		return 0
	}
	y, z := 1.0, 1-x
	for {
		x = math.Sqrt(x)
		before := z
		y *= 0.5
		z -= float64((1 - x) * (1 - x) * y)
		if z == before {
			return z / 3
		}
	}
}
