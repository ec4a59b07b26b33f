package data_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/minilockd/minilockd/command/commandtest"
	"github.com/minilockd/minilockd/internal/require"
)

func TestZSets_Member(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Want(
			"ZADD z 1 a 2 b 2 c", "3",
			"ZCARD z", "3",
			"ZCARD missing", "0",
			"ZSCORE z a", `"1"`,
			"ZSCORE z missing", "nil",
			"ZSCORE missing a", "nil",
			"ZMSCORE z a missing c", `["1" nil "2"]`,
			"ZMSCORE missing a b", "[nil nil]",
			"ZRANK z a", "0",
			"ZRANK z c", "2",
			"ZREVRANK z c", "0",
			"ZREVRANK z a", "2",
			"ZRANK z missing", "nil",
			"ZREVRANK missing a", "nil",
			"ZREM z a missing a", "1",
			"ZRANGE z 0 -1", `["b" "c"]`,
			"ZREM z b c", "2",
			"EXISTS z", "0",
			"ZREM z b", "0",
			"SET s x", "OK",
			"ZCARD s", "WRONGTYPE Operation against a key holding the wrong kind of value",
			"ZSCORE s a", "WRONGTYPE Operation against a key holding the wrong kind of value",
			"ZMSCORE s a", "WRONGTYPE Operation against a key holding the wrong kind of value",
			"ZRANK s a", "WRONGTYPE Operation against a key holding the wrong kind of value",
			"ZREM s a", "WRONGTYPE Operation against a key holding the wrong kind of value",
		)
		c.Do("HELLO 3")
		c.Want(
			"ZADD z 1.5 a", "1",
			"ZSCORE z a", "1.5",
			"ZMSCORE z a b", "[1.5 nil]",
		)
	})
}

func TestZSets_ShortScores(t *testing.T) {
	for server, want := range map[string][2]string{
		"7.0": {"0.10000000000000001", "1.0000000000000001e-05"}, "7.2": {"0.1", "0.00001"}, "valkey-8.1": {"0.1", "0.00001"},
	} {
		commandtest.InBubbleOf(t, server, func(c *commandtest.BubbleClient) {
			c.Want(
				"ZADD z 0.1 a 0.00001 b", "2",
				"ZSCORE z a", `"`+want[0]+`"`,
				"ZADD z INCR 0 b", `"`+want[1]+`"`,
				"ZRANGE z 0 -1 WITHSCORES", `["b" "`+want[1]+`" "a" "`+want[0]+`"]`,
				"ZSCAN z 0", `["0" ["b" "`+want[1]+`" "a" "`+want[0]+`"]]`,
			)
			c.Do("HELLO 3")
			c.Want("ZPOPMIN z", "["+`"b" `+want[1]+"]")
			c.Want("EVAL redis.setresp(3)return{double=0.1} 0", want[0],
				"EVAL return(redis.call('zscore',KEYS[1],'a')) 1 z", `"`+want[0]+`"`)
		})
	}
}

func TestZSets_RankWithScore(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Want(
			"ZADD z 1 a 2 b 2.5 c", "3",
			"ZRANK z c WITHSCORE", `[2 "2.5"]`,
			"ZREVRANK z c withscore", `[0 "2.5"]`,
			"ZRANK z missing WITHSCORE", "nil-array",
			"ZRANK missing a FOO", "ERR syntax error",
			"ZRANK z a WITHSCORE 1", "ERR wrong number of arguments for 'zrank' command",
		)
		c.Do("HELLO 3")
		c.Want("ZRANK z c WITHSCORE", "[2 2.5]")
	})
	commandtest.InBubbleOf(t, "7.0", func(c *commandtest.BubbleClient) {
		c.Want("ZRANK z c WITHSCORE", "ERR wrong number of arguments for 'zrank' command")
	})
}

func TestZSets_Member_Events(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.WantEvents("ZADD z 1 a 2 b", "zadd z")
		c.WantEvents("ZREM z missing")
		c.WantEvents("ZREM z a", "zrem z")
		c.WantEvents("ZREM z b", "zrem z", "del z")
	})
}

func TestZSets_Add(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Want(
			"ZADD z 1 a", "1",
			"ZADD z 2 a 3 b", "1",
			"ZADD z CH 2 a 4 b 5 c", "2",
			"ZADD z NX 9 a 9 d", "1",
			"ZSCORE z a", `"2"`,
			"ZADD z XX 7 a 7 new", "0",
			"ZSCORE z new", "nil",
			"ZADD missing XX 1 a", "0",
			"EXISTS missing", "0",
			"ZADD z GT CH 6 a 8 b", "1",
			"ZADD z LT CH 6 a 8 b", "1",
			"ZADD z GT CH 1 fresh", "1",
			"ZRANGE z 0 -1 WITHSCORES", `["fresh" "1" "c" "5" "a" "6" "b" "8" "d" "9"]`,
			"ZADD z INCR 2.5 a", `"8.5"`,
			"ZADD z INCR NX 1 a", "nil",
			"ZADD z INCR XX 1 nobody", "nil",
			"ZADD z INCR GT -1 a", "nil",
			"ZADD z INCR 0 a", `"8.5"`,
			"ZINCRBY z -10 a", `"-1.5"`,
			"ZINCRBY z 5 other", `"5"`,
			"ZINCRBY counter 1 a", `"1"`,
		)
	})
}

func TestZSets_Add_Errors(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Want(
			"ZADD z 1", "ERR wrong number of arguments for 'zadd' command",
			"ZADD z 1 a 2", "ERR syntax error",
			"ZADD z NX XX", "ERR syntax error",
			"ZADD z NX XX 1 a", "ERR XX and NX options at the same time are not compatible",
			"ZADD z NX GT 1 a", "ERR GT, LT, and/or NX options at the same time are not compatible",
			"ZADD z GT LT 1 a", "ERR GT, LT, and/or NX options at the same time are not compatible",
			"ZADD z LT NX one a", "ERR GT, LT, and/or NX options at the same time are not compatible",
			"ZADD z INCR 1 a 2 b", "ERR INCR option supports a single increment-element pair",
			"ZADD z one a", "ERR value is not a valid float",
			"ZADD z 1 a nan b", "ERR value is not a valid float",
			"ZADD z '' a", "ERR value is not a valid float",
			"EXISTS z", "0",
			"ZINCRBY z one a", "ERR value is not a valid float",
			"SET s x", "OK",
			"ZADD s 1 a", "WRONGTYPE Operation against a key holding the wrong kind of value",
			"ZADD s one a", "ERR value is not a valid float",
			"ZINCRBY s 1 a", "WRONGTYPE Operation against a key holding the wrong kind of value",
			"ZADD z inf a", "1",
			"ZINCRBY z -inf a", "ERR resulting score is not a number (NaN)",
			"ZSCORE z a", `"inf"`,
		)
	})
}

// The scores cover what strtod parses and how doubles are printed.
func TestZSets_Add_Scores(t *testing.T) {
	commandtest.InBubbleOf(t, "7.0", func(c *commandtest.BubbleClient) {
		c.Want(
			"ZADD z 1e400 a", "ERR value is not a valid float",
			"ZADD z -1e400 a", "ERR value is not a valid float",
			"ZADD z 1e-400 a", "ERR value is not a valid float",
			"ZADD z 1_0 a", "ERR value is not a valid float",
			"ZADD z 1p3 a", "ERR value is not a valid float",
			"ZADD z 0x a", "ERR value is not a valid float",
			"ZADD z 0x10 hex 0e5 zero +5 plus 5. point .5 fraction Infinity most -inf least", "7",
			"ZADD z 1e22 large 1e15 whole 123456789012345678 rounded 0.1 tenth 1e-7 small -0 minus", "6",
			"ZRANGE z 0 -1 WITHSCORES",
			`["least" "-inf" "minus" "0" "zero" "0" "small" "9.9999999999999995e-08" "tenth" `+
				`"0.10000000000000001" "fraction" "0.5" "plus" "5" "point" "5" "hex" "16" "whole" `+
				`"1000000000000000" "rounded" "1.2345678901234568e+17" "large" "1e+22" "most" "inf"]`,
			"ZINCRBY z -0 zero", `"0"`,
			"ZADD z INCR -0 new", `"-0"`,
			"ZADD z 1e308 huge", "1",
			"ZINCRBY z 1e308 huge", `"inf"`,
		)
	})
}

func TestZSets_Add_Events(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.WantEvents("ZADD z 1 a 2 b", "zadd z")
		c.WantEvents("ZADD z 1 a 2 b")
		c.WantEvents("ZADD z XX 1 c")
		c.WantEvents("ZADD z 3 a", "zadd z")
		c.WantEvents("ZADD z INCR 1 a", "zincr z")
		c.WantEvents("ZADD z INCR NX 1 a")
		c.WantEvents("ZINCRBY z 2 a", "zincr z")
		c.WantEvents("ZINCRBY z 0 a")
		c.WantEvents("ZINCRBY z nan a")
	})
}

// The sorted set grows past the size at which it becomes a skip list, and shrinks again.
func TestZSets_Large_AgreesWithSmall(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		for i := range 3000 {
			c.Do(fmt.Sprintf("ZADD z %d m%04d", i/3, i))
		}
		c.Want(
			"OBJECT ENCODING z", `"skiplist"`,
			"ZCARD z", "3000",
			"ZRANK z m1500", "1500",
			"ZREVRANK z m1500", "1499",
			"ZCOUNT z (100 200", "300",
			"ZRANGE z 1500 1502 WITHSCORES", `["m1500" "500" "m1501" "500" "m1502" "500"]`,
			"ZREVRANGEBYSCORE z 500 0 LIMIT 1 2", `["m1501" "m1500"]`,
			"ZPOPMIN z", `["m0000" "0"]`,
			"ZREMRANGEBYSCORE z 1 998", "2994",
			"ZRANGE z 0 -1", `["m0001" "m0002" "m2997" "m2998" "m2999"]`,
			"ZADD z -0 minus", "1",
			"ZSCORE z minus", `"-0"`,
		)
	})
}

func TestZSets_Scan_Large(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		for i := range 500 {
			c.Do(fmt.Sprintf("ZADD z %d m%d", i, i))
		}
		seen, cursor := map[string]bool{}, "0"
		for steps := 0; steps == 0 || cursor != "0"; steps++ {
			plain := strings.NewReplacer("[", " ", "]", " ", `"`, " ")
			words := strings.Fields(plain.Replace(c.Do("ZSCAN z " + cursor + " COUNT 20")))
			cursor = words[0]
			for i := 1; i < len(words); i += 2 {
				require.Equal(t, "m"+words[i+1], words[i])
				seen[words[i]] = true
			}
			require.Less(t, steps, 500)
		}
		require.Len(t, seen, 500)
	})
}

// A command that leaves a sorted set unchanged must not modify a watched key.
func TestZSets_Watch_NoChangeDoesNotModifyWatchedKey(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		for line, reply := range map[string]string{
			"ZADD z 1 a":             "[]",
			"ZADD z XX 2 b":          "[]",
			"ZREM z b":               "[]",
			"ZREMRANGEBYSCORE z 5 6": "[]",
			"ZPOPMIN z 0":            "[]",
			"ZADD z 2 a":             "nil-array",
			"ZINCRBY z 1 a":          "nil-array",
			"ZPOPMIN z":              "nil-array",
		} {
			c.Do("DEL z")
			c.Do("ZADD z 1 a")
			c.Do("WATCH z")
			commandtest.NewClient(t, c.Env).Do(line)
			c.Want("MULTI", "OK", "EXEC", reply)
		}
	})
}

func TestZSets_DecimalNumbers(t *testing.T) {
	for server, want := range map[string][2]string{
		"7.2": {`["a"]`, "1"}, "8.2": {"ERR min or max is not a float", "1"},
		"valkey-9.1": {"ERR min or max is not a float", "ERR value is not a valid float"},
	} {
		commandtest.InBubbleOf(t, server, func(c *commandtest.BubbleClient) {
			c.Want("ZADD z 1 a", "1", "ZRANGEBYSCORE z 0x1 9", want[0], "ZADD z 0x10 b", want[1])
		})
	}
}
