package lualib

import "math/bits"

// tonumber with a base is the one place where Lua reads integers, by strtoul of the C library, whose long has 64 bits
// on Linux. strconv.ParseUint rejects signs, white space and what does not fit, all of which strtoul accepts.

// scanUnsigned is strtoul: white space, a sign, 0x in base 16, digits. It returns the value and the index behind it, 0
// when there is no digit. A number too large becomes the largest, and a negative one wraps around: -1 is 2^64-1.
func scanUnsigned(s string, base uint64) (n uint64, end int) {
	i := skipSpaces(s, 0)
	negative := i < len(s) && s[i] == '-'
	if i < len(s) && (s[i] == '-' || s[i] == '+') {
		i++
	}
	if base == 16 && len(s) > i+2 && s[i] == '0' && s[i+1]|0x20 == 'x' && isHexDigit(s[i+2]) {
		i += 2
	}
	overflow := false
	for ; i < len(s) && digitValue(s[i]) < base; i++ {
		high, low := bits.Mul64(n, base)
		sum, carry := bits.Add64(low, digitValue(s[i]), 0)
		overflow = overflow || high != 0 || carry != 0
		n, end = sum, i+1
	}
	switch {
	case overflow:
		return ^uint64(0), end
	case negative:
		return -n, end
	}
	return n, end
}

// digitValue returns the value of a digit or letter in bases up to 36, or more than any base allows.
func digitValue(c byte) uint64 {
	switch {
	case isDigit(c):
		return uint64(c - '0')
	case isAlpha(c):
		return uint64(c|0x20-'a') + 10
	}
	return 255
}
