package data

import (
	"errors"
	"math"
	"slices"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/store"
)

// Bitmaps are strings; bit 0 is the highest bit of the first byte (SETBIT command page). Bits after the end of a
// string read as 0, and a write enlarges it. An offset must address a byte below proto-max-bulk-len.

var bitmapCommands = slices.Concat(bitCommands, bitfieldCommands)

// bitCommands read and write single bits and ranges of bits.
var bitCommands = []command.Command{
	{Name: "bitcount", Usage: "key [start end [BYTE | BIT]]{redis} [start [end [BYTE | BIT]]]{valkey-8.1}",
		Arity: -2, Flags: command.ReadOnly,
		Keys: command.OneKey, Access: "RO access", Since: "2.6.0",
		Summary: "Counts the bits of a string value that are set.", Run: bitcount},
	{Name: "bitop",
		Usage: "<operation>{<7.2} <AND | OR | XOR | NOT | DIFF {8.2} | DIFF1 {8.2} | ANDOR {8.2} | ONE {8.2}>{7.2} " +
			"destkey key [key ...]",
		Arity: -4, Flags: writeDenyOOM,
		Keys:    command.Keys{First: 2, Last: -1, Step: 1},
		Specs:   []command.KeySpec{{Index: 2, Access: "OW update"}, {Index: 3, Last: -1, Access: "RO access"}},
		Since:   "2.6.0",
		Summary: "Stores the bitwise combination of string values.", Run: bitop},
	{Name: "bitpos", Usage: "key bit [start [end [BYTE | BIT]]]", Arity: -3, Flags: command.ReadOnly,
		Keys: command.OneKey, Access: "RO access", Since: "2.8.7",
		Summary: "Finds the first bit of a string value that is set, or clear.", Run: bitpos},
	{Name: "getbit", Usage: "key offset", Arity: 3, Flags: readOnlyFast, Keys: command.OneKey,
		Access: "RO access", Since: "2.2.0",
		Summary: "Returns one bit of a string value.", Run: getbit},
	{Name: "setbit", Usage: "key offset value", Arity: 4, Flags: writeDenyOOM, Keys: command.OneKey,
		Access: "RW access update", Since: "2.2.0",
		Summary: "Sets or clears one bit of a string value. Creates the key if it does not exist.", Run: setbit},
}

// errBitOffset is for the offset of a bit, errBitValue for its new value. errBitArg is for a bit to find that is
// neither 0 nor 1; if it is not an integer at all, the error is the common one.
var (
	errBitOffset = errors.New("ERR bit offset is not an integer or out of range")
	errBitValue  = errors.New("ERR bit is not an integer or out of range")
	errBitArg    = errors.New("ERR The bit argument must be 1 or 0.")
)

// bitOffset reads argument i as the offset of a bit. Its byte must be one that a string may have, so the highest offset
// is 8 times proto-max-bulk-len, minus 1. An argument that is not an integer has the same error.
func bitOffset(c *command.Call, i int) (int, error) {
	offset, err := c.Int(i)
	if err != nil || offset < 0 || offset>>3 >= c.Env().Config.MaxBulk() || offset > math.MaxInt {
		return 0, errBitOffset
	}
	return int(offset), nil
}

// bitAt returns the bit at a position, 0 after the end.
func bitAt(b []byte, pos int) byte {
	if pos>>3 >= len(b) {
		return 0
	}
	return b[pos>>3] >> (7 - pos&7) & 1
}

// getbit implements GETBIT key offset. It replies 0 for any offset after the end, and for a missing key. A bad offset
// is an error before the type of the key is.
func getbit(c *command.Call) resp.Value {
	offset, err := bitOffset(c, 2)
	if err != nil {
		return c.Fail(err)
	}
	s, err := readString(c, c.Key(1))
	if err != nil {
		return c.Fail(err)
	}
	return resp.Int(int64(bitAt(stringBytes(s), offset)))
}

// setbit implements SETBIT key offset value, and replies the old bit. It creates or enlarges the string even to clear a
// bit. If the bit is within the string and has the value already, nothing changes for WATCH and there is no event, as
// in Redis 7.
func setbit(c *command.Call) resp.Value {
	offset, err := bitOffset(c, 2)
	if err != nil {
		return c.Fail(err)
	}
	on, err := c.Int(3)
	if err != nil || on&^1 != 0 {
		return c.Fail(errBitValue)
	}
	key := c.Key(1)
	s, err := writeString(c, key)
	if err != nil {
		return c.Fail(err)
	}
	old, size := bitAt(stringBytes(s), offset), len(stringBytes(s))
	if size > offset>>3 && int64(old) == on {
		s.Writable(0) // marks the string as changed in place: its encoding is raw
		return resp.Int(on)
	}
	b := growString(c, key, s, offset>>3+1)
	mask := byte(1) << (7 - offset&7)
	b[offset>>3] = b[offset>>3]&^mask | mask*byte(on)
	c.Changed(key, store.EventString, "setbit")
	return resp.Int(int64(old))
}
