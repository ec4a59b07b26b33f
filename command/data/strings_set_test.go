package data_test

import (
	"testing"

	"github.com/minilockd/minilockd/command/commandtest"
	"github.com/minilockd/minilockd/internal/require"
)

func TestSet_Conditions(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Want(
			"SET k 1 XX", "nil",
			"SET k 1 NX", "OK",
			"SET k 2 NX", "nil",
			"SET k 3 XX", "OK",
			"GET k", `"3"`,
			"SET k 4 NX XX", "ERR syntax error",
			"SET k 4 xx nx", "ERR syntax error",
			"SET k 4 NX NX", "nil",
		)
	})
}

func TestSet_Get(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Want(
			"SET k 1 GET", "nil",
			"SET k 2 GET", `"1"`,
			"SET k 3 NX GET", `"2"`,
			"SET k 3 GET XX", `"2"`,
			"GET k", `"3"`,
			"SET missing 1 XX GET", "nil",
			"EXISTS missing", "0",
			"HSET h f v", "1",
			"SET h 1 GET", "WRONGTYPE Operation against a key holding the wrong kind of value",
			"SET h 1 NX", "nil",
			"SET h 1", "OK",
		)
	})
}

func TestSet_Expiry(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Want(
			"SET k 1 EX 100", "OK",
			"TTL k", "100",
			"SET k 2 KEEPTTL", "OK",
			"TTL k", "100",
			"SET k 3", "OK",
			"TTL k", "-1",
			"SET k 4 PX 90000", "OK",
			"TTL k", "90",
			"SET k 5 EXAT 4000000000", "OK",
			"EXPIRETIME k", "4000000000",
			"SET k 6 PXAT 4000000000123", "OK",
			"PEXPIRETIME k", "4000000000123",
			"SET k 7 KEEPTTL GET", `"6"`,
			"PEXPIRETIME k", "4000000000123",
			"SET k 8 EX 5 EX 6", "OK",
			"TTL k", "6",
			"SET k 9 PXAT 9223372036854775807", "OK",
			"PEXPIRETIME k", "9223372036854775807",
			"SET k 9 EXAT 9223372036854775", "OK",
			"EXPIRETIME k", "9223372036854775",
		)
	})
}

// Unlike EXPIRE, SET accepts an expiry that has passed: the key expires at its next lookup.
func TestSet_InThePast(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Want(
			"SET k 1 EXAT 1", "OK",
			"GET k", "nil",
			"SET k 1 PXAT 1", "OK",
			"EXISTS k", "0",
		)
	})
}

func TestSet_Errors(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Want(
			"SET k", "ERR wrong number of arguments for 'set' command",
			"SET k v EX", "ERR syntax error",
			"SET k v EX a", "ERR value is not an integer or out of range",
			"SET k v EX 1.5", "ERR value is not an integer or out of range",
			"SET k v EX 0", "ERR invalid expire time in 'set' command",
			"SET k v PX -1", "ERR invalid expire time in 'set' command",
			"SET k v EXAT 0", "ERR invalid expire time in 'set' command",
			"SET k v EX 9223372036854775807", "ERR invalid expire time in 'set' command",
			"SET k v EXAT 9223372036854776", "ERR invalid expire time in 'set' command",
			"SET k v PX 9223372036854775807", "ERR invalid expire time in 'set' command",
			"SET k v EX 10 PX 10", "ERR syntax error",
			"SET k v EX 10 EXAT 10", "ERR syntax error",
			"SET k v EX 10 KEEPTTL", "ERR syntax error",
			"SET k v KEEPTTL EX 10", "ERR syntax error",
			"SET k v PERSIST", "ERR syntax error",
			"SET k v EX a NX foo", "ERR syntax error",
			"SET k v foo", "ERR syntax error",
			"EXISTS k", "0",
			"HSET h f v", "1",
			"SET h v GET EX a", "ERR value is not an integer or out of range",
		)
	})
}

func TestSetNX_SetEX_GetSet(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Want(
			"SETNX k 1", "1",
			"SETNX k 2", "0",
			"HSET h f v", "1",
			"SETNX h 1", "0",
			"SETEX k 100 3", "OK",
			"TTL k", "100",
			"PSETEX k 60000 4", "OK",
			"TTL k", "60",
			"GETSET k 5", `"4"`,
			"TTL k", "-1",
			"GETSET missing 1", "nil",
			"GETSET h 1", "WRONGTYPE Operation against a key holding the wrong kind of value",
			"SETEX h 100 v", "OK",
			"TYPE h", "string",
			"SETEX k 0 v", "ERR invalid expire time in 'setex' command",
			"SETEX k a v", "ERR value is not an integer or out of range",
			"PSETEX k -1 v", "ERR invalid expire time in 'psetex' command",
			"SETEX k 9223372036854775807 v", "ERR invalid expire time in 'setex' command",
			"GET k", `"5"`,
		)
	})
}

func TestMSet(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Want(
			"MSET a 1 b 2", "OK",
			"MGET a b", `["1" "2"]`,
			"MSET a 1 b", "ERR wrong number of arguments for 'mset' command",
			"MSET a 3 a 4", "OK",
			"GET a", `"4"`,
			"MSETNX c 1 a 2", "0",
			"EXISTS c", "0",
			"MSETNX c 1 c 2", "1",
			"GET c", `"2"`,
			"MSETNX c 1 d", "ERR wrong number of arguments for 'msetnx' command",
			"SET e 1 EX 100", "OK",
			"HSET h f v", "1",
			"MSET e 2 h 3", "OK",
			"TTL e", "-1",
			"GET h", `"3"`,
		)
	})
}

// A reply aliases the memory of the string, which a later command of the same transaction overwrites.
func TestSet_InATransactionKeepsEarlierReplies(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Want(
			"SET k aaa", "OK",
			"MULTI", "OK",
			"GET k", "QUEUED",
			"SET k bbb GET", "QUEUED",
			"GETRANGE k 0 1", "QUEUED",
			"SETRANGE k 0 c", "QUEUED",
			"INCR k", "QUEUED",
			"GET k", "QUEUED",
			"EXEC", `["aaa" "aaa" "bb" 3 ERR value is not an integer or out of range "cbb"]`,
		)
	})
}

func TestSet_NoChangeDoesNotModifyWatchedKey(t *testing.T) {
	for line, changes := range map[string]bool{
		"SET k 2 NX":       false,
		"SETNX k 2":        false,
		"MSETNX new 1 k 2": false,
		"GETEX k":          false,
		"SETRANGE k 0 ''":  false,
		"SETBIT k 0 0":     false,
		"PERSIST k":        false,
		"EXPIRE k 10 XX":   false,
		"RENAME k k":       false,
		"COPY other k":     false,
		"GET k":            false,
		"INCRBYFLOAT k x":  false,
		"SET k 1":          true,
		"APPEND k ''":      true,
		"INCRBY k 0":       true,
		"GETEX k EX 10":    true,
		"EXPIRE k 10":      true,
		"RENAME other k":   true,
		"MOVE k 1":         true,
	} {
		commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
			c.Want("MSET k 1 other 2", "OK", "WATCH k", "OK")
			commandtest.NewClient(t, c.Env).Do(line)
			want := "[PONG]"
			if changes {
				want = "nil-array"
			}
			c.Want("MULTI", "OK", "PING", "QUEUED")
			require.Equal(t, want, c.Do("EXEC"), line)
		})
	}
}
