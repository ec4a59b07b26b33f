package data_test

import (
	"testing"

	"github.com/minilockd/minilockd/command/commandtest"
)

const syntaxError = "ERR syntax error"

func TestSet_IfEqual(t *testing.T) {
	for _, server := range []string{"8.4", "valkey-8.1"} {
		commandtest.InBubbleOf(t, server, func(c *commandtest.BubbleClient) {
			c.Want(
				"SET k a IFEQ a", "nil",
				"SET k a", "OK",
				"SET k b IFEQ a EX 10", "OK",
				"TTL k", "10",
				"SET k c IFEQ a", "nil",
				"SET k c IFEQ b KEEPTTL", "OK",
				"TTL k", "10",
				"SET k d GET IFEQ x", `"c"`,
				"SET k d ifeq c get", `"c"`,
				"GET k", `"d"`,
				"SET k NX IFEQ d", "OK",
				"SET k e IFEQ", syntaxError,
				"SET k e IFEQ d NX", syntaxError,
				"SET k e XX IFEQ d", syntaxError,
				"SET k e IFEQ d IFEQ d", syntaxError,
				"SET k e IFEQ x EX 0", "ERR invalid expire time in 'set' command",
				"HSET h f v", "1",
				"SET h e IFEQ d", wrongType,
				"SET h e IFEQ d GET", wrongType,
			)
		})
	}
	for _, server := range []string{"7.2", "8.2"} {
		commandtest.InBubbleOf(t, server, func(c *commandtest.BubbleClient) {
			c.Want("SET k a IFEQ a", syntaxError, "SET IFEQ IFEQ", "OK")
		})
	}
}

func TestSet_OtherComparisons(t *testing.T) {
	const hello = "9555e8555c62dcfd" // its digest
	commandtest.InBubbleOf(t, "8.4", func(c *commandtest.BubbleClient) {
		c.Want(
			"SET k hello IFNE hello", "OK",
			"SET k x IFNE hello", "nil",
			"DIGEST k", `"`+hello+`"`,
			"SET k x IFDNE "+hello, "nil",
			"SET k x IFDEQ 0000000000000000", "nil",
			"SET k x IFDEQ 9555E8555C62DCFD", "OK",
			"SET k y IFDNE "+hello, "OK",
			"SET k y IFDEQ 123", "ERR must be exactly 16 hexadecimal characters",
			"SET missing y IFDEQ 123", "nil",
			"SET missing y IFDNE 123", "OK",
			"HSET h f v", "1",
			"SET h y IFDEQ 123", wrongType,
		)
	})
	commandtest.InBubbleOf(t, "valkey-9.1", func(c *commandtest.BubbleClient) {
		c.Want("SET k a IFNE a", syntaxError)
	})
}

func TestDigest(t *testing.T) {
	commandtest.InBubbleOf(t, "8.4", func(c *commandtest.BubbleClient) {
		c.Want(
			"DIGEST missing", "nil",
			"SET k v8lf0c11xh8ymlqztfd3eeq16kfn4sspw7fqmnuuq3k3t75em5wdizgcdw7uc26nnf961u2jkfzkjytls2kwlj7626sd", "OK",
			"DIGEST k", `"00006c38adf31777"`,
			"SET empty ''", "OK",
			"DIGEST empty", `"2d06800538d394c2"`,
			"HSET h f v", "1",
			"DIGEST h", wrongType,
		)
	})
}

func TestDelEx(t *testing.T) {
	commandtest.InBubbleOf(t, "8.4", func(c *commandtest.BubbleClient) {
		c.Want(
			"DELEX missing", "0",
			"DELEX missing IFEQ a", "0",
			"DELEX missing FOO a", "0",
			"DELEX missing IFEQ", "ERR wrong number of arguments for 'delex' command",
			"SET k a", "OK",
			"DELEX k IFEQ b", "0",
			"DELEX k IFNE a", "0",
			"DELEX k FOO a", "ERR Invalid condition. Use IFEQ, IFNE, IFDEQ, or IFDNE",
			"DELEX k IFDEQ 1", "ERR must be exactly 16 hexadecimal characters",
			"DELEX k ifeq a", "1",
			"EXISTS k", "0",
			"HSET h f v", "1",
			"DELEX h IFEQ a", "ERR Key should be of string type if conditions are specified",
			"DELEX h", "1",
		)
		c.Do("SET k 12")
		c.WantEvents("DELEX k IFNE 12")
		c.WantEvents("DELEX k IFNE 1", "del k")
	})
}

func TestMSetEx(t *testing.T) {
	for server, errs := range map[string][2]string{
		"8.4":        {"ERR invalid numkeys value", "ERR wrong number of key-value pairs"},
		"valkey-9.1": {"ERR invalid numkeys value or out of range", syntaxError},
	} {
		commandtest.InBubbleOf(t, server, func(c *commandtest.BubbleClient) {
			c.Want(
				"MSETEX 2 a 1 b 2 EX 10", "1",
				"TTL b", "10",
				"MSETEX 2 a 3 c 4 NX", "0",
				"MSETEX 2 a 3 c 4 XX", "0",
				"MSETEX 2 a 3 b 4 KEEPTTL XX", "1",
				"MGET a b c", `["3" "4" nil]`,
				"TTL a", "10",
				"MSETEX 2 a 5 a 6", "1",
				"MGET a", `["6"]`,
				"TTL a", "-1",
				"MSETEX 0 a 1", errs[0],
				"MSETEX x a 1", errs[0],
				"MSETEX 2147483648 a 1", errs[0],
				"MSETEX 2 a 1", errs[1],
				"MSETEX 2147483647 a 1", errs[1],
				"MSETEX 1 a 1 b 2", syntaxError,
				"MSETEX 1 a 1 NX XX", syntaxError,
				"MSETEX 1 a 1 EX 1 PX 1", syntaxError,
				"MSETEX 1 a 1 GET", syntaxError,
				"MSETEX 1 a 1 EX 0", "ERR invalid expire time in 'msetex' command",
				"COMMAND GETKEYS MSETEX 2 a 1 b 2 EX 10", `["a" "b"]`,
			)
			c.WantEvents("MSETEX 2 a 1 b 2 PX 100", "set a", "expire a", "set b", "expire b")
		})
	}
}

// Valkey lets a key expire whose new expiry has passed, and SET does not store it before.
func TestExpire_InThePast_Events(t *testing.T) {
	for server, event := range map[string]string{"8.2": "del k", "valkey-9.1": "expired k"} {
		commandtest.InBubbleOf(t, server, func(c *commandtest.BubbleClient) {
			for _, line := range []string{"EXPIRE k -1", "PEXPIREAT k 0", "GETEX k PXAT 1"} {
				c.Do("SET k v")
				c.WantEvents(line, event)
				c.WantEvents(line)
			}
		})
	}
	commandtest.InBubbleOf(t, "valkey-9.1", func(c *commandtest.BubbleClient) {
		c.WantEvents("SET k v PXAT 1")
		c.Want("SET k a", "OK")
		c.WantEvents("SET k b GET PXAT 1", "expired k")
	})
}

func TestGetEx_ChecksExpiryFirst(t *testing.T) {
	for server, want := range map[string]string{"8.2": "nil", "valkey-9.1": "ERR invalid expire time in 'getex' command"} {
		commandtest.InBubbleOf(t, server, func(c *commandtest.BubbleClient) { c.Want("GETEX missing EX 0", want) })
	}
}
