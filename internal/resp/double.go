package resp

import (
	"math"
	"strconv"
)

// DoubleForm is how a double is written.
type DoubleForm bool

// The forms of doubles.
const (
	Digits17 DoubleForm = false // 17 significant digits, as Redis before 7.2
	Shortest DoubleForm = true  // as few digits as tell the double from its neighbors, found by Grisu2
)

// Double is a floating-point reply; RESP2 sends it as a bulk string.
func Double(f float64, form DoubleForm) Value {
	return Value{kind: KindDouble, form: form, num: int64(math.Float64bits(f))}
}

// AppendDouble appends the text of a KindDouble value.
func (v Value) AppendDouble(dst []byte) []byte { return AppendDouble(dst, v.Float(), v.form) }

// AppendDouble writes a double: whole numbers without a point, inf and -inf, and nan; with 17 digits that has the sign
// that scripts can give it.
func AppendDouble(dst []byte, f float64, form DoubleForm) []byte {
	switch {
	case math.IsInf(f, 1):
		return append(dst, "inf"...)
	case math.IsInf(f, -1):
		return append(dst, "-inf"...)
	case math.IsNaN(f) && math.Signbit(f) && form == Digits17:
		return append(dst, "-nan"...)
	case math.IsNaN(f):
		return append(dst, "nan"...)
	case form == Shortest:
		return appendShortest(dst, f)
	case f == math.Trunc(f) && math.Abs(f) < 1e15 && (f != 0 || !math.Signbit(f)):
		return strconv.AppendInt(dst, int64(f), 10)
	}
	return strconv.AppendFloat(dst, f, 'g', 17, 64)
}

// appendShortest writes a whole number of up to 2⁶² as such, and any other by its digits.
func appendShortest(dst []byte, f float64) []byte {
	if f == 0 && math.Signbit(f) {
		return append(dst, "-0"...)
	}
	if f == math.Trunc(f) && math.Abs(f) <= 1<<62 {
		return strconv.AppendInt(dst, int64(f), 10)
	}
	return appendDigits(dst, f)
}

// AppendDigits is AppendDouble, but in the form Shortest whole numbers are written like all others: 1e+17.
func AppendDigits(dst []byte, f float64, form DoubleForm) []byte {
	if f == 0 || math.IsInf(f, 0) || math.IsNaN(f) || form != Shortest {
		return AppendDouble(dst, f, form)
	}
	return appendDigits(dst, f)
}

// appendDigits writes the digits and the exponent of a number: zeros follow the digits if they are few, a point is
// within or before them if the exponent is small, and else it is written out.
func appendDigits(dst []byte, f float64) []byte {
	if f < 0 {
		dst, f = append(dst, '-'), -f
	}
	var buf [maxDigits]byte
	n, last := grisu(&buf, f) // last is the exponent of the last digit, first that of the first one
	digits, first := buf[:n], last+n-1
	switch {
	case last >= 0 && first < len(digits)+7:
		return appendZeros(append(dst, digits...), last)
	case last < 0 && (last > -7 || -4 < first && first < 4):
		return appendDecimal(dst, digits, first)
	}
	dst = append(dst, digits[0])
	if len(digits) > 1 {
		dst = append(append(dst, '.'), digits[1:]...)
	}
	if dst = append(dst, 'e'); first > 0 {
		dst = append(dst, '+')
	}
	return strconv.AppendInt(dst, int64(first), 10)
}

// appendDecimal writes digits with a point, of which the first has the given exponent.
func appendDecimal(dst, digits []byte, first int) []byte {
	if first < 0 {
		return append(appendZeros(append(dst, "0."...), -first-1), digits...)
	}
	return append(append(append(dst, digits[:first+1]...), '.'), digits[first+1:]...)
}

func appendZeros(dst []byte, n int) []byte {
	for range n {
		dst = append(dst, '0')
	}
	return dst
}
