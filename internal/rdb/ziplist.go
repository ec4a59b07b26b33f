package rdb

import "strconv"

// A ziplist is what Redis used before listpacks, until Redis 7: its size in bytes, the offset of its last entry, and
// the number of its entries, then the entries: the size of the entry before, the kind, and the bytes; then an end mark.
const (
	ziplistHeader = 4 + 4 + 2

	zlStr6    = 0x00
	zlStr14   = 0x40
	zlStr32   = 0x80
	zlInt16   = 0xc0
	zlInt32   = 0xd0
	zlInt64   = 0xe0
	zlInt24   = 0xf0
	zlInt8    = 0xfe
	zlTiny    = 0xf1 // stands for 0, those behind it up to zlTinyMax for 1 to 12
	zlTinyMax = 0xfd

	bigPrevious = 0xfe // the size of the entry before is in the four bytes that follow
)

// ziplistReader reads a ziplist.
type ziplistReader struct {
	elements
	previous int // size of the entry before
	start    int // where the last entry that was read begins, from the first one on
	at       int // where the next one begins
	tail     int // where the header says that the last one begins
}

// ReadZiplist returns a reader of b, which must not be modified while it is read.
func ReadZiplist(b []byte) Elements {
	z := &ziplistReader{elements: elements{Reader: Reader{rest: b}}}
	size, tail := z.Uint(4), z.Uint(4)
	z.left = int(z.Uint(2))
	if size != uint64(len(b)) {
		z.Fail()
	}
	z.tail = int(tail) - ziplistHeader
	return z
}

// Next implements Elements.
func (z *ziplistReader) Next() []byte {
	before := len(z.rest)
	if z.previousSize() != z.previous {
		z.Fail()
	}
	text := z.content()
	z.counted()
	z.previous = before - len(z.rest)
	z.start, z.at = z.at, z.at+z.previous
	return text
}

func (z *ziplistReader) previousSize() int {
	size := z.Byte()
	if size == bigPrevious {
		return int(z.Uint(4))
	}
	return int(size)
}

func (z *ziplistReader) content() []byte {
	switch kind := z.Byte(); {
	case kind < zlStr14:
		return z.Take(uint64(kind))
	case kind < zlStr32:
		return z.Take(uint64(kind&^zlStr14)<<8 | uint64(z.Byte()))
	case kind < zlInt16:
		return z.Take(z.Uint(1)<<24 | z.Uint(1)<<16 | z.Uint(1)<<8 | z.Uint(1))
	default:
		return strconv.AppendInt(nil, z.integer(kind), 10)
	}
}

func (z *ziplistReader) integer(kind byte) int64 {
	switch {
	case kind == zlInt8:
		return z.Int(1)
	case kind == zlInt16:
		return z.Int(2)
	case kind == zlInt24:
		return z.Int(3)
	case kind == zlInt32:
		return z.Int(4)
	case kind == zlInt64:
		return z.Int(8)
	case zlTiny <= kind && kind <= zlTinyMax:
		return int64(kind - zlTiny)
	}
	z.Fail()
	return 0
}

// Done implements Elements. The offset of the last entry in the header must be right, too: Redis reads lists from
// behind.
func (z *ziplistReader) Done() bool { return z.elements.Done() && z.tail == z.start }
