package data_test

import (
	"testing"

	"github.com/minilockd/minilockd/command/commandtest"
)

func TestFlush(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Want(
			"MSET a 1 b 2", "OK",
			"DBSIZE", "2",
			"SELECT 1", "OK",
			"SET c 3", "OK",
			"FLUSHDB", "OK",
			"DBSIZE", "0",
			"SET c 3", "OK",
			"FLUSHDB ASYNC", "OK",
			"SET c 3", "OK",
			"FLUSHDB SYNC FOO", "ERR syntax error",
			"FLUSHDB FOO", "ERR syntax error",
			"FLUSHALL FOO", "ERR syntax error",
			"SELECT 0", "OK",
			"DBSIZE", "2",
			"FLUSHALL sync", "OK",
			"DBSIZE", "0",
		)
	})
}

func TestSwapDB(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Want(
			"SET a 0 EX 100", "OK",
			"SELECT 1", "OK",
			"SET b 1", "OK",
			"SWAPDB 0 1", "OK",
			"TTL a", "100",
			"EXISTS b", "0",
			"SELECT 0", "OK",
			"GET b", `"1"`,
			"SWAPDB 0 0", "OK",
			"SWAPDB a 99", "ERR invalid first DB index",
			"SWAPDB 99 a", "ERR invalid second DB index",
			"SWAPDB 99 0", "ERR DB index is out of range",
			"SWAPDB 0 -1", "ERR DB index is out of range",
			"SWAPDB 9999999999 0", "ERR invalid first DB index",
			"SWAPDB 0 9999999999", "ERR invalid second DB index",
		)
	})
}
