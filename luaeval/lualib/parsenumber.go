package lualib

import (
	"math"
	"strconv"
	"strings"
)

// strconv.ParseFloat is not strtod: it knows underscores, wants an exponent in hexadecimal numbers, and reads the whole
// text or nothing. So the limits of a number are found here, and only what is between them is given to it.

// exactDigits is how many decimal digits always fit a float64 without rounding.
const exactDigits = 15

// ParseNumber reads s as Lua 5.1 does when a string stands for a number (strtod of C): decimal, hexadecimal, inf and
// nan, with white space around. A NUL ends the text, as it ends a C string. Numbers that are too large become infinite.
func ParseNumber(s string) (float64, bool) {
	if f, ok := parseDigits(s); ok {
		return f, true
	}
	s = cString(s)
	f, n := scanNumber(s)
	if n == 0 || skipSpaces(s, n) != len(s) {
		return 0, false
	}
	return f, true
}

// parseDigits is the fast path: nothing but so few digits that they fit a float64.
func parseDigits(s string) (float64, bool) {
	if len(s) == 0 || len(s) > exactDigits {
		return 0, false
	}
	n := 0
	for i := range len(s) {
		digit := s[i] - '0'
		if digit > 9 {
			return 0, false
		}
		n = n*10 + int(digit)
	}
	return float64(n), true
}

// cString returns s up to its first NUL: what C sees of it.
func cString(s string) string {
	if i := strings.IndexByte(s, 0); i >= 0 {
		return s[:i]
	}
	return s
}

// scanNumber is strtod: it reads the longest number at the start of s, after white space, and returns its value and the
// index behind it, 0 when there is none.
func scanNumber(s string) (f float64, end int) {
	start := skipSpaces(s, 0)
	i := start
	if i < len(s) && (s[i] == '-' || s[i] == '+') {
		i++
	}
	negative := i > start && s[start] == '-'
	if f, end = scanDecimal(s, i); end <= i+1 { // nothing, or the 0 of 0x
		if special, specialEnd := scanWord(s, i); specialEnd > 0 {
			f, end = special, specialEnd
		}
	}
	if negative {
		f = math.Copysign(f, -1)
	}
	return f, end
}

// scanWord reads the numbers that are not decimal: inf, infinity, nan and nan(letters) in either case, and hexadecimal.
func scanWord(s string, i int) (float64, int) {
	switch {
	case hasFold(s[i:], "0x"):
		return scanHex(s, i)
	case hasFold(s[i:], "infinity"):
		return math.Inf(1), i + len("infinity")
	case hasFold(s[i:], "inf"):
		return math.Inf(1), i + len("inf")
	case hasFold(s[i:], "nan"):
		return positiveNaN, skipPayload(s, i+len("nan"))
	}
	return 0, 0
}

// positiveNaN is the NaN of strtod("nan"); math.NaN has other bits.
var positiveNaN = math.Float64frombits(0x7ff8 << 48)

// hasFold is strings.HasPrefix without regard to case.
func hasFold(s, prefix string) bool {
	return len(s) >= len(prefix) && strings.EqualFold(s[:len(prefix)], prefix)
}

// skipPayload skips the "(letters)" that may follow nan. They are not a part of the number unless the parenthesis is
// closed.
func skipPayload(s string, i int) int {
	if i == len(s) || s[i] != '(' {
		return i
	}
	for j := i + 1; j < len(s); j++ {
		if s[j] == ')' {
			return j + 1
		}
		if !isAlnum(s[j]) && s[j] != '_' {
			break
		}
	}
	return i
}

// scanHex reads what begins with 0x: hexadecimal digits with an optional point, and an optional power of two after p.
func scanHex(s string, i int) (float64, int) {
	end, digits := scanMantissa(s, i+2, isHexDigit)
	if digits == 0 {
		return 0, 0
	}
	mantissa := end
	end = scanExponent(s, end, 'p')
	text := s[i:end]
	if end == mantissa {
		text += "p0" // which Go requires
	}
	f, _ := strconv.ParseFloat(text, 64) // out of range: infinite, as in C
	return f, end
}

// scanDecimal reads digits with an optional point, and an optional power of ten after e.
func scanDecimal(s string, i int) (float64, int) {
	end, digits := scanMantissa(s, i, isDigit)
	if digits == 0 {
		return 0, 0
	}
	end = scanExponent(s, end, 'e')
	if f, ok := parseDigits(s[i:end]); ok {
		return f, end
	}
	f, _ := strconv.ParseFloat(s[i:end], 64) // out of range: infinite, as in C
	return f, end
}

// scanMantissa skips digits with at most one point among them and counts the digits.
func scanMantissa(s string, i int, isDigit func(byte) bool) (end, digits int) {
	point := false
	for ; i < len(s); i++ {
		switch {
		case isDigit(s[i]):
			digits++
		case s[i] == '.' && !point:
			point = true
		default:
			return i, digits
		}
	}
	return i, digits
}

// scanExponent skips an exponent if it is complete; else the number ends before it.
func scanExponent(s string, i int, mark byte) int {
	if i == len(s) || s[i]|0x20 != mark {
		return i
	}
	j := i + 1
	if j < len(s) && (s[j] == '-' || s[j] == '+') {
		j++
	}
	first := j
	for j < len(s) && isDigit(s[j]) {
		j++
	}
	if j == first {
		return i
	}
	return j
}

// skipSpaces returns the index of the first byte from i on that is no white space.
func skipSpaces(s string, i int) int {
	for i < len(s) && isSpace(s[i]) {
		i++
	}
	return i
}
