package data_test

import (
	"testing"

	"github.com/minilockd/minilockd/command/commandtest"
)

func TestLists_Encoding(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Want(
			"CONFIG SET list-max-listpack-size 4", "OK",
			"RPUSH l a b c d", "4",
			"OBJECT ENCODING l", `"listpack"`,
			"RPUSH l e", "5",
			"OBJECT ENCODING l", `"quicklist"`,
			"LPOP l 2", `["a" "b"]`,
			"OBJECT ENCODING l", `"quicklist"`,
			"RPOP l", `"e"`,
			"OBJECT ENCODING l", `"listpack"`,
			"LINSERT l BEFORE c x", "3",
			"LINSERT l BEFORE c x", "4",
			"LINSERT l AFTER c x", "5",
			"OBJECT ENCODING l", `"quicklist"`,
			"LREM l 0 x", "3",
			"OBJECT ENCODING l", `"listpack"`,
			"CONFIG SET list-max-listpack-size 2", "OK",
			"COPY l copy", "1",
			"OBJECT ENCODING copy", `"listpack"`,
			"SORT l ALPHA STORE sorted", "2",
			"OBJECT ENCODING sorted", `"listpack"`,
		)
	})
}

func TestLists_Numbers(t *testing.T) {
	const lowest, outOfRange = "-9223372036854775808",
		"ERR value is out of range, value must between -9223372036854775807 and 9223372036854775807"
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Want(
			"RPUSH l a b", "2",
			"LREM l "+lowest+" a", outOfRange,
			"LPOS l a RANK "+lowest, outOfRange,
			"LSET l 9223372036854775807 c", "OK", // its lowest 32 bits are -1
			"LRANGE l 0 -1", `["a" "c"]`,
			"BLPOP l 1e300", "ERR timeout is out of range",
			"XREAD BLOCK 9223372036854775807 STREAMS x 0", "ERR timeout is out of range",
		)
	})
}
