package geohash

import (
	"math"
	"sync"
)

// The functions of package math may be off by a unit in the last place, others than those of the C library, and
// WITHDIST and STOREDIST would show it. Here results are computed as sums of two doubles, some 15 bits more than are
// kept, and then rounded: they are the nearest double in all but some of 30,000 cases, as those of a good C library
// almost are.

// pair is the sum of two doubles, the second no more than a rounding error of the first.
type pair struct{ hi, lo float64 }

// sum adds two doubles without an error (Knuth).
func sum(a, b float64) pair {
	s := a + b
	t := s - a
	return pair{s, (a - (s - t)) + (b - t)}
}

// product multiplies two doubles without an error.
func product(a, b float64) pair {
	p := a * b
	return pair{p, math.FMA(a, b, -p)}
}

func (a pair) plus(b pair) pair {
	s := sum(a.hi, b.hi)
	return sum(s.hi, s.lo+a.lo+b.lo)
}

func (a pair) times(b pair) pair {
	p := product(a.hi, b.hi)
	return sum(p.hi, p.lo+float64(a.hi*b.lo)+float64(a.lo*b.hi))
}

func (a pair) minus() pair { return pair{-a.hi, -a.lo} }

func (a pair) round() float64 { return a.hi + a.lo }

var piPair = pair{math.Pi, 1.2246467991473532e-16}

// tableStep is the step of the table of sines and cosines, in radians.
const tableStep = 1.0 / 64

// sineCosine is the sine and the cosine of an angle.
type sineCosine struct{ sin, cos pair }

// angleTable has all angles up to π/2 by steps. It is filled when it is first used: each is the one before, rotated by
// a step.
var angleTable = sync.OnceValue(func() *[102]sineCosine {
	table := &[102]sineCosine{{cos: pair{1, 0}}}
	step := smallAngle(tableStep)
	for i := 1; i < len(table); i++ {
		a := table[i-1]
		table[i] = sineCosine{
			sin: a.sin.times(step.cos).plus(a.cos.times(step.sin)),
			cos: a.cos.times(step.cos).plus(a.sin.times(step.sin).minus()),
		}
	}
	return table
})

// smallAngle sums the power series of sine and cosine.
func smallAngle(x float64) sineCosine {
	square := product(x, x)
	sine, cosine, term := pair{}, pair{}, pair{1, 0}
	for n := 0.0; n < 12; n += 2 {
		cosine = cosine.plus(term)
		term = term.over(n + 1)
		sine = sine.plus(term)
		term = term.times(square).over(-n - 2)
	}
	return sineCosine{sine.times(pair{x, 0}), cosine}
}

// over divides by a small whole number.
func (a pair) over(n float64) pair {
	q := a.hi / n
	rest := math.FMA(-q, n, a.hi) + a.lo
	return sum(q, rest/n)
}

// sinPair is the sine of x + tail, for x from 0 to π/2 and a small tail.
func sinPair(x, tail float64) pair {
	i := math.Round(x / tableStep)
	a, d := angleTable()[int(i)], x-i*tableStep
	p := product(a.cos.hi, d)
	s := sum(a.sin.hi, p.hi)
	sinRest, cosRest := remainders(d)
	tail *= a.cos.hi - float64(a.sin.hi*d)
	s.lo += a.sin.lo + (p.lo + float64(a.cos.lo*d) + float64(a.cos.hi*sinRest) + float64(a.sin.hi*cosRest) + tail)
	return s
}

// cosPair is the cosine of x, from 0 to π/2.
func cosPair(x float64) pair {
	i := math.Round(x / tableStep)
	a, d := angleTable()[int(i)], x-i*tableStep
	p := product(-a.sin.hi, d)
	s := sum(a.cos.hi, p.hi)
	sinRest, cosRest := remainders(d)
	s.lo += a.cos.lo + (p.lo - float64(a.sin.lo*d) - float64(a.sin.hi*sinRest) + float64(a.cos.hi*cosRest))
	return s
}

// remainders returns sin(d) - d and cos(d) - 1 of an angle of at most half a step.
func remainders(d float64) (sine, cosine float64) {
	q := d * d
	sine = -d * q * (1.0/6 - q*(1.0/120-q*(1.0/5040-q/362880)))
	cosine = -q * (1.0/2 - q*(1.0/24-q*(1.0/720-q/40320)))
	return sine, cosine
}

// sin returns the sine of an angle from -π to π.
func sin(x float64) float64 {
	y, tail := math.Abs(x), 0.0
	if y > math.Pi/2 {
		rest := sum(piPair.hi, -y)
		y, tail = rest.hi, rest.lo+piPair.lo
	}
	return math.Copysign(sinPair(y, tail).round(), x)
}

// cos returns the cosine of an angle; beyond π/2, which no position in Redis needs, that of package math.
func cos(x float64) float64 {
	x = math.Abs(x)
	switch {
	case x <= 1.5:
		return cosPair(x).round()
	case x <= math.Pi/2: // small, and so the sine of what is left
		rest := sum(piPair.hi/2, -x)
		return sinPair(rest.hi, rest.lo+piPair.lo/2).round()
	}
	return math.Cos(x)
}

// asin is the inverse of sin, for 0 to 1.
func asin(z float64) float64 {
	if !(z <= 1) {
		return math.NaN()
	}
	if z <= tableStep/2 {
		q := z * z
		return z + float64(z*q*(1.0/6+q*(3.0/40+q*(15.0/336+q*105/3456))))
	}
	if z <= 0.5 {
		return asinPair(z, 0).round()
	}
	w := (1 - z) / 2
	root := math.Sqrt(w)
	tail := 0.0
	if root > 0 {
		tail = math.FMA(-root, root, w) / (2 * root)
	}
	half := asinPair(root, tail)
	return sum(piPair.hi/2, -2*half.hi).plus(pair{0, piPair.lo/2 - 2*half.lo}).round()
}

// asinPair improves on an estimate by a step of Newton's method.
func asinPair(z, tail float64) pair {
	y := math.Asin(z)
	s := sinPair(y, 0)
	return sum(y, ((z-s.hi)-(s.lo-tail))/math.Sqrt(1-z*z))
}
