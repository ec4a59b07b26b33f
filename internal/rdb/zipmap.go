package rdb

// zipmapReader reads a zipmap, what small hashes were before Redis 2.6: the number of its fields, then fields and
// values in turn, each behind its length, a value also behind a byte that says how many unused ones follow it; then an
// end mark.
type zipmapReader struct {
	elements
	value bool // the next element is a value
}

// The first byte of a length in a zipmap: up to zipmapInline it is the length, or four bytes follow.
const (
	zipmapInline = 253
	zipmapBig    = 254
)

// ReadZipmap returns a reader of b, which must not be modified while it is read.
func ReadZipmap(b []byte) Elements {
	z := &zipmapReader{elements: elements{Reader: Reader{rest: b}}}
	z.left = int(z.Byte()) * 2
	if z.left > zipmapInline*2 {
		z.left = unknownCount
	}
	return z
}

// Next implements Elements.
func (z *zipmapReader) Next() []byte {
	size := z.size()
	unused := uint64(0)
	if z.value {
		unused = z.Uint(1)
	}
	text := z.Take(size)
	z.Take(unused)
	z.value = !z.value
	z.counted()
	return text
}

// size reads the length of an element. The byte that would be the end mark is no length.
func (z *zipmapReader) size() uint64 {
	switch first := z.Byte(); {
	case first <= zipmapInline:
		return uint64(first)
	case first == zipmapBig:
		return z.Uint(4)
	}
	z.Fail()
	return 0
}

// Done implements Elements.
func (z *zipmapReader) Done() bool { return z.elements.Done() && !z.value }
