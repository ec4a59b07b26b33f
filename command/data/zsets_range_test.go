package data_test

import (
	"testing"

	"github.com/minilockd/minilockd/command/commandtest"
)

func TestZSets_Range_ByRank(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Want(
			"ZADD z 1 a 2 b 3 c 4 d", "4",
			"ZRANGE z 0 -1", `["a" "b" "c" "d"]`,
			"ZRANGE z 1 2 WITHSCORES", `["b" "2" "c" "3"]`,
			"ZRANGE z -2 -1", `["c" "d"]`,
			"ZRANGE z 0 1 REV", `["d" "c"]`,
			"ZRANGE z 3 1", "[]",
			"ZRANGE z 2 100", `["c" "d"]`,
			"ZRANGE z -100 0", `["a"]`,
			"ZREVRANGE z 0 1 WITHSCORES", `["d" "4" "c" "3"]`,
			"ZREVRANGE z 1 -2", `["c" "b"]`,
			"ZRANGE missing 0 -1", "[]",
			"ZRANGE z 0 -1 LIMIT 1 -1", `["a" "b" "c" "d"]`,
			"ZRANGE z 0 -1 LIMIT 0 1",
			"ERR syntax error, LIMIT is only supported in combination with either BYSCORE or BYLEX",
			"ZREVRANGE z 0 -1 LIMIT 0 1",
			"ERR syntax error, LIMIT is only supported in combination with either BYSCORE or BYLEX",
			"ZREVRANGE z 0 -1 REV", "ERR syntax error",
			"ZREVRANGE z 0 -1 BYSCORE", "ERR syntax error",
			"ZRANGE z 0 -1 REV REV", "ERR syntax error",
			"ZRANGE z 0 x", "ERR value is not an integer or out of range",
			"ZRANGE z 1.5 2", "ERR value is not an integer or out of range",
			"ZRANGE z 0 -1 SOMETHING", "ERR syntax error",
			"SET s x", "OK",
			"ZRANGE s 0 -1", "WRONGTYPE Operation against a key holding the wrong kind of value",
			"ZRANGE s 0 x", "ERR value is not an integer or out of range",
		)
		c.Do("HELLO 3")
		c.Want(
			"ZRANGE z 0 0 WITHSCORES", `[["a" 1]]`,
			"ZREVRANGE z 0 0 WITHSCORES", `[["d" 4]]`,
			"ZRANGE z 0 0", `["a"]`,
		)
	})
}

func TestZSets_Range_ByScore(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Want(
			"ZADD z 1 a 2 b 3 c 4 d", "4",
			"ZRANGE z 2 3 BYSCORE", `["b" "c"]`,
			"ZRANGE z (2 3 BYSCORE WITHSCORES", `["c" "3"]`,
			"ZRANGE z -inf (3 BYSCORE", `["a" "b"]`,
			"ZRANGE z 3 2 BYSCORE REV", `["c" "b"]`,
			"ZRANGE z 2 3 BYSCORE REV", "[]",
			"ZRANGE z +inf -inf BYSCORE REV LIMIT 1 2", `["c" "b"]`,
			"ZRANGE z -inf +inf BYSCORE LIMIT 1 2", `["b" "c"]`,
			"ZRANGE z -inf +inf BYSCORE LIMIT -1 2", "[]",
			"ZRANGE z -inf +inf BYSCORE LIMIT 2 -1", `["c" "d"]`,
			"ZRANGE z -inf +inf BYSCORE LIMIT 9 1", "[]",
			"ZRANGE z -inf +inf BYSCORE LIMIT 0 0", "[]",
			"ZRANGEBYSCORE z 2 +inf", `["b" "c" "d"]`,
			"ZRANGEBYSCORE z (2 (4 WITHSCORES LIMIT 0 5", `["c" "3"]`,
			"ZREVRANGEBYSCORE z +inf 2 LIMIT 0 2", `["d" "c"]`,
			"ZREVRANGEBYSCORE z 2 +inf", "[]",
			"ZCOUNT z 2 3", "2",
			"ZCOUNT z (2 (3", "0",
			"ZCOUNT z 3 2", "0",
			"ZCOUNT missing 0 1", "0",
			"ZRANGEBYSCORE z '' 1e400", `["a" "b" "c" "d"]`,
			"ZRANGEBYSCORE z one 2", "ERR min or max is not a float",
			"ZRANGEBYSCORE z 1 (", "[]",
			"ZRANGEBYSCORE z 1 ((2", "ERR min or max is not a float",
			"ZRANGEBYSCORE z nan 2", "ERR min or max is not a float",
			"ZRANGEBYSCORE z 1 2 LIMIT 1", "ERR syntax error",
			"ZRANGEBYSCORE z 1 2 LIMIT a 1", "ERR value is not an integer or out of range",
			"ZRANGEBYSCORE z 1 2 REV", "ERR syntax error",
			"ZRANGE z 1 2 BYSCORE BYLEX", "ERR syntax error",
			"ZCOUNT z one 2", "ERR min or max is not a float",
			"SET s x", "OK",
			"ZCOUNT s 1 2", "WRONGTYPE Operation against a key holding the wrong kind of value",
			"ZCOUNT s one 2", "ERR min or max is not a float",
			"ZRANGEBYSCORE s 1 2", "WRONGTYPE Operation against a key holding the wrong kind of value",
			"ZREVRANGEBYSCORE s 1 x", "ERR min or max is not a float",
		)
	})
}

func TestZSets_Range_ByLex(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Want(
			"ZADD z 0 a 0 b 0 c 0 d", "4",
			"ZRANGE z - + BYLEX", `["a" "b" "c" "d"]`,
			"ZRANGE z [b (d BYLEX", `["b" "c"]`,
			"ZRANGE z (d [b BYLEX REV", `["c" "b"]`,
			"ZRANGE z + - BYLEX REV LIMIT 1 2", `["c" "b"]`,
			"ZRANGEBYLEX z [b +", `["b" "c" "d"]`,
			"ZRANGEBYLEX z (b +  LIMIT 1 1", `["d"]`,
			"ZRANGEBYLEX z + -", "[]",
			"ZREVRANGEBYLEX z [c -", `["c" "b" "a"]`,
			"ZREVRANGEBYLEX z [c - LIMIT 0 1", `["c"]`,
			"ZLEXCOUNT z [b [c", "2",
			"ZLEXCOUNT z - (b", "1",
			"ZLEXCOUNT missing - +", "0",
			"ZRANGEBYLEX z b +", "ERR min or max not valid string range item",
			"ZRANGEBYLEX z '' +", "ERR min or max not valid string range item",
			"ZRANGEBYLEX z -- +", "ERR min or max not valid string range item",
			"ZRANGEBYLEX z [ (", "[]",
			"ZRANGE z - + BYLEX WITHSCORES", "ERR syntax error, WITHSCORES not supported in combination with BYLEX",
			"ZRANGEBYLEX z - + WITHSCORES", "ERR syntax error, WITHSCORES not supported in combination with BYLEX",
			"ZLEXCOUNT z a b", "ERR min or max not valid string range item",
			"SET s x", "OK",
			"ZLEXCOUNT s - +", "WRONGTYPE Operation against a key holding the wrong kind of value",
			"ZRANGEBYLEX s - +", "WRONGTYPE Operation against a key holding the wrong kind of value",
		)
	})
}

func TestZSets_RangeStore(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Want(
			"ZADD z 1 a 2 b 3 c 4 d", "4",
			"ZRANGESTORE to z 1 2", "2",
			"ZRANGE to 0 -1 WITHSCORES", `["b" "2" "c" "3"]`,
			"ZRANGESTORE to z 4 3 BYSCORE REV LIMIT 0 1", "1",
			"ZRANGE to 0 -1 WITHSCORES", `["d" "4"]`,
			"ZRANGESTORE z z 0 1 REV", "2",
			"ZRANGE z 0 -1", `["c" "d"]`,
			"SET text x", "OK",
			"ZRANGESTORE text z 0 -1", "2",
			"TYPE text", "zset",
			"ZRANGESTORE to missing 0 -1", "0",
			"EXISTS to", "0",
			"ZRANGESTORE to z 0 -1 WITHSCORES", "ERR syntax error",
			"ZRANGESTORE to z 0 x", "ERR value is not an integer or out of range",
			"SET s x", "OK",
			"ZRANGESTORE to s 0 -1", "WRONGTYPE Operation against a key holding the wrong kind of value",
			"ZRANGESTORE s z 9 9", "0",
			"EXISTS s", "0",
		)
	})
}

func TestZSets_RangeStore_Events(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Do("ZADD z 1 a 2 b")
		c.WantEvents("ZRANGESTORE to z 0 -1", "zrangestore to")
		c.WantEvents("ZRANGESTORE to z 5 6", "del to")
		c.WantEvents("ZRANGESTORE to z 5 6")
	})
}

func TestZSets_RemoveRange(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Want(
			"ZADD z 1 a 2 b 3 c 4 d 5 e 6 f", "6",
			"ZREMRANGEBYRANK z 0 0", "1",
			"ZREMRANGEBYRANK z -1 -1", "1",
			"ZREMRANGEBYSCORE z (2 3", "1",
			"ZREMRANGEBYSCORE z 100 200", "0",
			"ZRANGE z 0 -1", `["b" "d" "e"]`,
			"ZREMRANGEBYRANK z 0 -1", "3",
			"EXISTS z", "0",
			"ZADD z 0 a 0 b 0 c", "3",
			"ZREMRANGEBYLEX z (a [b", "1",
			"ZRANGE z 0 -1", `["a" "c"]`,
			"ZREMRANGEBYLEX missing - +", "0",
			"ZREMRANGEBYRANK missing 0 -1", "0",
			"ZREMRANGEBYSCORE missing 0 1", "0",
			"ZREMRANGEBYRANK z a b", "ERR value is not an integer or out of range",
			"ZREMRANGEBYSCORE z a b", "ERR min or max is not a float",
			"ZREMRANGEBYLEX z a b", "ERR min or max not valid string range item",
			"SET s x", "OK",
			"ZREMRANGEBYRANK s 0 1", "WRONGTYPE Operation against a key holding the wrong kind of value",
			"ZREMRANGEBYSCORE s 0 1", "WRONGTYPE Operation against a key holding the wrong kind of value",
			"ZREMRANGEBYLEX s - +", "WRONGTYPE Operation against a key holding the wrong kind of value",
			"ZREMRANGEBYLEX s a b", "ERR min or max not valid string range item",
		)
	})
}

func TestZSets_RemoveRange_Events(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Do("ZADD z 0 a 0 b 0 c 0 d")
		c.WantEvents("ZREMRANGEBYRANK z 0 0", "zremrangebyrank z")
		c.WantEvents("ZREMRANGEBYSCORE z 5 6")
		c.WantEvents("ZREMRANGEBYLEX z [b [b", "zremrangebylex z")
		c.WantEvents("ZREMRANGEBYSCORE z 0 0", "zremrangebyscore z", "del z")
	})
}
