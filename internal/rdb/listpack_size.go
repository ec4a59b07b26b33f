package rdb

import "github.com/minilockd/minilockd/internal/num"

// ListpackInt is how many bytes an integer takes in a listpack.
func ListpackInt(n int64) int {
	switch {
	case 0 <= n && n < 1<<7:
		return 2
	case -lpMaxInt-1 <= n && n <= lpMaxInt:
		return 3
	case n == int64(int16(n)):
		return 4
	case -1<<23 <= n && n < 1<<23:
		return 5
	case n == int64(int32(n)):
		return 6
	}
	return 10
}

// ListpackString is how many bytes a string takes in a listpack, which keeps the digits of an integer as such.
func ListpackString(b []byte) int {
	if n, ok := num.ParseInt(b); ok {
		return ListpackInt(n)
	}
	size := len(b)
	switch {
	case size < 1<<6:
		size++
	case size < 1<<12:
		size += 2
	default:
		size += 5
	}
	return size + backSize(size)
}
