package num

import (
	"bytes"
	"errors"
	"math"
	"strconv"
)

// ParseFloat reads a double as strtod of C, which must use the whole argument: decimal, hexadecimal, or an infinity,
// but not NaN. A number out of range is infinite or 0.
func ParseFloat(b []byte) (f float64, ok bool) {
	if len(b) == 0 || bytes.IndexByte(b, '_') >= 0 {
		return 0, false
	}
	f, err := strconv.ParseFloat(string(b), 64)
	if err != nil && !errors.Is(err, strconv.ErrRange) && IsHex(b) {
		f, err = strconv.ParseFloat(string(b)+"p0", 64) // C needs no exponent behind a hexadecimal number
	}
	if err != nil && !errors.Is(err, strconv.ErrRange) || math.IsNaN(f) {
		return 0, false
	}
	return f, true
}

// ParseFinite is ParseFloat for numbers that must not be out of range; the word "inf" may be. (getDoubleFromObject;
// "value is not a valid float".)
func ParseFinite(b []byte) (f float64, ok bool) {
	f, ok = ParseFloat(b)
	switch {
	case !ok:
		return 0, false
	case math.IsInf(f, 0) && !bytes.ContainsAny(b, "nN"): // too large, and not the word
		return 0, false
	case f == 0 && !isZero(b): // too small
		return 0, false
	}
	return f, true
}

// IsHex reports whether a number is hexadecimal.
func IsHex(b []byte) bool {
	b = bytes.TrimLeft(b, "+-")
	return len(b) > 2 && b[0] == '0' && b[1]|0x20 == 'x'
}

// isZero reports whether all digits of a number before its exponent are 0.
func isZero(b []byte) bool {
	exponent, digits := "eE", "123456789"
	if IsHex(b) {
		exponent, digits = "pP", "123456789abcdefABCDEF"
	}
	if i := bytes.IndexAny(b, exponent); i >= 0 {
		b = b[:i]
	}
	return !bytes.ContainsAny(b, digits)
}

// TrimBlanks returns b without the blanks before it that strtod and strtoul of C skip.
func TrimBlanks(b []byte) []byte { return bytes.TrimLeft(b, " \t\n\v\f\r") }
