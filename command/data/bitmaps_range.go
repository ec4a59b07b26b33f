package data

import (
	"encoding/binary"
	"math/bits"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/resp"
)

// Counting and finding bits: both commands take a range in bytes or, since Redis 7.0, in bits. Both convert it to a
// half-open range of bits and count or search the partial bytes at its ends separately, so that the rest goes 8 bytes
// at a time.

// bitRange is a range of bits: from is its first bit, to the one after its last.
type bitRange struct{ from, to int }

// newBitRange returns the range from start to end of b, in units of 1 or 8 bits. Negative ends count from the end.
func newBitRange(start, end, unit int64, b []byte) bitRange {
	from, to := sliceRange(start, end, int64(len(b))*8/unit)
	return bitRange{int(from * unit), int(to * unit)}
}

// bitUnit reads the optional argument i, BYTE or BIT, and returns the unit in bits. BYTE is the default.
func bitUnit(c *command.Call, i int) (int64, error) {
	switch {
	case i >= c.Len(), c.Is(i, "byte"):
		return 8, nil
	case c.Is(i, "bit"):
		return 1, nil
	}
	return 0, command.ErrSyntax
}

// bitcount implements BITCOUNT key [start end [BYTE | BIT]]. It replies 0 for a missing key before it checks the range,
// as Redis does.
func bitcount(c *command.Call) resp.Value {
	s, err := readString(c, c.Key(1))
	if err != nil || s == nil {
		return c.FailOr(err, resp.Zero)
	}
	r, err := parseCountRange(c, s.Bytes())
	if err != nil {
		return c.Fail(err)
	}
	return resp.Int(int64(r.count(s.Bytes())))
}

// parseCountRange parses start, end and the unit. A start without an end is a syntax error. A range that is known to be
// empty by isReversed is 0 before the unit is read, so its error is not found then.
func parseCountRange(c *command.Call, b []byte) (r bitRange, err error) {
	switch c.Len() {
	case 2:
		return bitRange{0, 8 * len(b)}, nil
	case 4, 5:
	default:
		return r, command.ErrSyntax
	}
	start, err := c.Int(2)
	if err != nil {
		return r, err
	}
	end, err := c.Int(3)
	if err != nil || isReversed(start, end) {
		return r, err
	}
	unit, err := bitUnit(c, 4)
	if err != nil {
		return r, err
	}
	return newBitRange(start, end, unit, b), nil
}

// count returns the number of set bits in the range.
func (r bitRange) count(b []byte) int {
	if r.from >= r.to {
		return 0
	}
	first, last := r.from>>3, (r.to-1)>>3
	n := onesCount(b[first : last+1])
	// The first and the last byte were counted whole.
	n -= bits.OnesCount8(b[first] &^ headMask(r.from))
	return n - bits.OnesCount8(b[last]&^tailMask(r.to))
}

// headMask masks the bits of a byte from pos on.
func headMask(pos int) byte { return 0xff >> (pos & 7) }

// tailMask masks the bits of a byte before end.
func tailMask(end int) byte { return ^(0x7f >> ((end - 1) & 7)) }

// onesCount counts eight bytes at a time.
func onesCount(b []byte) int {
	n := 0
	for ; len(b) >= 8; b = b[8:] {
		n += bits.OnesCount64(binary.NativeEndian.Uint64(b))
	}
	for _, c := range b {
		n += bits.OnesCount8(c)
	}
	return n
}

// bitpos implements BITPOS key bit [start [end [BYTE | BIT]]]. It replies the position in the whole string, counted in
// bits whatever the unit of the range, or -1. Without an end, zeros follow the string: looking for 0 in a string of
// ones finds the bit after its end.
//
// It replies for a missing key, which counts as zeros without an end, before it checks the range: 0 or -1.
func bitpos(c *command.Call) resp.Value {
	bit, err := c.Int(2)
	if err != nil {
		return c.Fail(err)
	}
	if bit&^1 != 0 {
		return c.Fail(errBitArg)
	}
	s, err := readString(c, c.Key(1))
	switch {
	case err != nil:
		return c.Fail(err)
	case s == nil:
		return resp.Int(-bit)
	case c.Len() > 6:
		return c.Fail(command.ErrSyntax)
	}
	r, err := parseFindRange(c, s.Bytes())
	if err != nil {
		return c.Fail(err)
	}
	openEnd := c.Len() < 5 // then the string counts as followed by zeros (BITPOS command page)
	return resp.Int(int64(r.find(s.Bytes(), byte(bit), openEnd)))
}

// parseFindRange parses start, end and the unit, each of which may be missing. The unit is checked before the end.
func parseFindRange(c *command.Call, b []byte) (r bitRange, err error) {
	start, end := int64(0), int64(-1)
	if c.Len() > 3 {
		if start, err = c.Int(3); err != nil {
			return r, err
		}
	}
	unit, err := bitUnit(c, 5)
	if err != nil {
		return r, err
	}
	if c.Len() > 4 {
		if end, err = c.Int(4); err != nil {
			return r, err
		}
	}
	return newBitRange(start, end, unit, b), nil
}

// find returns the position of the first bit with that value in the range, or -1. With openEnd, clear bits follow the
// range. It compares bit by bit only within the byte that contains the bit and those cut by the ends.
func (r bitRange) find(b []byte, bit byte, openEnd bool) int {
	if r.from >= r.to {
		return -1
	}
	skip := 0xff * (1 - bit) // a byte that does not contain the bit
	for pos := r.from; pos < r.to; {
		// At a byte border, bytes without the bit are skipped 8 at a time.
		if pos&7 == 0 && b[pos>>3] == skip {
			pos += 8 * countLeading(b[pos>>3:(r.to+7)>>3], skip)
			continue
		}
		if bitAt(b, pos) == bit {
			return pos
		}
		pos++
	}
	if openEnd && bit == 0 {
		return r.to
	}
	return -1
}

// countLeading returns how many leading bytes of b equal c.
func countLeading(b []byte, c byte) int {
	word := uint64(c) * 0x0101010101010101
	n := 0
	for len(b)-n >= 8 && binary.NativeEndian.Uint64(b[n:]) == word {
		n += 8
	}
	for n < len(b) && b[n] == c {
		n++
	}
	return n
}
