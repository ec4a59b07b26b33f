package data_test

import (
	"strings"
	"testing"

	"github.com/minilockd/minilockd/command/commandtest"
	"github.com/minilockd/minilockd/internal/require"
)

func TestObject_Encoding(t *testing.T) {
	commandtest.InBubbleOf(t, "7.0", func(c *commandtest.BubbleClient) {
		c.Want(
			"MSET a 123 b -9223372036854775808 c 9223372036854775808 d 01 e ''", "OK",
			"OBJECT ENCODING a", `"int"`,
			"OBJECT ENCODING b", `"int"`,
			"OBJECT ENCODING c", `"embstr"`,
			"OBJECT ENCODING d", `"embstr"`,
			"OBJECT ENCODING e", `"embstr"`,
			"SET a aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "OK",
			"OBJECT ENCODING a", `"embstr"`,
			"SET a aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "OK",
			"OBJECT ENCODING a", `"raw"`,
			"HSET h f v", "1",
			"OBJECT ENCODING h", `"listpack"`,
			"HSET h f aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "0",
			"OBJECT ENCODING h", `"hashtable"`,
			"OBJECT ENCODING missing", "nil",
		)
	})
}

func TestObject_FreqIdleTimeRefCount(t *testing.T) {
	commandtest.InBubbleOf(t, "8.0", func(c *commandtest.BubbleClient) {
		c.Want(
			"MSET a 9999 b 10000 c text", "OK",
			"OBJECT REFCOUNT a", "2147483647",
			"OBJECT REFCOUNT b", "1",
			"OBJECT REFCOUNT c", "1",
			"OBJECT IDLETIME c", "0",
			"OBJECT FREQ c", "ERR An LFU maxmemory policy is not selected, access frequency not tracked. Please "+
				"note that when switching between policies at runtime LRU and LFU data will take some time to adjust.",
			"OBJECT REFCOUNT missing", "nil",
			"OBJECT IDLETIME missing", "nil",
			"OBJECT FREQ missing", "nil",
			"OBJECT ENCODING", "ERR wrong number of arguments for 'object|encoding' command",
			"OBJECT FOO", "ERR unknown subcommand 'FOO'. Try OBJECT HELP.",
			"OBJECT", "ERR wrong number of arguments for 'object' command",
		)
	})
}

// Values that hold their keys are not shared.
func TestObject_RefCount_OfIntegers(t *testing.T) {
	for server, count := range map[string]string{"7.0": "2147483647", "8.2": "1", "valkey-8.1": "1"} {
		commandtest.InBubbleOf(t, server, func(c *commandtest.BubbleClient) {
			c.Want("SET a 1", "OK", "OBJECT REFCOUNT a", count)
		})
	}
}

func TestObject_Help(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		for _, line := range []string{"ENCODING key", "FREQ key", "HELP", "IDLETIME key", "REFCOUNT key"} {
			require.Contains(t, c.Do("OBJECT HELP"), line)
		}
	})
}

func TestObject_Encoding_OfCollections(t *testing.T) {
	commandtest.InBubbleOf(t, "7.0", func(c *commandtest.BubbleClient) {
		long := strings.Repeat("x", 65)
		c.Want(
			"SADD s 1 2", "2",
			"OBJECT ENCODING s", `"intset"`,
			"SADD s a", "1",
			"OBJECT ENCODING s", `"hashtable"`,
			"ZADD z 1 a", "1",
			"OBJECT ENCODING z", `"listpack"`,
			"ZADD z 1 "+long, "1",
			"OBJECT ENCODING z", `"skiplist"`,
			"RPUSH l a", "1",
			"OBJECT ENCODING l", `"quicklist"`,
			"XADD x 1-1 f v", `"1-1"`,
			"OBJECT ENCODING x", `"stream"`,
		)
	})
}

// Since Redis 8.2 and Valkey 8.1 the key is in the piece of memory of a short string.
func TestObject_Encoding_BesideKey(t *testing.T) {
	for server, limits := range map[string][3]int{"8.0": {44, 44, 44}, "8.2": {40, 1, 32}, "valkey-9.1": {112, 71, 112}} {
		commandtest.InBubbleOf(t, server, func(c *commandtest.BubbleClient) {
			for i, key := range []string{"k", strings.Repeat("k", 40), "e"} {
				for more, want := range []string{`"embstr"`, `"raw"`} {
					c.Do("SET " + key + " " + strings.Repeat("x", limits[i]+more) + []string{"", "", " EX 100"}[i])
					c.Want("OBJECT ENCODING "+key, want)
				}
			}
		})
	}
}
