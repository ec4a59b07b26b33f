package data

import (
	"encoding/binary"
	"math/bits"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/resp"
)

// bitRange is a part of a string, in bits: from the first to the one behind the last.
type bitRange struct{ from, to int }

// newBitRange is the part from start to end of b, given in units of so many bits, which count from the end if negative.
func newBitRange(start, end, unit int64, b []byte) bitRange {
	from, to := clampRange(start, end, int64(len(b))*8/unit)
	return bitRange{int(from * unit), int(to * unit)}
}

// bitUnit reads argument i, which may be missing, as the unit of a range, in bits.
func bitUnit(c *command.Call, i int) (int64, error) {
	switch {
	case i >= c.Len(), c.Is(i, "byte"):
		return 8, nil
	case c.Is(i, "bit"):
		return 1, nil
	}
	return 0, command.ErrSyntax
}

func bitcount(c *command.Call) resp.Value {
	s, err := readString(c, c.Key(1))
	if err != nil || s == nil {
		return c.FailOr(err, resp.Zero)
	}
	r, err := parseBitcount(c, s.Bytes())
	if err != nil {
		return c.Fail(err)
	}
	return resp.Int(int64(r.count(s.Bytes())))
}

// parseBitcount reads start, end and the unit; a range is given in full or not at all.
func parseBitcount(c *command.Call, b []byte) (r bitRange, err error) {
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

// count is the number of bits set in the range.
func (r bitRange) count(b []byte) int {
	if r.from >= r.to {
		return 0
	}
	first, last := r.from>>3, (r.to-1)>>3
	n := onesCount(b[first : last+1])
	n -= bits.OnesCount8(b[first] &^ headMask(r.from))
	return n - bits.OnesCount8(b[last]&^tailMask(r.to))
}

// headMask has the bits of a byte set that stand at pos or behind it.
func headMask(pos int) byte { return 0xff >> (pos & 7) }

// tailMask has the bits of a byte set that stand before the end of a range.
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
	r, err := parseBitpos(c, s.Bytes())
	if err != nil {
		return c.Fail(err)
	}
	openEnd := c.Len() < 5 // then the string counts as followed by zeros
	return resp.Int(int64(r.find(s.Bytes(), byte(bit), openEnd)))
}

// parseBitpos reads start, end and the unit, as far as they are given.
func parseBitpos(c *command.Call, b []byte) (r bitRange, err error) {
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

// find is the position of the first bit of that value in the range, -1 if there is none. The bit behind the range
// counts as clear if openEnd is set.
func (r bitRange) find(b []byte, bit byte, openEnd bool) int {
	if r.from >= r.to {
		return -1
	}
	skip := 0xff * (1 - bit) // a byte without the bit
	for pos := r.from; pos < r.to; {
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

// countLeading is how many bytes at the start of b equal c.
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
