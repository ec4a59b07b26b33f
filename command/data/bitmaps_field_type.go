package data

import (
	"errors"
	"math"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/num"
)

var errFieldType = errors.New("ERR Invalid bitfield type. Use something like i16 u8. Note that u64 is not supported but i64 is.")

// overflowMode says what becomes of a value that a field can't hold.
type overflowMode uint8

const (
	overflowWrap overflowMode = iota // the bits that do not fit are lost
	overflowSat                      // the nearest value that fits is used
	overflowFail                     // nothing is written
)

var overflowNames = []string{overflowWrap: "wrap", overflowSat: "sat", overflowFail: "fail"}

// bitField is an integer within a string: its type and the position of its highest bit.
type bitField struct {
	signed bool
	bits   int // 1 to 64, 63 if not signed
	offset int
}

// parseBitField reads the type at word i and the offset behind it, which with a # counts in widths of the type.
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

// size is how long a string is that just holds the field, in bytes.
func (f bitField) size() int { return (f.offset+f.bits-1)>>3 + 1 }

// read is the field's value in a string that counts as followed by zeros.
func (f bitField) read(b []byte) int64 {
	value := int64(0)
	for pos := f.offset; pos < f.offset+f.bits; pos++ {
		value = value<<1 | int64(bitAt(b, pos))
	}
	return f.wrap(value)
}

// write sets the field in a string that is long enough.
func (f bitField) write(b []byte, value int64) {
	for pos := f.offset + f.bits - 1; pos >= f.offset; pos-- {
		shift := 7 - pos&7
		b[pos>>3] = b[pos>>3]&^(1<<shift) | byte(value&1)<<shift
		value >>= 1
	}
}

// wrap is the value that the lowest bits of v mean in the field's type.
func (f bitField) wrap(v int64) int64 {
	unused := 64 - f.bits
	if f.signed {
		return v << unused >> unused
	}
	return int64(uint64(v) << unused >> unused)
}

func (f bitField) bounds() (low, high int64) {
	if f.signed {
		high = math.MaxInt64 >> (64 - f.bits)
		return -high - 1, high
	}
	return 0, math.MaxInt64 >> (63 - f.bits)
}

// fit is value + incr as the field can hold it; false if it can't and mode forbids to bend it.
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

// outside tells on which side of the type's range value + incr lies, if not within. Redis takes some values to be set
// for too large that are too small: those below zero of an unsigned type, and those so far below that the distance
// overflows.
func (f bitField) outside(value, incr int64) (above, below bool) {
	low, high := f.bounds()
	above = value > high || incr > 0 && value > high-incr ||
		value < 0 && (!f.signed || f.bits < 64 && high-value < 0)
	below = value < low || incr < 0 && value <= low-(incr+1)
	return above, below && !above
}
