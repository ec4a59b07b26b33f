package store

import (
	"bytes"
	"encoding/binary"
	"slices"
)

// packed is a sequence of byte strings in one slice, each behind its length: the form of small hashes, sets and
// lists. A hash of one field costs its bytes, two lengths and a slice header. Positions are byte offsets; operations
// are linear, which at the sizes allowed is quicker than a table.
type packed []byte

// at returns the element at offset off and the offset behind it.
func (p packed) at(off int) (elem []byte, next int) {
	if n := int(p[off]); n < 0x80 { // one length byte, by far the most frequent
		return p[off+1 : off+1+n], off + 1 + n
	}
	n, w := binary.Uvarint(p[off:])
	start := off + w
	return p[start : start+int(n)], start + int(n)
}

// find returns the offset of an element equal to elem among every stride-th one, or -1.
func (p packed) find(elem []byte, stride int) int {
	for off := 0; off < len(p); {
		got, next := p.at(off)
		if bytes.Equal(got, elem) {
			return off
		}
		for range stride - 1 {
			_, next = p.at(next)
		}
		off = next
	}
	return -1
}

// appended returns p with elem at its end.
func (p packed) appended(elem []byte) packed {
	if cap(p)-len(p) < len(elem)+binary.MaxVarintLen32 && len(p) == 0 {
		p = make(packed, 0, len(elem)+16)
	}
	return append(binary.AppendUvarint(p, uint64(len(elem))), elem...)
}

// skip returns the offset n elements behind off.
func (p packed) skip(off, n int) int {
	for range n {
		_, off = p.at(off)
	}
	return off
}

// replaced returns p with the element at off replaced by elem.
func (p packed) replaced(off int, elem []byte) packed {
	old, next := p.at(off)
	if len(old) == len(elem) {
		copy(old, elem)
		return p
	}
	return p.spliced(off, next, elem)
}

// spliced returns p with the bytes from off to end replaced by one element.
func (p packed) spliced(off, end int, elem []byte) packed {
	var head [binary.MaxVarintLen32]byte
	lead := binary.AppendUvarint(head[:0], uint64(len(elem)))
	size := len(lead) + len(elem)
	p = p.withRoom(off, end, size)
	copy(p[off:], lead)
	copy(p[off+len(lead):], elem)
	return p
}

// cut returns p without the bytes from off to end.
func (p packed) cut(off, end int) packed { return append(p[:off], p[end:]...) }

// move moves the bytes from off to end before those at to, which is not between off and end.
func (p packed) move(off, end, to int) {
	moved := slices.Clone(p[off:end])
	if to < off {
		copy(p[to+len(moved):], p[to:off])
		copy(p[to:], moved)
		return
	}
	copy(p[off:], p[end:to])
	copy(p[to-len(moved):], moved)
}

// withRoom returns p with room for size bytes in place of those from off to end.
func (p packed) withRoom(off, end, size int) packed {
	need := len(p) + size - (end - off)
	if need <= cap(p) {
		tail := p[end:]
		p = p[:need]
		copy(p[off+size:], tail)
		return p
	}
	larger := make(packed, need, need+need/4)
	copy(larger, p[:off])
	copy(larger[off+size:], p[end:])
	return larger
}

// clone copies p without spare room.
func (p packed) clone() packed { return append(make(packed, 0, len(p)), p...) }
