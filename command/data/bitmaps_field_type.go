package data

import (
	"errors"
	"math"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/num"
)

// The integers of BITFIELD: i1 to i64 and u1 to u63 (BITFIELD command page). u64 is missing since replies are int64.
// They are read and written bit by bit: a field may begin at any bit, and few calls are long enough for more.

// errFieldType is for a type that does not exist. It comes before the error of the offset.
var errFieldType = errors.New("ERR Invalid bitfield type. Use something like i16 u8. " +
	"Note that u64 is not supported but i64 is.")

// overflowMode is the argument of OVERFLOW: what happens to a value that the type can't hold.
type overflowMode uint8

// The modes. INCRBY and SET use them; GET can't fail.
const (
	overflowWrap overflowMode = iota // the upper bits are dropped
	overflowSat                      // the nearest bound of the type is used
	overflowFail                     // nothing is written and the reply is null
)

var overflowNames = []string{overflowWrap: "wrap", overflowSat: "sat", overflowFail: "fail"}

// bitField is an integer within a string: its type, and the offset of its highest bit.
type bitField struct {
	signed bool
	bits   int // 1 to 64, or 63 if unsigned
	offset int
}

// parseBitField reads the type at argument i and the offset after it. With a # the offset counts in widths of the type:
// #2 of an i16 is bit 32. Redis checks the product like the offset of a single bit, but not whether the last bit of
// the field is within proto-max-bulk-len.
func parseBitField(c *command.Call, i int) (bitField, error) {
	f, err := parseFieldType(c.Arg(i))
	if err != nil {
		return f, err
	}
	arg, unit := c.Arg(i+1), int64(1)
	if len(arg) > 0 && arg[0] == '#' {
		arg, unit = arg[1:], int64(f.bits)
	}
	n, ok := num.ParseInt(arg)
	n *= unit // a product out of range wraps around, as in Redis
	if !ok || n < 0 || n>>3 >= c.Env().Config.MaxBulk() || n > math.MaxInt {
		return f, errBitOffset
	}
	f.offset = int(n)
	return f, nil
}

// parseFieldType parses "i" or "u" followed by the width in bits.
func parseFieldType(arg []byte) (f bitField, err error) {
	if len(arg) == 0 || arg[0] != 'i' && arg[0] != 'u' {
		return f, errFieldType
	}
	f.signed = arg[0] == 'i'
	bits, ok := num.ParseInt(arg[1:])
	if !ok || bits < 1 || bits > 64 || bits == 64 && !f.signed {
		return f, errFieldType
	}
	f.bits = int(bits)
	return f, nil
}

// size returns how many bytes a string must have to hold the field.
func (f bitField) size() int { return (f.offset+f.bits-1)>>3 + 1 }

// read returns the value of the field. Bits after the end of the string are 0.
func (f bitField) read(b []byte) int64 {
	value := int64(0)
	for pos := f.offset; pos < f.offset+f.bits; pos++ {
		value = value<<1 | int64(bitAt(b, pos))
	}
	return f.wrap(value)
}

// write sets the field to the lowest bits of value. The string must be long enough.
func (f bitField) write(b []byte, value int64) {
	for pos := f.offset + f.bits - 1; pos >= f.offset; pos-- {
		shift := 7 - pos&7
		b[pos>>3] = b[pos>>3]&^(1<<shift) | byte(value&1)<<shift
		value >>= 1
	}
}

// wrap returns the value that the lowest bits of v have in the type of the field.
func (f bitField) wrap(v int64) int64 {
	unused := 64 - f.bits
	if f.signed {
		return v << unused >> unused
	}
	return int64(uint64(v) << unused >> unused)
}

// bounds returns the lowest and the highest value of the type.
func (f bitField) bounds() (low, high int64) {
	if f.signed {
		high = math.MaxInt64 >> (64 - f.bits)
		return -high - 1, high
	}
	return 0, math.MaxInt64 >> (63 - f.bits)
}

// fit returns value + incr as mode makes it fit, or false if it does not fit and mode is FAIL. SET passes an incr of
// 0.
func (f bitField) fit(value, incr int64, mode overflowMode) (fitted int64, ok bool) {
	low, high := f.bounds()
	above, below := f.outside(value, incr)
	switch {
	case !above && !below, mode == overflowWrap:
		return f.wrap(value + incr), true
	case mode == overflowFail:
		return 0, false
	case above:
		return high, true
	}
	return low, true
}

// outside reports whether value + incr is above or below the range of the type. For SET Redis treats some values as too
// large that are too small: negative ones of an unsigned type, and those so small that the distance overflows.
func (f bitField) outside(value, incr int64) (above, below bool) {
	low, high := f.bounds()
	// See checkUnsignedBitfieldOverflow and checkSignedBitfieldOverflow of Redis.
	above = value > high || incr > 0 && value > high-incr ||
		value < 0 && (!f.signed || f.bits < 64 && high-value < 0)
	below = value < low || incr < 0 && value <= low-(incr+1)
	return above, below && !above
}
