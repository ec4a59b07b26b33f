package data_test

import (
	"testing"

	"github.com/minilockd/minilockd/command/commandtest"
)

func TestSetBit(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Want(
			"SETBIT b 7 1", "0",
			"SETBIT b 7 1", "1",
			"GET b", "\"\\x01\"",
			"SETBIT b 0 1", "0",
			"SETBIT b 7 0", "1",
			"GETBIT b 0", "1",
			"GETBIT b 1", "0",
			"GETBIT b 100", "0",
			"GETBIT missing 100", "0",
			"STRLEN b", "1",
			"SETBIT b 23 0", "0",
			"STRLEN b", "3",
			"EXPIRE b 100", "1",
			"SETBIT b 5 1", "0",
			"TTL b", "100",
		)
	})
}

func TestSetBit_Errors(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Want(
			"SETBIT b 7 2", "ERR bit is not an integer or out of range",
			"SETBIT b 7 -1", "ERR bit is not an integer or out of range",
			"SETBIT b 7 a", "ERR bit is not an integer or out of range",
			"SETBIT b a 5", "ERR bit offset is not an integer or out of range",
			"SETBIT b -1 1", "ERR bit offset is not an integer or out of range",
			"SETBIT b 4294967296 1", "ERR bit offset is not an integer or out of range",
			"GETBIT b -1", "ERR bit offset is not an integer or out of range",
			"GETBIT b a", "ERR bit offset is not an integer or out of range",
			"GETBIT b 4294967296", "ERR bit offset is not an integer or out of range",
			"HSET h f v", "1",
			"SETBIT h 7 1", "WRONGTYPE Operation against a key holding the wrong kind of value",
			"SETBIT h a 1", "ERR bit offset is not an integer or out of range",
			"SETBIT h 7 2", "ERR bit is not an integer or out of range",
			"GETBIT h 7", "WRONGTYPE Operation against a key holding the wrong kind of value",
			"GETBIT h a", "ERR bit offset is not an integer or out of range",
			"EXISTS b", "0",
		)
	})
}

func TestBitCount(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Want(
			"SET k foobar", "OK",
			"BITCOUNT k", "26",
			"BITCOUNT k 0 0", "4",
			"BITCOUNT k 1 1 BYTE", "6",
			"BITCOUNT k 5 30 BIT", "17",
			"BITCOUNT k 0 -5 bit", "25",
			"BITCOUNT k 0 -1", "26",
			"BITCOUNT k -2 -1", "7",
			"BITCOUNT k 3 100 BIT", "24",
			"BITCOUNT k 100 200", "0",
			"BITCOUNT k -5 -10", "0",
			"BITCOUNT k 0 -50 BIT", "0",
			"BITCOUNT missing", "0",
			"SET empty ''", "OK",
			"BITCOUNT empty 0 -1", "0",
		)
	})
}

// Redis 7.0 replies for a missing key before it parses the range, and for a range that is known to be empty before its
// unit.
func TestBitCount_Errors_AfterKey(t *testing.T) {
	commandtest.InBubbleOf(t, "7.0", func(c *commandtest.BubbleClient) {
		c.Want(
			"BITCOUNT missing a b c d e", "0",
			"SET k foobar", "OK",
			"BITCOUNT k 0", "ERR syntax error",
			"BITCOUNT k a 0", "ERR value is not an integer or out of range",
			"BITCOUNT k 0 a", "ERR value is not an integer or out of range",
			"BITCOUNT k 0 0 FOO", "ERR syntax error",
			"BITCOUNT k 0 a FOO", "ERR value is not an integer or out of range",
			"BITCOUNT k -1 -2 FOO", "0",
			"BITCOUNT k 0 0 BIT 1", "ERR syntax error",
			"HSET h f v", "1",
			"BITCOUNT h a", "WRONGTYPE Operation against a key holding the wrong kind of value",
		)
	})
}

func TestBitCount_Errors_BeforeKey(t *testing.T) {
	for server, start := range map[string]string{"8.2": "ERR syntax error", "valkey-9.1": "0"} {
		commandtest.InBubbleOf(t, server, func(c *commandtest.BubbleClient) {
			c.Want(
				"BITCOUNT missing 0 1 2 3", "ERR syntax error",
				"BITCOUNT missing 0", start,
				"BITCOUNT missing a 0", "ERR value is not an integer or out of range",
				"SET k foobar", "OK",
				"BITCOUNT k -1 -2 FOO", "ERR syntax error",
				"BITCOUNT k -1 -2 BIT", "0",
				"BITCOUNT k 0 8 BIT", "4",
				"HSET h f v", "1",
				"BITCOUNT h 0 1 FOO", "ERR syntax error",
			)
		})
	}
}

func TestBitCount_OpenEnd(t *testing.T) {
	commandtest.InBubbleOf(t, "valkey-8.1", func(c *commandtest.BubbleClient) {
		c.Want(
			"SET k foobar", "OK",
			"BITCOUNT k 4", "7",
			"BITCOUNT k -1", "4",
			"BITCOUNT k 0 a FOO", "ERR syntax error",
			"BITCOUNT k 0 a", "ERR value is not an integer or out of range",
		)
	})
}

func TestBitPos(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Want(
			"SETRANGE k 2 ~", "3",
			"BITPOS k 1", "17",
			"BITPOS k 0", "0",
			"BITPOS k 1 2", "17",
			"BITPOS k 1 -1", "17",
			"BITPOS k 1 3", "-1",
			"BITPOS k 1 0 1", "-1",
			"BITPOS k 1 18 20 BIT", "18",
			"BITPOS k 0 17 22 BIT", "-1",
			"BITPOS k 0 17 23 BIT", "23",
			"BITPOS k 0 17 -1 BIT", "23",
			"BITPOS k 1 5 2", "-1",
		)
		// both ends become the first byte
		c.Want(
			"BITPOS k 0 -10 -20", "0",
			"BITPOS missing 0", "0",
			"BITPOS missing 1", "-1",
			"SET empty ''", "OK",
			"BITPOS empty 0", "-1",
			"BITPOS empty 1", "-1",
		)
	})
}

func TestBitPos_Errors_BeforeKey(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Want(
			"BITPOS missing 0 a", "ERR value is not an integer or out of range",
			"BITPOS missing 1 0 1 FOO", "ERR syntax error",
			"BITPOS missing 1 0 1 BIT 3", "ERR syntax error",
			"BITPOS missing 1 0 1", "-1",
			"HSET h f v", "1",
			"BITPOS h 0 a", "ERR value is not an integer or out of range",
		)
	})
}

// Redis parses the unit before the end, and version 7.0 both after it has looked the key up.
func TestBitPos_Errors_AfterKey(t *testing.T) {
	commandtest.InBubbleOf(t, "7.0", func(c *commandtest.BubbleClient) {
		c.Want(
			"BITPOS missing a", "ERR value is not an integer or out of range",
			"BITPOS missing 2", "ERR The bit argument must be 1 or 0.",
			"BITPOS missing 0 a", "0",
			"SET k foobar", "OK",
			"BITPOS k 2", "ERR The bit argument must be 1 or 0.",
			"BITPOS k 0 a", "ERR value is not an integer or out of range",
			"BITPOS k 0 0 a", "ERR value is not an integer or out of range",
			"BITPOS k 0 0 a FOO", "ERR syntax error",
			"BITPOS k 0 a 0 FOO", "ERR value is not an integer or out of range",
			"BITPOS k 0 0 0 BIT 1", "ERR syntax error",
			"HSET h f v", "1",
			"BITPOS h 2", "ERR The bit argument must be 1 or 0.",
			"BITPOS h 0 a", "WRONGTYPE Operation against a key holding the wrong kind of value",
		)
	})
}

func TestBitOp_SinceRedis82(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Want(
			"MSET a ab b c c AB", "OK",
			"BITOP DIFF d a b c", "2",
			"GET d", "\"\\x00 \"",
			"BITOP diff1 d a b c", "2",
			"GET d", "\"\\x02\\x00\"",
			"BITOP ANDOR d a b c", "2",
			"GET d", `"aB"`,
			"BITOP ONE d a b c", "2",
			"GET d", "\"\\x02 \"",
			"BITOP ONE d a", "2",
			"BITOP DIFF d a", "ERR BITOP DIFF must be called with at least two source keys.",
			"BITOP DIFF1 d a", "ERR BITOP DIFF1 must be called with at least two source keys.",
			"BITOP andor d a", "ERR BITOP ANDOR must be called with at least two source keys.",
			"BITOP DIFF d missing nothing", "0",
			"EXISTS d", "0",
		)
	})
	commandtest.InBubbleOf(t, "8.0", func(c *commandtest.BubbleClient) {
		c.Want("BITOP ONE d a b", "ERR syntax error", "BITOP AND d a b", "0")
	})
}

func TestBitOp(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Want(
			"MSET a abcdefghij b ABC c 12345678901234567", "OK",
			"BITOP AND d a b", "10",
			"GET d", "\"ABC\\x00\\x00\\x00\\x00\\x00\\x00\\x00\"",
			"BITOP OR d a b c", "17",
			"GET d", `"qrstuvwxyz1234567"`,
			"BITOP XOR d c a", "17",
			"BITOP XOR d d a", "17",
			"GET d", `"12345678901234567"`,
			"BITOP AND d a", "10",
			"GET d", `"abcdefghij"`,
			"BITOP AND d a missing", "10",
			"GET d", "\"\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\"",
			"BITOP NOT d a", "10",
			"BITOP NOT d d", "10",
			"GET d", `"abcdefghij"`,
			"EXPIRE d 100", "1",
			"BITOP or d a", "10",
			"TTL d", "-1",
			"BITOP AND d missing missing", "0",
			"EXISTS d", "0",
			"BITOP AND d missing", "0",
		)
	})
}

func TestBitOp_Errors(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Want(
			"BITOP NAND d a", "ERR syntax error",
			"BITOP NOT d a b", "ERR BITOP NOT must be called with a single source key.",
			"HSET h f v", "1",
			"BITOP AND d missing h", "WRONGTYPE Operation against a key holding the wrong kind of value",
			"BITOP NOT d h", "WRONGTYPE Operation against a key holding the wrong kind of value",
			"SET a x", "OK",
			"BITOP AND h a", "1",
			"TYPE h", "string",
		)
	})
}

func TestBitmaps_Events(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.WantEvents("SETBIT b 7 1", "setbit b")
		c.WantEvents("SETBIT b 7 1")
		c.WantEvents("SETBIT b 6 0")
		c.WantEvents("SETBIT b 8 0", "setbit b")
		c.WantEvents("SETBIT b 7 0", "setbit b")
		c.WantEvents("BITOP NOT d b", "set d")
		c.WantEvents("BITOP AND d missing", "del d")
		c.WantEvents("BITOP AND d missing")
		c.WantEvents("BITCOUNT b")
	})
}
