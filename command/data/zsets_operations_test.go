package data_test

import (
	"testing"

	"github.com/minilockd/minilockd/command/commandtest"
)

func TestZSets_Union(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Want(
			"ZADD x 1 a 2 b", "2",
			"ZADD y 10 b 20 c", "2",
			"SADD set b d", "2",
			"ZUNION 2 x y", `["a" "b" "c"]`,
			"ZUNION 2 x y WITHSCORES", `["a" "1" "b" "12" "c" "20"]`,
			"ZUNION 2 x y WEIGHTS 2 3 WITHSCORES", `["a" "2" "b" "34" "c" "60"]`,
			"ZUNION 2 x y AGGREGATE MIN WITHSCORES", `["a" "1" "b" "2" "c" "20"]`,
			"ZUNION 2 x y AGGREGATE max WITHSCORES", `["a" "1" "b" "10" "c" "20"]`,
			"ZUNION 3 x y set WITHSCORES", `["a" "1" "d" "1" "b" "13" "c" "20"]`,
			"ZUNION 2 x x WITHSCORES", `["a" "2" "b" "4"]`,
			"ZUNION 1 missing", "[]",
			"ZUNIONSTORE to 2 x missing", "2",
			"ZRANGE to 0 -1 WITHSCORES", `["a" "1" "b" "2"]`,
			"ZUNIONSTORE to 2 to y WEIGHTS 1 0.5 AGGREGATE SUM", "3",
			"ZRANGE to 0 -1 WITHSCORES", `["a" "1" "b" "7" "c" "10"]`,
			"SET text x", "OK",
			"ZUNIONSTORE text 1 set", "2",
			"TYPE text", "zset",
			"ZUNIONSTORE to 1 missing", "0",
			"EXISTS to", "0",
			"ZADD p inf a", "1",
			"ZADD n -inf a", "1",
			"ZUNION 2 p n WITHSCORES", `["a" "0"]`,
			"ZUNION 1 p WEIGHTS 0 WITHSCORES", `["a" "0"]`,
			"ZINTER 2 p n AGGREGATE MIN WITHSCORES", `["a" "-inf"]`,
			"ZUNION 1 x WEIGHTS -0 WITHSCORES", `["a" "-0" "b" "-0"]`,
		)
		c.Do("HELLO 3")
		c.Want(
			"ZUNION 1 x", `["a" "b"]`,
			"ZUNION 1 x WITHSCORES", `[["a" 1] ["b" 2]]`,
		)
	})
}

func TestZSets_Inter(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Want(
			"ZADD x 1 a 2 b 3 c", "3",
			"ZADD y 10 b 20 c 30 d", "3",
			"SADD set b d", "2",
			"ZINTER 2 x y", `["b" "c"]`,
			"ZINTER 2 x y WITHSCORES", `["b" "12" "c" "23"]`,
			"ZINTER 2 x y WEIGHTS 2 1 AGGREGATE MAX WITHSCORES", `["b" "10" "c" "20"]`,
			"ZINTER 3 x y set WITHSCORES", `["b" "13"]`,
			"ZINTER 2 x missing", "[]",
			"ZINTERSTORE to 2 x y", "2",
			"ZRANGE to 0 -1 WITHSCORES", `["b" "12" "c" "23"]`,
			"ZINTERSTORE to 2 x missing", "0",
			"EXISTS to", "0",
			"ZINTERCARD 2 x y", "2",
			"ZINTERCARD 2 x y LIMIT 1", "1",
			"ZINTERCARD 2 x y LIMIT 0", "2",
			"ZINTERCARD 2 x missing", "0",
			"ZINTERCARD 2 x y LIMIT -1", "ERR LIMIT can't be negative",
			"ZINTERCARD 2 x y LIMIT a", "ERR LIMIT can't be negative",
			"ZINTERCARD 2 x y WITHSCORES", "ERR syntax error",
		)
	})
}

func TestZSets_Diff(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Want(
			"ZADD x 1 a 2 b 3 c", "3",
			"ZADD y 10 b", "1",
			"SADD set c", "1",
			"ZDIFF 2 x y", `["a" "c"]`,
			"ZDIFF 3 x y set WITHSCORES", `["a" "1"]`,
			"ZDIFF 2 x x", "[]",
			"ZDIFF 2 missing x", "[]",
			"ZDIFFSTORE to 2 x y", "2",
			"ZRANGE to 0 -1 WITHSCORES", `["a" "1" "c" "3"]`,
			"ZDIFFSTORE to 2 x x", "0",
			"EXISTS to", "0",
			"ZDIFF 2 x y WEIGHTS 1 2", "ERR syntax error",
			"ZDIFF 2 x y AGGREGATE SUM", "ERR syntax error",
			"ZDIFFSTORE to 2 x y WITHSCORES", "ERR syntax error",
		)
	})
}

func TestZSets_Operations_Errors(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Want(
			"ZADD x 1 a", "1",
			"SET s x", "OK",
			"ZUNION 0 x", "ERR at least 1 input key is needed for 'zunion' command",
			"ZUNIONSTORE to 0 x", "ERR at least 1 input key is needed for 'zunionstore' command",
			"ZINTERCARD 0 x", "ERR at least 1 input key is needed for 'zintercard' command",
			"ZDIFF -1 x", "ERR at least 1 input key is needed for 'zdiff' command",
			"ZUNION one x", "ERR value is not an integer or out of range",
			"ZUNION 2 x", "ERR syntax error",
			"ZUNION 2 x s AGGREGATE avg", "WRONGTYPE Operation against a key holding the wrong kind of value",
			"ZUNION 1 x AGGREGATE avg", "ERR syntax error",
			"ZUNION 1 x AGGREGATE", "ERR syntax error",
			"ZUNION 1 x WEIGHTS one", "ERR weight value is not a float",
			"ZUNION 1 x WEIGHTS nan", "ERR weight value is not a float",
			"ZUNION 1 x WEIGHTS 1 2", "ERR syntax error",
			"ZUNION 1 x WEIGHTS", "ERR syntax error",
			"ZUNION 1 x LIMIT 1", "ERR syntax error",
			"ZUNIONSTORE to 1 x WITHSCORES", "ERR syntax error",
			"ZINTERSTORE to 2 x s", "WRONGTYPE Operation against a key holding the wrong kind of value",
			"ZDIFFSTORE to 1 s", "WRONGTYPE Operation against a key holding the wrong kind of value",
			"ZINTERCARD 1 s", "WRONGTYPE Operation against a key holding the wrong kind of value",
		)
	})
}

func TestZSets_Operations_Events(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Do("ZADD x 1 a")
		c.WantEvents("ZUNIONSTORE to 1 x", "zunionstore to")
		c.WantEvents("ZINTERSTORE to 1 x", "zinterstore to")
		c.WantEvents("ZDIFFSTORE to 1 x", "zdiffstore to")
		c.WantEvents("ZDIFFSTORE to 2 x x", "del to")
		c.WantEvents("ZINTERSTORE to 2 x missing")
	})
}
