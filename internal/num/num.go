// Package num reads and converts numbers as Redis does, where Go's strconv and conversions differ: which forms of a
// number are valid, and what becomes of one that is out of range.
package num

import "math"

// ParseInt reads a 64-bit integer in the only form that Redis prints it: decimal digits without leading zeros, blanks
// or a plus sign. (string2ll; "value is not an integer or out of range".)
func ParseInt(b []byte) (n int64, ok bool) {
	digits := b
	if len(digits) > 0 && digits[0] == '-' {
		digits = digits[1:]
	}
	if len(digits) == 0 || len(digits) > 19 || digits[0] == '0' && len(b) > 1 {
		return 0, false
	}
	var u uint64
	for _, d := range digits {
		if d < '0' || d > '9' {
			return 0, false
		}
		u = u*10 + uint64(d-'0')
	}
	if len(digits) < len(b) {
		return -int64(u), u <= -math.MinInt64
	}
	return int64(u), u <= math.MaxInt64
}
