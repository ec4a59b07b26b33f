package data_test

import (
	"testing"

	"github.com/minilockd/minilockd/command/commandtest"
)

func TestAppend(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Want(
			"APPEND k ''", "0",
			"EXISTS k", "1",
			"APPEND k abc", "3",
			"APPEND k def", "6",
			"GET k", `"abcdef"`,
			"EXPIRE k 100", "1",
			"APPEND k g", "7",
			"TTL k", "100",
			"HSET h f v", "1",
			"APPEND h x", "WRONGTYPE Operation against a key holding the wrong kind of value",
		)
	})
}

func TestSetRange(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Want(
			"SETRANGE k 0 ''", "0",
			"EXISTS k", "0",
			"SETRANGE k 3 b", "4",
			"GET k", "\"\\x00\\x00\\x00b\"",
			"SETRANGE k 1 XY", "4",
			"GET k", "\"\\x00XYb\"",
			"SETRANGE k 2 ''", "4",
			"SETRANGE k 6 end", "9",
			"GET k", "\"\\x00XYb\\x00\\x00end\"",
			"EXPIRE k 100", "1",
			"SETRANGE k 0 a", "9",
			"TTL k", "100",
		)
	})
}

func TestSetRange_Errors(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Want(
			"SETRANGE k a x", "ERR value is not an integer or out of range",
			"SETRANGE k -1 x", "ERR offset is out of range",
			"SETRANGE k -1 ''", "ERR offset is out of range",
			"SETRANGE k 536870912 x", "ERR string exceeds maximum allowed size (proto-max-bulk-len)",
			"SETRANGE k 536870911 xx", "ERR string exceeds maximum allowed size (proto-max-bulk-len)",
			"SETRANGE k 9223372036854775807 x", "ERR string exceeds maximum allowed size (proto-max-bulk-len)",
			"EXISTS k", "0",
			"HSET h f v", "1",
			"SETRANGE h a x", "ERR value is not an integer or out of range",
			"SETRANGE h -1 x", "ERR offset is out of range",
			"SETRANGE h 0 ''", "WRONGTYPE Operation against a key holding the wrong kind of value",
			"SETRANGE h 536870912 x", "WRONGTYPE Operation against a key holding the wrong kind of value",
		)
	})
}

func TestGetRange(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Want(
			"SET k abcdef", "OK",
			"GETRANGE k 0 -1", `"abcdef"`,
			"GETRANGE k 1 3", `"bcd"`,
			"GETRANGE k -3 -2", `"de"`,
			"GETRANGE k 3 1", `""`,
			"GETRANGE k -2 -3", `""`,
			"GETRANGE k 0 100", `"abcdef"`,
			"GETRANGE k 5 100", `"f"`,
			"GETRANGE k 6 100", `""`,
		)
		// both ends become the first byte
		c.Want(
			"GETRANGE k 0 -100", `"a"`,
			"GETRANGE k -100 -100", `"a"`,
			"GETRANGE k -50 -100", `""`,
			"GETRANGE k -9223372036854775808 9223372036854775807", `"abcdef"`,
			"SUBSTR k 0 1", `"ab"`,
			"SET empty ''", "OK",
			"GETRANGE empty 0 -1", `""`,
			"GETRANGE missing 0 -1", `""`,
			"GETRANGE missing 0 a", "ERR value is not an integer or out of range",
			"HSET h f v", "1",
			"GETRANGE h a 0", "ERR value is not an integer or out of range",
			"GETRANGE h 0 0", "WRONGTYPE Operation against a key holding the wrong kind of value",
		)
	})
}
