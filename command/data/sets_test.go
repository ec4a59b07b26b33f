package data_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/minilockd/minilockd/command/commandtest"
	"github.com/minilockd/minilockd/internal/require"
)

func TestSets_Member(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Want(
			"SADD s 3 1 2 1", "3",
			"SADD s 2 4", "1",
			"SMEMBERS s", `["1" "2" "3" "4"]`,
			"SCARD s", "4",
			"SISMEMBER s 2", "1",
			"SISMEMBER s 5", "0",
			"SISMEMBER missing 1", "0",
			"SMISMEMBER s 1 9 3", "[1 0 1]",
			"SMISMEMBER missing 1 2", "[0 0]",
			"SCARD missing", "0",
			"SMEMBERS missing", "[]",
			"SREM s 1 9 1", "1",
			"SREM s 2 3 4", "3",
			"EXISTS s", "0",
			"SREM s 1", "0",
			"SADD one ''", "1",
			"SMEMBERS one", `[""]`,
			"SET text x", "OK",
			"SADD text a", "WRONGTYPE Operation against a key holding the wrong kind of value",
			"SREM text a", "WRONGTYPE Operation against a key holding the wrong kind of value",
			"SCARD text", "WRONGTYPE Operation against a key holding the wrong kind of value",
			"SMEMBERS text", "WRONGTYPE Operation against a key holding the wrong kind of value",
			"SISMEMBER text a", "WRONGTYPE Operation against a key holding the wrong kind of value",
			"SMISMEMBER text a", "WRONGTYPE Operation against a key holding the wrong kind of value",
		)
		c.Do("HELLO 3")
		c.Want(
			"SADD s 1 2", "2",
			"SMEMBERS s", `["1" "2"]`,
			"SISMEMBER s 1", "1",
			"SMISMEMBER s 1 9", "[1 0]",
		)
	})
}

func TestSets_Move(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Want(
			"SADD x 1 2 3", "3",
			"SADD y 3", "1",
			"SMOVE x y 1", "1",
			"SMOVE x y 3", "1",
			"SMOVE x y 9", "0",
			"SMOVE x new 2", "1",
			"EXISTS x", "0",
			"SMEMBERS y", `["1" "3"]`,
			"SMEMBERS new", `["2"]`,
			"SMOVE missing y 1", "0",
			"SMOVE y y 1", "1",
			"SMOVE y y 9", "0",
			"SET s x", "OK",
			"SMOVE s y 1", "WRONGTYPE Operation against a key holding the wrong kind of value",
			"SMOVE y s 1", "WRONGTYPE Operation against a key holding the wrong kind of value",
			"SMOVE missing s 1", "0",
		)
	})
}

func TestSets_Member_Events(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.WantEvents("SADD x 1 2", "sadd x")
		c.WantEvents("SADD x 1")
		c.WantEvents("SREM x 9")
		c.WantEvents("SREM x 1", "srem x")
		c.WantEvents("SMOVE x y 9")
		c.WantEvents("SMOVE x y 2", "srem x", "del x", "sadd y")
		c.Do("SADD x 2 3")
		c.WantEvents("SMOVE x y 2", "srem x")
		c.WantEvents("SMOVE y y 2")
		c.WantEvents("SREM y 2", "srem y", "del y")
	})
}

func TestSets_Operations(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Want(
			"SADD x 1 2 3 4", "4",
			"SADD y 2 4 6", "3",
			"SADD z 4", "1",
			"SUNION x y", `["1" "2" "3" "4" "6"]`,
			"SUNION x missing", `["1" "2" "3" "4"]`,
			"SINTER x y", `["2" "4"]`,
			"SINTER x y z", `["4"]`,
			"SINTER x missing", "[]",
			"SDIFF x y", `["1" "3"]`,
			"SDIFF x y z", `["1" "3"]`,
			"SDIFF missing x", "[]",
			"SDIFF x x", "[]",
			"SUNIONSTORE to x y", "5",
			"SMEMBERS to", `["1" "2" "3" "4" "6"]`,
			"SINTERSTORE to to y", "3",
			"SMEMBERS to", `["2" "4" "6"]`,
			"SDIFFSTORE to to z", "2",
			"SMEMBERS to", `["2" "6"]`,
			"SDIFFSTORE to x x", "0",
			"EXISTS to", "0",
			"SET text x", "OK",
			"SINTERSTORE text x", "4",
			"TYPE text", "set",
			"SET s x", "OK",
			"SUNION x s", "WRONGTYPE Operation against a key holding the wrong kind of value",
			"SINTER missing s", "WRONGTYPE Operation against a key holding the wrong kind of value",
			"SDIFF s", "WRONGTYPE Operation against a key holding the wrong kind of value",
			"SUNIONSTORE to s", "WRONGTYPE Operation against a key holding the wrong kind of value",
			"SINTERSTORE s missing", "0",
			"EXISTS s", "0",
		)
		c.Do("HELLO 3")
		c.Want(
			"SINTER x y", `["2" "4"]`,
			"SUNION missing", "[]",
		)
	})
}

func TestSets_Operations_Card(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Want(
			"SADD x 1 2 3 4", "4",
			"SADD y 2 4 6", "3",
			"SINTERCARD 2 x y", "2",
			"SINTERCARD 2 x y LIMIT 1", "1",
			"SINTERCARD 2 x y LIMIT 0", "2",
			"SINTERCARD 2 x missing", "0",
			"SINTERCARD 0 x", "ERR numkeys should be greater than 0",
			"SINTERCARD a x", "ERR numkeys should be greater than 0",
			"SINTERCARD 3 x y", "ERR Number of keys can't be greater than number of args",
			"SINTERCARD 1 x LIMIT -1", "ERR LIMIT can't be negative",
			"SINTERCARD 1 x LIMIT a", "ERR LIMIT can't be negative",
			"SINTERCARD 1 x LIMIT", "ERR syntax error",
			"SINTERCARD 1 x COUNT 1", "ERR syntax error",
			"SET s x", "OK",
			"SINTERCARD 2 missing s", "WRONGTYPE Operation against a key holding the wrong kind of value",
			"SINTERCARD 1 s LIMIT -1", "ERR LIMIT can't be negative",
		)
	})
}

func TestSets_Operations_Events(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Do("SADD x 1 2")
		c.WantEvents("SUNIONSTORE to x", "sunionstore to")
		c.WantEvents("SINTERSTORE to x", "sinterstore to")
		c.WantEvents("SDIFFSTORE to x", "sdiffstore to")
		c.WantEvents("SDIFFSTORE to x x", "del to")
		c.WantEvents("SDIFFSTORE to x x")
	})
}

func TestSets_Pop(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Want(
			"SADD s 1", "1",
			"SPOP s", `"1"`,
			"EXISTS s", "0",
			"SPOP s", "nil",
			"SPOP s 3", "[]",
			"SADD s 1", "1",
			"SPOP s 0", "[]",
			"SPOP s 5", `["1"]`,
			"EXISTS s", "0",
			"SPOP s -1", "ERR value is out of range, must be positive",
			"SPOP s x", "ERR value is out of range, must be positive",
			"SPOP s 1 2", "ERR syntax error",
			"SET text x", "OK",
			"SPOP text", "WRONGTYPE Operation against a key holding the wrong kind of value",
			"SPOP text 0", "WRONGTYPE Operation against a key holding the wrong kind of value",
			"SPOP text -1", "ERR value is out of range, must be positive",
		)
		c.Do("HELLO 3")
		c.Want(
			"SPOP missing", "nil",
			"SPOP missing 1", "[]",
		)
	})
}

func TestSets_Pop_Events(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Do("SADD s 1 2 3")
		c.WantEvents("SPOP s", "spop s")
		c.WantEvents("SPOP s 0")
		c.WantEvents("SPOP s 9", "spop s", "del s")
		c.WantEvents("SPOP s 9")
	})
}

func TestSets_RandMember(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Want(
			"SADD s 1", "1",
			"SRANDMEMBER s", `"1"`,
			"SRANDMEMBER s 5", `["1"]`,
			"SRANDMEMBER s -3", `["1" "1" "1"]`,
			"SRANDMEMBER s 0", "[]",
			"SRANDMEMBER missing", "nil",
			"SRANDMEMBER missing 3", "[]",
			"SRANDMEMBER s x", "ERR value is not an integer or out of range",
			"SRANDMEMBER s 1 2", "ERR syntax error",
			"SRANDMEMBER s -9223372036854775808",
			"ERR value is out of range, value must between -9223372036854775807 and 9223372036854775807",
			"SCARD s", "1",
			"SET text x", "OK",
			"SRANDMEMBER text", "WRONGTYPE Operation against a key holding the wrong kind of value",
			"SRANDMEMBER text 1", "WRONGTYPE Operation against a key holding the wrong kind of value",
		)
		c.Do("HELLO 3")
		c.Want(
			"SRANDMEMBER s 2", `["1"]`,
			"SRANDMEMBER missing", "nil",
		)
	})
}

func TestSets_Scan(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Want(
			"SADD s 1 2 12", "3",
			"SSCAN s 0", `["0" ["1" "2" "12"]]`,
			"SSCAN s 0 MATCH 1* COUNT 100", `["0" ["1" "12"]]`,
			"SSCAN missing 0", `["0" []]`,
			"SSCAN s x", "ERR invalid cursor",
			"SSCAN s 0 COUNT 0", "ERR syntax error",
			"SSCAN s 0 COUNT", "ERR syntax error",
			"SET text x", "OK",
			"SSCAN text 0", "WRONGTYPE Operation against a key holding the wrong kind of value",
		)
	})
}

func TestSets_Encoding(t *testing.T) {
	for server, packed := range map[string]string{"7.0": `"hashtable"`, "7.2": `"listpack"`, "valkey-9.1": `"listpack"`} {
		commandtest.InBubbleOf(t, server, func(c *commandtest.BubbleClient) {
			c.Want(
				"SADD s 1 2 3", "3",
				"OBJECT ENCODING s", `"intset"`,
				"SADD s a", "1",
				"OBJECT ENCODING s", packed,
				"SREM s a", "1",
				"OBJECT ENCODING s", packed,
			)
		})
	}
}

func TestSets_Encoding_ByThresholds(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Want(
			"CONFIG SET set-max-intset-entries 2 set-max-listpack-entries 4 set-max-listpack-value 3", "OK",
			"SADD ints 1 2", "2",
			"OBJECT ENCODING ints", `"intset"`,
			"SADD ints 3", "1",
			"OBJECT ENCODING ints", `"hashtable"`,
			"SADD long abc abcd", "2",
			"OBJECT ENCODING long", `"hashtable"`,
			"SADD many a b c d", "4",
			"OBJECT ENCODING many", `"listpack"`,
			"SADD many e", "1",
			"OBJECT ENCODING many", `"hashtable"`,
			"SADD a 1 x", "2",
			"SADD b 1 2", "2",
			"SINTERSTORE d a b", "1",
			"OBJECT ENCODING d", `"intset"`,
		)
	})
}

// Redis 7.2 chooses by what a call is going to add, and an operation begins with integers.
func TestSets_Encoding_FarThresholds(t *testing.T) {
	for server, want := range map[string][]string{
		"7.0": {`"hashtable"`, `"intset"`, `"hashtable"`}, "8.2": {`"listpack"`, `"listpack"`, `"hashtable"`},
	} {
		commandtest.InBubbleOf(t, server, func(c *commandtest.BubbleClient) {
			c.Want(
				"CONFIG SET set-max-intset-entries 2", "OK",
				"SADD more 1 2 3", "3",
				"OBJECT ENCODING more", want[0],
				"SADD same 1 1 1", "1",
				"OBJECT ENCODING same", want[1],
				"SUNIONSTORE d more", "3",
				"OBJECT ENCODING d", want[2],
			)
		})
	}
}

func TestSets_Large_RandomMembersDiffer(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		for i := range 1000 {
			c.Do(fmt.Sprintf("SADD s m%d", i))
		}
		for _, line := range []string{"SRANDMEMBER s 10", "SRANDMEMBER s 900", "SPOP s 10", "SPOP s 900"} {
			members := strings.Fields(strings.Trim(c.Do(line), "[]"))
			distinct := map[string]bool{}
			for _, m := range members {
				distinct[m] = true
			}
			require.Len(t, distinct, len(members), line)
		}
		c.Want("SCARD s", "90", "OBJECT ENCODING s", `"hashtable"`)
	})
}

// One command must not use up the memory of the process.
func TestSets_RandMember_LimitsRepetitions(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Want(
			"SADD s a", "1",
			"SRANDMEMBER s -9223372036854775807", "ERR value is out of range",
			"ZADD z 1 a", "1",
			"ZRANDMEMBER z -9223372036854775807", "ERR value is out of range",
		)
	})
}
