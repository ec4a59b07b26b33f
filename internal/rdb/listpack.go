package rdb

import (
	"encoding/binary"
	"strconv"

	"github.com/minilockd/minilockd/internal/num"
)

// A listpack is its size in bytes (four) and the number of its elements (two), the elements, and an end mark. An
// element is its kind with its length or value, its bytes, and the size of these two, so that it can be read from
// behind.
const (
	listpackHeader = 4 + 2

	lpUint7  = 0x00 // and the value
	lpStr6   = 0x80 // and the length
	lpInt13  = 0xc0 // and five bits of the value, the others follow
	lpStr12  = 0xe0 // and four bits of the length, the others follow
	lpStr32  = 0xf0 // four bytes of length follow
	lpInt16  = 0xf1
	lpInt24  = 0xf2
	lpInt32  = 0xf3
	lpInt64  = 0xf4
	lpMaxInt = 1<<12 - 1 // the largest of 13 bits
)

// Listpack is a listpack that is being written.
type Listpack struct {
	b     []byte
	count int
}

// NewListpack returns an empty one.
func NewListpack() *Listpack { return &Listpack{b: make([]byte, listpackHeader, 64)} }

// Len is the number of elements.
func (l *Listpack) Len() int { return l.count }

// Size is how many bytes Bytes returns.
func (l *Listpack) Size() int { return len(l.b) + 1 }

// Add appends an element; the digits of an integer are kept as such.
func (l *Listpack) Add(elem []byte) {
	if n, ok := num.ParseInt(elem); ok {
		l.AddInt(n)
		return
	}
	start := len(l.b)
	switch n := len(elem); {
	case n < 1<<6:
		l.b = append(l.b, lpStr6|byte(n))
	case n < 1<<12:
		l.b = append(l.b, lpStr12|byte(n>>8), byte(n))
	default:
		l.b = binary.LittleEndian.AppendUint32(append(l.b, lpStr32), uint32(n))
	}
	l.b = append(l.b, elem...)
	l.close(start)
}

// AddInt appends the digits of an integer.
func (l *Listpack) AddInt(n int64) {
	start := len(l.b)
	switch {
	case 0 <= n && n < 1<<7:
		l.b = append(l.b, lpUint7|byte(n))
	case -lpMaxInt-1 <= n && n <= lpMaxInt:
		l.b = append(l.b, lpInt13|byte(n>>8)&0x1f, byte(n))
	case n == int64(int16(n)):
		l.appendInt(lpInt16, n, 2)
	case -1<<23 <= n && n < 1<<23:
		l.appendInt(lpInt24, n, 3)
	case n == int64(int32(n)):
		l.appendInt(lpInt32, n, 4)
	default:
		l.appendInt(lpInt64, n, 8)
	}
	l.close(start)
}

func (l *Listpack) appendInt(kind byte, n int64, size int) {
	l.b = append(l.b, kind)
	for i := range size {
		l.b = append(l.b, byte(n>>(8*i)))
	}
}

// close ends the element that starts at start.
func (l *Listpack) close(start int) {
	l.b = appendBackLength(l.b, len(l.b)-start)
	l.count++
}

// Bytes returns the whole, which nothing may be added to any more.
func (l *Listpack) Bytes() []byte {
	l.b = append(l.b, endMark)
	binary.LittleEndian.PutUint32(l.b, uint32(len(l.b)))
	binary.LittleEndian.PutUint16(l.b[4:], uint16(min(l.count, unknownCount)))
	return l.b
}

// backSize is how many bytes the size of an element takes. At the upper bounds but the first it is one more than it
// need be.
func backSize(n int) int {
	switch {
	case n <= 127:
		return 1
	case n < 16383:
		return 2
	case n < 2097151:
		return 3
	case n < 268435455:
		return 4
	}
	return 5
}

// appendBackLength writes the size of an element in groups of seven bits, all but the first marked: they are read from
// behind.
func appendBackLength(b []byte, n int) []byte {
	mark := byte(0)
	for i := backSize(n) - 1; i >= 0; i-- {
		b = append(b, byte(n>>(7*i))&0x7f|mark)
		mark = 0x80
	}
	return b
}

// ListpackReader reads a listpack. It implements Elements.
type ListpackReader struct{ elements }

// ReadListpack returns a reader of b, which must not be modified while it is read.
func ReadListpack(b []byte) *ListpackReader {
	l := &ListpackReader{elements{Reader: Reader{rest: b}}}
	if size := l.Uint(4); size != uint64(len(b)) {
		l.Fail()
	}
	l.left = int(l.Uint(2))
	return l
}

// Next implements Elements.
func (l *ListpackReader) Next() []byte {
	text, n, isInt := l.element()
	if isInt {
		return strconv.AppendInt(nil, n, 10)
	}
	return text
}

// NextInt is Next for an element that must be an integer.
func (l *ListpackReader) NextInt() int64 {
	_, n, isInt := l.element()
	if !isInt {
		l.Fail()
		return 0
	}
	return n
}

// element takes an element, which is a text or an integer.
func (l *ListpackReader) element() (text []byte, n int64, isInt bool) {
	before := len(l.rest)
	switch kind := l.Byte(); {
	case kind < lpStr6:
		n, isInt = int64(kind), true
	case kind < lpInt13:
		text = l.Take(uint64(kind &^ lpStr6))
	case kind < lpStr12:
		n, isInt = int64(int16(uint16(kind)<<11|uint16(l.Byte())<<3)>>3), true
	case kind < lpStr32:
		text = l.Take(uint64(kind&^lpStr12)<<8 | uint64(l.Byte()))
	case kind == lpStr32:
		text = l.Take(l.Uint(4))
	case kind <= lpInt32:
		n, isInt = l.Int(uint64(kind-lpInt16)+2), true
	case kind == lpInt64:
		n, isInt = l.Int(8), true
	default:
		l.Fail()
	}
	l.checkBack(before - len(l.rest))
	l.counted()
	return text, n, isInt && !l.failed
}

// checkBack takes the size of the element that was just read, which must be right.
func (l *ListpackReader) checkBack(size int) {
	var want [5]byte
	for _, b := range appendBackLength(want[:0], size) {
		if l.Byte() != b {
			l.Fail()
			return
		}
	}
}
