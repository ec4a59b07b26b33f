package data_test

import (
	"strconv"
	"testing"

	"github.com/minilockd/minilockd/command/commandtest"
	"github.com/minilockd/minilockd/internal/require"
)

func TestStrings_Get(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Want(
			"GET k", "nil",
			"SET k v", "OK",
			"GET k", `"v"`,
			"STRLEN k", "1",
			"STRLEN missing", "0",
			"MGET k missing k", `["v" nil "v"]`,
			"HSET h f v", "1",
			"MGET h k", `[nil "v"]`,
			"GET h", "WRONGTYPE Operation against a key holding the wrong kind of value",
			"STRLEN h", "WRONGTYPE Operation against a key holding the wrong kind of value",
		)
	})
}

func TestStrings_GetDel(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Want(
			"SET k v EX 100", "OK",
			"GETDEL k", `"v"`,
			"GETDEL k", "nil",
			"EXISTS k", "0",
			"HSET h f v", "1",
			"GETDEL h", "WRONGTYPE Operation against a key holding the wrong kind of value",
		)
	})
}

func TestStrings_GetEx(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Want(
			"SET k v", "OK",
			"GETEX k", `"v"`,
			"TTL k", "-1",
			"GETEX k EX 100", `"v"`,
			"TTL k", "100",
			"GETEX k PX 5000 PX 60000", `"v"`,
			"TTL k", "60",
			"GETEX k EXAT 4000000000", `"v"`,
			"EXPIRETIME k", "4000000000",
			"GETEX k PXAT 4000000000123", `"v"`,
			"PEXPIRETIME k", "4000000000123",
			"GETEX k PERSIST", `"v"`,
			"TTL k", "-1",
			"GETEX k PERSIST", `"v"`,
		)
		// a time in the past deletes the key
		c.Want(
			"GETEX k EXAT 1", `"v"`,
			"EXISTS k", "0",
		)
	})
}

// The order of the checks is: syntax, key, type, number.
func TestStrings_GetEx_Errors(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Want(
			"GETEX missing EX a", "nil",
			"GETEX missing NX", "ERR syntax error",
			"SET k v", "OK",
			"GETEX k EX", "ERR syntax error",
			"GETEX k EX 10 PERSIST", "ERR syntax error",
			"GETEX k EX 10 PX 10", "ERR syntax error",
			"GETEX k KEEPTTL", "ERR syntax error",
			"GETEX k EX a", "ERR value is not an integer or out of range",
			"GETEX k EX 0", "ERR invalid expire time in 'getex' command",
			"GETEX k EX -5", "ERR invalid expire time in 'getex' command",
			"GETEX k EX 9223372036854775", "ERR invalid expire time in 'getex' command",
			"HSET h f v", "1",
			"GETEX h EX a", "WRONGTYPE Operation against a key holding the wrong kind of value",
			"GETEX h", "WRONGTYPE Operation against a key holding the wrong kind of value",
		)
	})
}

// A command that changes nothing has no event and must not modify a watched key.
func TestStrings_Events(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.WantEvents("SET k 1 EX 100", "set k", "expire k")
		c.WantEvents("SET k 1 NX")
		c.WantEvents("SET k 1 NX GET")
		c.WantEvents("SET k 1 GET", "set k")
		c.WantEvents("SET k 1 KEEPTTL", "set k")
		c.WantEvents("SETNX k 1")
		c.WantEvents("SETNX new 1", "set new")
		c.WantEvents("SETEX k 100 1", "set k", "expire k")
		c.WantEvents("PSETEX k 100000 1", "set k", "expire k")
		c.WantEvents("GETEX k")
		c.WantEvents("GETEX k PERSIST", "persist k")
		c.WantEvents("GETEX k PERSIST")
		c.WantEvents("GETEX k EX 100", "expire k")
		c.WantEvents("GETEX k EXAT 1", "del k")
		c.WantEvents("GETDEL k")
		c.WantEvents("GETDEL new", "del new")
		c.WantEvents("GETSET k 1", "set k")
		c.WantEvents("MSET a 1 b 2", "set a", "set b")
		c.WantEvents("MSETNX a 1 c 2")
		c.WantEvents("MSETNX c 1 c 2", "set c", "set c")
		c.WantEvents("INCR k", "incrby k")
		c.WantEvents("DECRBY k 0", "incrby k")
		c.WantEvents("DECR k", "incrby k")
		c.WantEvents("INCRBYFLOAT k 1", "incrbyfloat k")
		c.WantEvents("APPEND k ''", "append k")
		c.WantEvents("SETRANGE k 0 ''")
		c.WantEvents("SETRANGE k 0 x", "setrange k")
		c.WantEvents("INCR k")
		c.WantEvents("INCRBYFLOAT k 1")
		c.WantEvents("GET k")
	})
}

func TestStrings_AnyBytes(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		key, value := []byte("a key\r\n\x00"), []byte("\x00\xff\r\n$5\r\n")
		require.Equal(t, "OK", c.DoArgs([]byte("SET"), key, value))
		require.Equal(t, strconv.Quote(string(value)), c.DoArgs([]byte("GET"), key))
		value[0] = 'x' // the memory of a request is reused
		require.Equal(t, `"\x00"`, c.DoArgs([]byte("GETRANGE"), key, []byte("0"), []byte("0")))
	})
}

// The replies and events of Valkey 9.1.
func TestDelIfEq(t *testing.T) {
	commandtest.InBubbleOf(t, "valkey-9.1", func(c *commandtest.BubbleClient) {
		c.Want(
			"SET k v", "OK",
			"DELIFEQ k x", "0",
			"GET k", `"v"`,
			"SET n 12", "OK",
			"DELIFEQ n 012", "0",
			"DELIFEQ n 12", "1",
			"EXISTS n", "0",
			"DELIFEQ missing v", "0",
			"HSET h a 1", "1",
			"DELIFEQ h v", "WRONGTYPE Operation against a key holding the wrong kind of value",
			"DELIFEQ k", "ERR wrong number of arguments for 'delifeq' command",
			"CONFIG RESETSTAT", "OK",
		)
		c.WantEvents("DELIFEQ k v", "del k")
		c.WantEvents("DELIFEQ k v")
		require.Contains(t, commandtest.InfoOf(c.Client, "stats"), "keyspace_hits:0\nkeyspace_misses:0")
		c.Want("MULTI", "OK", "DELIFEQ missing v", "QUEUED", "EXEC", "[0]")
	})
}
