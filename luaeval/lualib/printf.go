package lualib

import (
	"math"
	"strconv"
)

// The printf of C for the conversions of string.format. fmt.Sprintf differs in details: it writes +Inf and NaN, and has
// no verbs i and u. The digits come from strconv, which rounds as the C library does.

// conversion is one conversion, such as %-08.3f. The flags are
//
//	minus     -  pad on the right
//	plus      +  a sign before numbers that are not negative
//	space        a space there
//	alternate #  0x, 0X or 0 before x, X and o; a point always, and all digits with g
//	zero      0  pad numbers with zeros
type conversion struct {
	minus, plus, space, alternate, zero bool
	width                               int
	precision                           int // -1: none given
	verb                                byte
}

// appendInteger writes n for the verbs d and i.
func (c *conversion) appendInteger(dst []byte, n int64) []byte {
	var digits [20]byte
	magnitude := uint64(n)
	if n < 0 {
		magnitude = -magnitude
	}
	text := strconv.AppendUint(digits[:0], magnitude, 10)
	return c.appendDigits(dst, c.sign(n < 0), text, n == 0)
}

// appendUnsigned writes n for the verbs o, u, x and X.
func (c *conversion) appendUnsigned(dst []byte, n uint64) []byte {
	var digits [24]byte
	text := strconv.AppendUint(digits[:0], n, c.base())
	prefix := ""
	switch {
	case c.verb == 'X':
		upperBytes(text)
		fallthrough
	case c.verb == 'x':
		if c.alternate && n != 0 {
			prefix = "0" + string(c.verb)
		}
	case c.verb == 'o' && c.alternate && n != 0 && c.precision <= len(text):
		prefix = "0"
	}
	return c.appendDigits(dst, prefix, text, n == 0 && !(c.verb == 'o' && c.alternate))
}

// base returns the base of the digits of an unsigned verb.
func (c *conversion) base() int {
	switch c.verb {
	case 'o':
		return 8
	case 'x', 'X':
		return 16
	}
	return 10
}

// appendDigits writes an integer: the precision is the smallest number of digits, and 0 with it writes nothing for
// zero. Flag 0 has no effect if there is a precision or flag -.
func (c *conversion) appendDigits(dst []byte, prefix string, digits []byte, isZero bool) []byte {
	if isZero && c.precision == 0 {
		digits = digits[:0]
	}
	zeros := max(c.precision-len(digits), 0)
	if c.precision < 0 && c.zero && !c.minus {
		zeros = max(c.width-len(prefix)-len(digits), 0)
	}
	var buffer [128]byte
	body := appendRepeated(append(buffer[:0], prefix...), '0', zeros)
	return c.pad(dst, append(body, digits...))
}

// appendFloat writes f for the verbs e, E, f, g and G. Flag 0 has no effect on inf and nan.
func (c *conversion) appendFloat(dst []byte, f float64) []byte {
	var buffer [512]byte
	if math.IsInf(f, 0) || math.IsNaN(f) {
		body := appendNonFinite(append(buffer[:0], c.sign(false)...), f)
		if math.Signbit(f) { // the sign is there already
			body = appendNonFinite(buffer[:0], f)
		}
		return c.pad(dst, c.inCase(body))
	}
	prefix := c.sign(math.Signbit(f))
	body := append(buffer[:0], prefix...)
	body = c.appendPositive(body, math.Abs(f))
	if zeros := c.width - len(body); zeros > 0 && c.zero && !c.minus {
		padded := appendRepeated([]byte(prefix), '0', zeros)
		body = append(padded, body[len(prefix):]...)
	}
	return c.pad(dst, c.inCase(body))
}

// appendPositive writes a number that is not negative, in lower case. The precision is 6 by default: digits behind the
// point or, with g, significant ones, at least 1.
func (c *conversion) appendPositive(dst []byte, f float64) []byte {
	precision := c.precision
	if precision < 0 {
		precision = 6
	}
	switch c.verb {
	case 'e', 'E':
		return c.addPoint(strconv.AppendFloat(dst, f, 'e', precision, 64), len(dst), precision)
	case 'f':
		return c.addPoint(strconv.AppendFloat(dst, f, 'f', precision, 64), len(dst), precision)
	}
	precision = max(precision, 1)
	if !c.alternate {
		return strconv.AppendFloat(dst, f, 'g', precision, 64)
	}
	return c.appendAlternate(dst, f, precision)
}

// appendAlternate writes %#g: as %g, but all digits of the precision stay. The exponent decides about the form once the
// number is rounded, so it is written with e first.
func (c *conversion) appendAlternate(dst []byte, f float64, precision int) []byte {
	start := len(dst)
	dst = strconv.AppendFloat(dst, f, 'e', precision-1, 64)
	exponent := exponentOf(dst[start:])
	if exponent < -4 || exponent >= precision {
		return c.addPoint(dst, start, precision-1)
	}
	decimals := precision - 1 - exponent
	return c.addPoint(strconv.AppendFloat(dst[:start], f, 'f', decimals, 64), start, decimals)
}

// exponentOf reads the exponent of a number written with e.
func exponentOf(text []byte) int {
	for i := len(text) - 1; i >= 0; i-- {
		if text[i] == 'e' {
			n, _ := strconv.Atoi(string(text[i+1:]))
			return n
		}
	}
	return 0
}

// addPoint adds the point of flag # to a number without decimals, which begins at start and may have an exponent.
func (c *conversion) addPoint(text []byte, start, precision int) []byte {
	if !c.alternate || precision > 0 {
		return text
	}
	at := start
	for at < len(text) && text[at] != 'e' {
		at++
	}
	text = append(text, 0)
	copy(text[at+1:], text[at:])
	text[at] = '.'
	return text
}

// appendString writes s for the verbs s and c: the precision is the largest length.
func (c *conversion) appendString(dst []byte, s string) []byte {
	if c.precision >= 0 && len(s) > c.precision {
		s = s[:c.precision]
	}
	missing := c.width - len(s)
	if !c.minus {
		dst = appendRepeated(dst, ' ', missing)
	}
	dst = append(dst, s...)
	if c.minus {
		dst = appendRepeated(dst, ' ', missing)
	}
	return dst
}

// sign returns what comes before a number: - always, + or a space by the flags. + takes precedence.
func (c *conversion) sign(negative bool) string {
	switch {
	case negative:
		return "-"
	case c.plus:
		return "+"
	case c.space:
		return " "
	}
	return ""
}

// inCase returns the text in upper case if the verb is in upper case: E, G and X.
func (c *conversion) inCase(text []byte) []byte {
	if isUpper(c.verb) {
		upperBytes(text)
	}
	return text
}

// pad pads the body to the width with spaces.
func (c *conversion) pad(dst, body []byte) []byte {
	missing := c.width - len(body)
	if c.minus {
		return appendRepeated(append(dst, body...), ' ', missing)
	}
	return append(appendRepeated(dst, ' ', missing), body...)
}

// appendRepeated appends c n times; not at all if n is negative.
func appendRepeated(dst []byte, c byte, n int) []byte {
	for range n {
		dst = append(dst, c)
	}
	return dst
}

// upperBytes converts the letters of text to upper case, in place.
func upperBytes(text []byte) {
	for i, c := range text {
		text[i] = toUpper(c)
	}
}
