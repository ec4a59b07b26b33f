package hll

import (
	"encoding/binary"
	"math/bits"
)

const (
	indexBits = 14
	countBits = 64 - indexBits

	seed = 0xadc83b19 // of all hashes of HyperLogLogs in Redis
)

// place is the register of an element and the value that the element gives it if that is higher, 1 to 51.
func place(element []byte) (index int, count uint8) {
	h := murmur64A(element, seed)
	rest := h>>indexBits | 1<<countBits // the bit ends the run of zeros
	return int(h & (registers - 1)), uint8(bits.TrailingZeros64(rest) + 1)
}

// murmur64A is Austin Appleby's MurmurHash2 for 64 bits, in little endian.
func murmur64A(data []byte, seed uint64) uint64 {
	const (
		m = 0xc6a4a7935bd1e995
		r = 47
	)
	h := seed ^ uint64(len(data))*m
	for ; len(data) >= 8; data = data[8:] {
		k := binary.LittleEndian.Uint64(data) * m
		k ^= k >> r
		h = (h ^ k*m) * m
	}
	if len(data) > 0 {
		var tail [8]byte
		copy(tail[:], data)
		h = (h ^ binary.LittleEndian.Uint64(tail[:])) * m
	}
	h = (h ^ h>>r) * m
	return h ^ h>>r
}
