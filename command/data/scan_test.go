package data_test

import (
	"testing"

	"github.com/minilockd/minilockd/command/commandtest"
)

func TestScan_Errors(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Want(
			"SCAN a", "ERR invalid cursor",
			"SCAN -", "ERR invalid cursor",
			"SCAN 0x10", "ERR invalid cursor",
			"SCAN 18446744073709551616", "ERR invalid cursor",
			"SCAN 0 MATCH", "ERR syntax error",
			"SCAN 0 COUNT 0", "ERR syntax error",
			"SCAN 0 COUNT -1", "ERR syntax error",
			"SCAN 0 COUNT a", "ERR value is not an integer or out of range",
			"SCAN 0 TYPE", "ERR syntax error",
			"SCAN 0 FOO bar", "ERR syntax error",
		)
	})
}

func TestScan_CursorsOfStrtoul(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Want(
			"SCAN ''", `["0" []]`,
			"SCAN +0", `["0" []]`,
			"SCAN -0", `["0" []]`,
			"SCAN 00", `["0" []]`,
		)
	})
}
