package rdb

import (
	"encoding/binary"
	"math"
)

// AppendIntset writes sorted integers as an intset: the bytes each takes, their number, and the integers.
func AppendIntset(b []byte, numbers []int64) []byte {
	size := intSize(numbers)
	b = binary.LittleEndian.AppendUint32(b, uint32(size))
	b = binary.LittleEndian.AppendUint32(b, uint32(len(numbers)))
	for _, n := range numbers {
		for i := range size {
			b = append(b, byte(n>>(8*i)))
		}
	}
	return b
}

// intSize returns the number of bytes for the largest of sorted integers.
func intSize(numbers []int64) int {
	if len(numbers) == 0 {
		return 2
	}
	first, last := numbers[0], numbers[len(numbers)-1]
	switch {
	case first >= math.MinInt16 && last <= math.MaxInt16:
		return 2
	case first >= math.MinInt32 && last <= math.MaxInt32:
		return 4
	}
	return 8
}

// EachInIntset calls f for the integers of an intset and reports whether it was valid: its size is right and they are
// sorted.
func EachInIntset(b []byte, f func(n int64)) bool {
	r := NewReader(b)
	size, count := r.Uint(4), r.Uint(4)
	if size != 2 && size != 4 && size != 8 || uint64(len(r.rest)) != size*count {
		return false
	}
	for i, last := uint64(0), int64(0); i < count; i++ {
		n := r.Int(size)
		if i > 0 && n <= last {
			return false
		}
		f(n)
		last = n
	}
	return true
}
