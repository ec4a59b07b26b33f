package hll

import (
	"encoding/binary"
	"errors"
)

// ErrCorrupt means that the runs of a sparse sketch do not match its registers.
var ErrCorrupt = errors.New("hll: corrupt sketch")

const (
	registers    = 1 << indexBits
	registerBits = 6
	registerMax  = 1<<registerBits - 1

	magic      = "HYLL"
	headerSize = 16
	denseSize  = headerSize + registers*registerBits/8

	encodingAt = 4 // positions in the header
	cachedAt   = 8

	dense  = 0
	sparse = 1

	outdated = 1 << 63 // in the cached cardinality
)

// Sketch is the bytes of a HyperLogLog. Methods that change it work in place if possible and return the changed sketch.
// Sketches are not safe for concurrent use.
type Sketch []byte

// New returns a sketch that has seen no element.
func New() Sketch {
	s := make(Sketch, headerSize, headerSize+8)
	copy(s, magic)
	s[encodingAt] = sparse
	return appendRun(s, run{length: registers})
}

// Valid reports whether the bytes begin as a sketch does and, if dense, have the right length. All methods of Sketch
// rely on that.
func Valid(b []byte) bool {
	if len(b) < headerSize || string(b[:len(magic)]) != magic {
		return false
	}
	return b[encodingAt] == sparse || b[encodingAt] == dense && len(b) == denseSize
}

// Dense reports which encoding the sketch has.
func (s Sketch) Dense() bool { return s[encodingAt] == dense }

// Cached is the cardinality that the header holds, and whether it is up to date.
func (s Sketch) Cached() (cardinality uint64, ok bool) {
	cardinality = binary.LittleEndian.Uint64(s[cachedAt:])
	return cardinality, cardinality&outdated == 0
}

// Cache puts the cardinality into the header.
func (s Sketch) Cache(cardinality uint64) { binary.LittleEndian.PutUint64(s[cachedAt:], cardinality) }

// Outdate marks the cached cardinality as out of date.
func (s Sketch) Outdate() { s[cachedAt+7] |= outdated >> 56 }

// Add shows an element to the sketch and reports whether that changed a register. A sparse sketch that would become
// longer than maxSparse bytes turns dense. The caller marks the cache as out of date.
func (s Sketch) Add(element []byte, maxSparse int) (_ Sketch, changed bool, err error) {
	index, count := place(element)
	return s.raise(index, count, maxSparse)
}

// raise gives a register a value if that is higher than what it has.
func (s Sketch) raise(index int, value uint8, maxSparse int) (_ Sketch, changed bool, err error) {
	if s.Dense() {
		return s, s.raiseDense(index, value), nil
	}
	return s.raiseSparse(index, value, maxSparse)
}

// ToDense returns the sketch in its dense encoding.
func (s Sketch) ToDense() (Sketch, error) {
	if s.Dense() {
		return s, nil
	}
	var r Registers
	if err := r.Merge(s); err != nil {
		return s, err
	}
	d := make(Sketch, denseSize)
	copy(d, s[:headerSize])
	d[encodingAt] = dense
	for i, value := range r {
		d.setRegister(i, value)
	}
	return d, nil
}
