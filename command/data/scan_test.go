package data_test

import (
	"testing"

	"github.com/minilockd/minilockd/command/commandtest"
	"github.com/minilockd/minilockd/internal/require"
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

func TestScan_Cursors(t *testing.T) {
	for server, want := range map[string][4]string{
		"7.0": {`["0" []]`, `["0" []]`, "ERR invalid cursor", "ERR invalid cursor"},
		"8.2": {"ERR invalid cursor", "ERR invalid cursor", `["0" []]`, "ERR invalid cursor"},
	} {
		commandtest.InBubbleOf(t, server, func(c *commandtest.BubbleClient) {
			c.Want(
				"SCAN ''", want[0],
				"SCAN -1", want[1],
				"SCAN +0", `["0" []]`,
				"SCAN -0", `["0" []]`,
				"SCAN 00", `["0" []]`,
			)
			require.Equal(t, want[2], c.DoStrings("SCAN", " 0"))
			require.Equal(t, want[3], c.DoStrings("SCAN", " "))
		})
	}
}
