package luafront

import "math/bits"

// murmurHash is MurmurHash3 with 32 bits, by which Valkey's Lua hashes strings, with their length as the seed.
func murmurHash(s string, seed uint32) uint32 {
	hash, left := seed, s
	for ; len(left) >= 4; left = left[4:] {
		word := uint32(left[0]) | uint32(left[1])<<8 | uint32(left[2])<<16 | uint32(left[3])<<24
		hash = bits.RotateLeft32(hash^murmurMix(word), 13)*5 + 0xe6546b64
	}
	if len(left) > 0 {
		word := uint32(0)
		for i := range len(left) {
			word |= uint32(left[i]) << (8 * i)
		}
		hash ^= murmurMix(word)
	}
	hash ^= uint32(len(s))
	hash = (hash ^ hash>>16) * 0x85ebca6b
	hash = (hash ^ hash>>13) * 0xc2b2ae35
	return hash ^ hash>>16
}

// murmurMix spreads the bits of four bytes.
func murmurMix(word uint32) uint32 { return bits.RotateLeft32(word*0xcc9e2d51, 15) * 0x1b873593 }
