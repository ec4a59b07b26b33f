package data_test

import (
	"testing"

	"github.com/minilockd/minilockd/command/commandtest"
)

func TestZSets_Scan(t *testing.T) {
	commandtest.InBubbleOf(t, "7.0", func(c *commandtest.BubbleClient) {
		c.Want(
			"ZADD z 1 a 2.5 b 3 ab", "3",
			"ZSCAN z 0", `["0" ["a" "1" "b" "2.5" "ab" "3"]]`,
			"ZSCAN z 0 MATCH a* COUNT 100", `["0" ["a" "1" "ab" "3"]]`,
			"ZSCAN missing 0", `["0" []]`,
			"ZSCAN z x", "ERR invalid cursor",
			"ZSCAN z 0 COUNT 0", "ERR syntax error",
			"ZSCAN z 0 TYPE zset", "ERR syntax error",
			"ZADD large 1e17 a 1e25 b -0 c inf d", "4",
			"ZSCAN large 0", `["0" ["c" "0" "a" "100000000000000000" "b" "1.0000000000000001e+25" "d" "inf"]]`,
			"SET s x", "OK",
			"ZSCAN s 0", "WRONGTYPE Operation against a key holding the wrong kind of value",
		)
		c.Do("HELLO 3")
		c.Want(
			"ZSCAN z 0", `["0" ["a" "1" "b" "2.5" "ab" "3"]]`,
		)
	})
}

func TestZSets_RandMember(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Want(
			"ZADD z 1 a", "1",
			"ZRANDMEMBER z", `"a"`,
			"ZRANDMEMBER z 5", `["a"]`,
			"ZRANDMEMBER z 5 WITHSCORES", `["a" "1"]`,
			"ZRANDMEMBER z -3", `["a" "a" "a"]`,
			"ZRANDMEMBER z -2 WITHSCORES", `["a" "1" "a" "1"]`,
			"ZRANDMEMBER z 0", "[]",
			"ZRANDMEMBER missing", "nil",
			"ZRANDMEMBER missing 2", "[]",
			"ZRANDMEMBER z x", "ERR value is not an integer or out of range",
			"ZRANDMEMBER z x WITHSCORES", "ERR value is not an integer or out of range",
			"ZRANDMEMBER z 1 WITHVALUES", "ERR syntax error",
			"ZRANDMEMBER z 1 WITHSCORES 1", "ERR syntax error",
			"ZRANDMEMBER z -9223372036854775808",
			"ERR value is out of range, value must between -9223372036854775807 and 9223372036854775807",
			"ZRANDMEMBER z -9223372036854775807 WITHSCORES", "ERR value is out of range",
			"ZRANDMEMBER z 9223372036854775807 WITHSCORES", "ERR value is out of range",
			"SET s x", "OK",
			"ZRANDMEMBER s", "WRONGTYPE Operation against a key holding the wrong kind of value",
			"ZRANDMEMBER s 1", "WRONGTYPE Operation against a key holding the wrong kind of value",
		)
		c.Do("HELLO 3")
		c.Want(
			"ZRANDMEMBER z 5 WITHSCORES", `[["a" 1]]`,
			"ZRANDMEMBER missing", "nil",
		)
	})
}
