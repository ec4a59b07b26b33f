package num

import "math"

// Int64 converts as C compilers for x86-64 do: the fraction is dropped, and what does not fit, NaN too, becomes the
// least integer. (Go leaves that to the machine.)
func Int64(f float64) int64 {
	if f >= -(1<<63) && f < 1<<63 {
		return int64(f)
	}
	return math.MinInt64
}

// Uint64 is the same conversion to an unsigned integer: negative numbers wrap, and what is too large becomes 0.
func Uint64(f float64) uint64 {
	if f >= 1<<63 {
		return uint64(Int64(f-1<<63)) ^ 1<<63
	}
	return uint64(Int64(f))
}
