// Package hll implements HyperLogLog in the byte format of Redis' strings.
//
// An element is hashed; 14 bits of the hash choose one of 16384 registers, and the register keeps the longest run of
// zeros that the other 50 bits of a hash begin with, plus one (Flajolet et al., "HyperLogLog"). The registers are kept
// in one of two encodings behind a header of 16 bytes:
//
//	"HYLL"  encoding: 0 dense, 1 sparse  3 unused bytes  8 bytes of cached cardinality, little endian
//
// Dense is 6 bits a register, the lowest bits first. Sparse is a list of runs of equal registers:
//
//	00xxxxxx            x+1 registers that are 0
//	01xxxxxx yyyyyyyy   xy+1 registers that are 0
//	1vvvvvxx            x+1 registers that are v+1
//
// The highest bit of the cached cardinality says that it is out of date. The estimate is Ertl's ("New cardinality
// estimation algorithms for HyperLogLog sketches"). The bytes may come from a client: invalid ones give ErrCorrupt.
package hll
