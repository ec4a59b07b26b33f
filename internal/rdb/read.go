package rdb

import (
	"encoding/binary"
	"math"
	"strconv"
)

// Reader reads a part of an RDB file, from its start. After the first error it stays failed and returns zero values.
type Reader struct {
	rest   []byte
	failed bool
}

// NewReader returns a reader of b, which must not be modified: most strings are slices of it.
func NewReader(b []byte) *Reader { return &Reader{rest: b} }

// Failed reports whether something was wrong.
func (r *Reader) Failed() bool { return r.failed }

// Fail makes the reader fail, for a caller to whom what it has read makes no sense.
func (r *Reader) Fail() { r.rest, r.failed = nil, true }

// More reports whether something is left to read.
func (r *Reader) More() bool { return len(r.rest) > 0 }

// Left is how many bytes are left to read.
func (r *Reader) Left() int { return len(r.rest) }

// Take takes n bytes.
func (r *Reader) Take(n uint64) []byte {
	if n > uint64(len(r.rest)) {
		r.Fail()
		return nil
	}
	taken := r.rest[:n:n]
	r.rest = r.rest[n:]
	return taken
}

// Byte takes one byte.
func (r *Reader) Byte() byte {
	if b := r.Take(1); b != nil {
		return b[0]
	}
	return 0
}

// Uint takes an integer of size bytes, up to eight, the lowest first.
func (r *Reader) Uint(size uint64) (n uint64) {
	for i, b := range r.Take(size) {
		n |= uint64(b) << (8 * i)
	}
	return n
}

// Int is Uint with a sign.
func (r *Reader) Int(size uint64) int64 {
	unused := 64 - 8*size
	return int64(r.Uint(size)<<unused) >> unused
}

// Double takes a double of eight bytes.
func (r *Reader) Double() float64 { return math.Float64frombits(r.Uint(8)) }

// The lengths of doubles as text that are none: they stand for what has no digits.
const (
	textNaN     = 253
	textInf     = 254
	textMinusIn = 255
)

// TextDouble takes a double that is written as text behind a byte with its length, as old sorted sets have it.
func (r *Reader) TextDouble() float64 {
	switch size := r.Byte(); size {
	case textNaN:
		return math.NaN()
	case textInf:
		return math.Inf(1)
	case textMinusIn:
		return math.Inf(-1)
	default:
		return r.parseDouble(r.Take(uint64(size)))
	}
}

func (r *Reader) parseDouble(text []byte) float64 {
	f, err := strconv.ParseFloat(string(text), 64)
	if err != nil {
		r.Fail()
	}
	return f
}

// Length takes a length, or another number that is written like one.
func (r *Reader) Length() uint64 {
	first := r.Byte()
	switch {
	case first <= maxInline:
		return uint64(first)
	case first < len32:
		return uint64(first&^len14)<<8 | uint64(r.Byte())
	case first == len32:
		if b := r.Take(4); b != nil {
			return uint64(binary.BigEndian.Uint32(b))
		}
	case first == len64:
		if b := r.Take(8); b != nil {
			return binary.BigEndian.Uint64(b)
		}
	}
	r.Fail()
	return 0
}

// Count is Length for the number of things that follow, each of which takes at least one byte: a number that can't be
// true fails at once.
func (r *Reader) Count() int {
	n := r.Length()
	if n > uint64(len(r.rest)) {
		r.Fail()
		return 0
	}
	return int(n)
}

// String takes a string in any of its forms. It must not be modified.
func (r *Reader) String() []byte {
	if len(r.rest) == 0 {
		r.Fail()
		return nil
	}
	switch kind := r.rest[0]; kind {
	case asInt8, asInt16, asInt32:
		r.rest = r.rest[1:]
		n := r.Int(1 << (kind - asInt8))
		return strconv.AppendInt(nil, n, 10)
	case asLZF:
		r.rest = r.rest[1:]
		return r.unpacked()
	}
	return r.Take(r.Length())
}

// maxString is the longest string there can be (proto-max-bulk-len), in bytes.
const maxString = 512 << 20

// unpacked takes a compressed string: its length, the length of its text, and the data.
func (r *Reader) unpacked() []byte {
	packed, plain := r.Length(), r.Length()
	data := r.Take(packed)
	if r.failed || plain > maxString {
		r.Fail()
		return nil
	}
	text, ok := decompressLZF(data, int(plain))
	if !ok {
		r.Fail()
	}
	return text
}
