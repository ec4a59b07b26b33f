package data

import (
	"encoding/binary"
	"math/bits"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/emulate"
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

// bitSpan is the range of a call before the length of the string is known.
type bitSpan struct{ start, end, unit int64 }

// wholeString is the range of a call that has none.
var wholeString = bitSpan{0, -1, 8}

func (s bitSpan) in(b []byte) bitRange { return newBitRange(s.start, s.end, s.unit, b) }

// readUnit reads the optional argument i, BYTE or BIT. BYTE is the default.
func (s *bitSpan) readUnit(c *command.Call, i int) error {
	switch {
	case i >= c.Len(), c.Is(i, "byte"):
		return nil
	case c.Is(i, "bit"):
		s.unit = 1
		return nil
	}
	return command.ErrSyntax
}

// readEnd reads the optional argument i as the end.
func (s *bitSpan) readEnd(c *command.Call, i int) (err error) {
	if i < c.Len() {
		s.end, err = c.Int(i)
	}
	return err
}

// stringAndSpan returns the string of a key, nil if it is missing, and its range. Redis 7.0 replies for a missing key
// before it checks the range.
func stringAndSpan(c *command.Call, parse func(*command.Call) (bitSpan, error)) ([]byte, bitSpan, bool, error) {
	first := c.Does(emulate.BitRangeBeforeKey)
	span := wholeString
	var err error
	if first {
		if span, err = parse(c); err != nil {
			return nil, span, false, err
		}
	}
	s, err := readString(c, c.Key(1))
	if err != nil || s == nil {
		return nil, span, false, err
	}
	if !first {
		span, err = parse(c)
	}
	return s.Bytes(), span, true, err
}

// bitcount implements BITCOUNT key [start end [BYTE | BIT]], or with an optional end, which Valkey has. It replies 0
// for a missing key.
func bitcount(c *command.Call) resp.Value {
	b, span, found, err := stringAndSpan(c, parseCountSpan)
	if err != nil || !found {
		return c.FailOr(err, resp.Zero)
	}
	return resp.Int(int64(span.in(b).count(b)))
}

// parseCountSpan parses start, end and the unit. A start without an end may be a syntax error.
func parseCountSpan(c *command.Call) (s bitSpan, err error) {
	s = wholeString
	open := c.Does(emulate.BitCountOpenEnd)
	switch {
	case c.Len() == 2:
		return s, nil
	case c.Len() > 5, c.Len() == 3 && !open:
		return s, command.ErrSyntax
	}
	if s.start, err = c.Int(2); err != nil {
		return s, err
	}
	if open {
		if err = s.readUnit(c, 4); err == nil {
			err = s.readEnd(c, 3)
		}
		return s.unlessReversed(), err
	}
	return s.readEndThenUnit(c)
}

// readEndThenUnit reads the end and the unit. In Redis 7.0 a range that is known to be empty by isReversed is 0 before
// the unit is read, so its error is not found then.
func (s bitSpan) readEndThenUnit(c *command.Call) (bitSpan, error) {
	err := s.readEnd(c, 3)
	if err == nil && (c.Does(emulate.BitRangeBeforeKey) || !isReversed(s.start, s.end)) {
		err = s.readUnit(c, 4)
	}
	return s.unlessReversed(), err
}

// unlessReversed is the range, or one that is empty whatever the string is.
func (s bitSpan) unlessReversed() bitSpan {
	if isReversed(s.start, s.end) {
		return bitSpan{1, 0, 8}
	}
	return s
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
// A missing key counts as zeros without an end, whatever the range is: 0 or -1.
func bitpos(c *command.Call) resp.Value {
	bit, err := c.Int(2)
	if err != nil {
		return c.Fail(err)
	}
	if bit&^1 != 0 {
		return c.Fail(errBitArg)
	}
	b, span, found, err := stringAndSpan(c, parseFindSpan)
	if err != nil || !found {
		return c.FailOr(err, resp.Int(-bit))
	}
	openEnd := c.Len() < 5 // then the string counts as followed by zeros (BITPOS command page)
	return resp.Int(int64(span.in(b).find(b, byte(bit), openEnd)))
}

// parseFindSpan parses start, end and the unit, each of which may be missing. The unit is checked before the end.
func parseFindSpan(c *command.Call) (s bitSpan, err error) {
	s = wholeString
	if c.Len() > 6 {
		return s, command.ErrSyntax
	}
	if c.Len() > 3 {
		if s.start, err = c.Int(3); err != nil {
			return s, err
		}
	}
	if err = s.readUnit(c, 5); err == nil {
		err = s.readEnd(c, 4)
	}
	return s, err
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
