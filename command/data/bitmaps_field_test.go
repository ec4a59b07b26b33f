package data_test

import (
	"testing"

	"github.com/minilockd/minilockd/command/commandtest"
)

func TestBitfield(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Want(
			"BITFIELD b", "[]",
			"BITFIELD b GET u8 0", "[0]",
			"EXISTS b", "0",
			"BITFIELD b SET u8 0 255 SET i8 #1 -2 GET u4 4 INCRBY u2 100 1", "[0 0 15 1]",
			"STRLEN b", "13",
			"BITFIELD b GET i8 0 GET u8 8 GET i16 4 GET i64 90", "[-1 254 -32 4503599627370496]",
			"BITFIELD b SET i8 8 1", "[-2]",
			"BITFIELD b INCRBY i8 0 -127", "[-128]",
			"BITFIELD_RO b GET i8 0 GET u63 1000", "[-128 0]",
			"BITFIELD_RO b", "[]",
		)
	})
}

func TestBitfield_Overflow(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Want(
			"BITFIELD b SET u8 0 250 INCRBY u8 0 10 OVERFLOW SAT INCRBY u8 0 -10 INCRBY u8 0 300", "[0 4 0 255]",
			"BITFIELD b OVERFLOW FAIL INCRBY u8 0 1 SET u8 0 256 GET u8 0 OVERFLOW WRAP SET u8 0 256",
			"[nil nil 255 255]",
			"BITFIELD b OVERFLOW sat SET u8 0 -1 SET i8 8 -1000 GET u8 0 GET i8 8", "[0 0 255 -128]",
			"BITFIELD b OVERFLOW SAT SET i8 8 -9223372036854775808 GET i8 8", "[-128 127]",
			"BITFIELD i SET i64 0 9223372036854775807 INCRBY i64 0 1 OVERFLOW SAT INCRBY i64 0 -1",
			"[0 -9223372036854775808 -9223372036854775808]",
			"BITFIELD u OVERFLOW SAT INCRBY u63 0 9223372036854775807 INCRBY u63 0 1 INCRBY u63 0 -9223372036854775808",
			"[9223372036854775807 9223372036854775807 0]",
		)
	})
}

func TestBitfield_Errors(t *testing.T) {
	const (
		badType   = "ERR Invalid bitfield type. Use something like i16 u8. Note that u64 is not supported but i64 is."
		badOffset = "ERR bit offset is not an integer or out of range"
		badInt    = "ERR value is not an integer or out of range"
		badMode   = "ERR Invalid OVERFLOW type specified"
		wrongType = "WRONGTYPE Operation against a key holding the wrong kind of value"
	)
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Want("RPUSH l a", "1")
		for _, encoding := range []string{"u64", "i65", "u0", "i0", "U8", "u08", "8", "x8", "''"} {
			c.Want("BITFIELD l GET "+encoding+" 0", badType)
		}
		for _, offset := range []string{"-1", "#-1", "x", "#", "4294967296", "#536870912"} {
			c.Want("BITFIELD l SET u8 "+offset+" x", badOffset)
		}
		c.Want(
			"BITFIELD l GET u8 0", wrongType,
			"BITFIELD l", wrongType,
			"BITFIELD l SET u8 0 x", badInt,
			"BITFIELD l SET u8 0 1", wrongType,
			"BITFIELD_RO l SET u8 0 1", "ERR BITFIELD_RO only supports the GET subcommand",
			"BITFIELD_RO l SET u8 0 x", badInt,
			"BITFIELD_RO l OVERFLOW FAIL", wrongType,
			"BITFIELD l SET u8 0", "ERR syntax error",
			"BITFIELD l OVERFLOW", "ERR syntax error",
			"BITFIELD l OVERFLOW x GET", badMode,
		)
	})
}

func TestBitfield_EventsOnlyOnChange(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.WantEvents("BITFIELD b GET u8 0")
		c.WantEvents("BITFIELD b SET u8 0 0", "setbit b")
		c.WantEvents("BITFIELD b SET u8 0 0 INCRBY u8 0 0 GET u8 0")
		c.WantEvents("BITFIELD b SET u8 0 1 SET u8 0 0", "setbit b")
		c.WantEvents("BITFIELD b SET u8 8 0", "setbit b")
		c.WantEvents("BITFIELD c OVERFLOW FAIL SET u8 0 256")
		c.Want("STRLEN c", "1")
	})
}
