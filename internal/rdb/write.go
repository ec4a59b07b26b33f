package rdb

import (
	"encoding/binary"
	"math"

	"github.com/minilockd/minilockd/internal/num"
)

// The first byte of a length says how it goes on: by its two leading bits, or as a whole.
const (
	len14     = 0x40 // six bits more here, eight in the next byte
	len32     = 0x80 // four bytes follow
	len64     = 0x81 // eight bytes follow
	encoded   = 0xc0 // no length, but a string in one of the forms below
	asInt8    = encoded
	asInt16   = encoded + 1
	asInt32   = encoded + 2
	asLZF     = encoded + 3
	maxInline = 1<<6 - 1
	max14     = 1<<14 - 1
)

// AppendLength writes a length, or any other number that is mostly small.
func AppendLength(b []byte, n uint64) []byte {
	switch {
	case n <= maxInline:
		return append(b, byte(n))
	case n <= max14:
		return append(b, len14|byte(n>>8), byte(n))
	case n <= math.MaxUint32:
		return binary.BigEndian.AppendUint32(append(b, len32), uint32(n))
	}
	return binary.BigEndian.AppendUint64(append(b, len64), n)
}

// Strings up to maxDigits bytes are tried as an integer, those longer than minPacked are tried compressed, as
// redis-server does with rdbcompression.
const (
	maxDigits = 11
	minPacked = 20
)

// AppendString writes a string in its shortest form.
func AppendString(b, s []byte) []byte {
	if len(s) <= maxDigits {
		if n, ok := num.ParseInt(s); ok && n >= math.MinInt32 && n <= math.MaxInt32 {
			return appendInt(b, n)
		}
	}
	if len(s) > minPacked {
		if packed := compressLZF(s); packed != nil {
			b = AppendLength(append(b, asLZF), uint64(len(packed)))
			return append(AppendLength(b, uint64(len(s))), packed...)
		}
	}
	return AppendPlain(b, s)
}

// AppendPlain writes a string as it is.
func AppendPlain(b, s []byte) []byte { return append(AppendLength(b, uint64(len(s))), s...) }

// appendInt writes a string as the integer whose digits it is.
func appendInt(b []byte, n int64) []byte {
	switch {
	case n == int64(int8(n)):
		return append(b, asInt8, byte(n))
	case n == int64(int16(n)):
		return binary.LittleEndian.AppendUint16(append(b, asInt16), uint16(n))
	}
	return binary.LittleEndian.AppendUint32(append(b, asInt32), uint32(n))
}

// AppendDouble writes a double in eight bytes.
func AppendDouble(b []byte, f float64) []byte {
	return binary.LittleEndian.AppendUint64(b, math.Float64bits(f))
}

// AppendMs writes a time in ms since the epoch in eight bytes.
func AppendMs(b []byte, ms int64) []byte { return binary.LittleEndian.AppendUint64(b, uint64(ms)) }
