package data_test

import (
	"testing"

	"github.com/minilockd/minilockd/command/commandtest"
)

func TestRename(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Want(
			"SET a 1 EX 100", "OK",
			"SET b 2", "OK",
			"RENAME a b", "OK",
			"EXISTS a", "0",
			"GET b", `"1"`,
			"TTL b", "100",
			"SET c 3", "OK",
			"RENAME c b", "OK",
			"TTL b", "-1",
			"HSET h f v", "1",
			"RENAME h b", "OK",
			"TYPE b", "hash",
			"RENAME b b", "OK",
			"RENAME missing b", "ERR no such key",
			"RENAME missing missing", "ERR no such key",
		)
	})
}

func TestRenameNX(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Want(
			"MSET a 1 b 2", "OK",
			"RENAMENX a b", "0",
			"RENAMENX a a", "0",
			"RENAMENX a c", "1",
			"GET c", `"1"`,
			"EXISTS a", "0",
			"RENAMENX missing b", "ERR no such key",
		)
	})
}

func TestMove(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Want(
			"SET a 1 EX 100", "OK",
			"MOVE a 1", "1",
			"EXISTS a", "0",
			"MOVE missing 1", "0",
			"SET a 2", "OK",
			"MOVE a 1", "0",
			"GET a", `"2"`,
			"SELECT 1", "OK",
			"GET a", `"1"`,
			"TTL a", "100",
			"MOVE a 1", "ERR source and destination objects are the same",
			"MOVE missing 1", "ERR source and destination objects are the same",
			"MOVE a 16", "ERR DB index is out of range",
			"MOVE a -1", "ERR DB index is out of range",
			"MOVE a x", "ERR value is not an integer or out of range",
			"MOVE a 9999999999", "ERR value is out of range, value must between -2147483648 and 2147483647",
		)
	})
}

func TestCopy(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Want(
			"HSET a f v", "1",
			"EXPIRE a 100", "1",
			"COPY a b", "1",
			"TTL b", "100",
			"HSET b f w", "0",
			"HGET a f", `"v"`,
			"COPY a b", "0",
			"COPY a b REPLACE", "1",
			"HGET b f", `"v"`,
			"COPY a a DB 1", "1",
			"COPY a a DB 1", "0",
			"COPY a a DB 1 REPLACE", "1",
			"COPY a c DB 1 DB 0", "1",
			"EXISTS c", "1",
			"SELECT 1", "OK",
			"TTL a", "100",
			"DBSIZE", "1",
			"COPY missing b", "0",
			"COPY missing missing", "ERR source and destination objects are the same",
			"COPY a a", "ERR source and destination objects are the same",
			"COPY a a DB 1", "ERR source and destination objects are the same",
			"COPY a b DB", "ERR syntax error",
			"COPY a b DB x", "ERR value is not an integer or out of range",
			"COPY a b DB 16", "ERR DB index is out of range",
			"COPY a b DB 9999999999", "ERR value is out of range, value must between -2147483648 and 2147483647",
			"COPY a b FOO", "ERR syntax error",
		)
	})
}
