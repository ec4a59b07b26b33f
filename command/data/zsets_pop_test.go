package data_test

import (
	"testing"

	"github.com/minilockd/minilockd/command/commandtest"
)

func TestZSets_Pop(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Want(
			"ZADD z 1 a 2 b 3 c 4 d 5 e", "5",
			"ZPOPMIN z", `["a" "1"]`,
			"ZPOPMAX z", `["e" "5"]`,
			"ZPOPMIN z 2", `["b" "2" "c" "3"]`,
			"ZPOPMAX z 0", "[]",
			"ZPOPMAX z 100", `["d" "4"]`,
			"EXISTS z", "0",
			"ZPOPMIN missing", "[]",
			"ZPOPMIN missing 2", "[]",
			"ZPOPMIN z -1", "ERR value is out of range, must be positive",
			"ZPOPMIN z x", "ERR value is out of range, must be positive",
			"ZPOPMIN z 1 2", "ERR syntax error",
			"SET s x", "OK",
			"ZPOPMIN s", "WRONGTYPE Operation against a key holding the wrong kind of value",
			"ZPOPMAX s 0", "WRONGTYPE Operation against a key holding the wrong kind of value",
			"ZPOPMAX s -1", "ERR value is out of range, must be positive",
		)
		c.Do("HELLO 3")
		c.Want(
			"ZADD z 1 a 2 b 3 c 4 d 5 e", "5",
			"ZPOPMIN z", `["a" 1]`,
			"ZPOPMIN z 1", `[["b" 2]]`,
			"ZPOPMAX z 2", `[["e" 5] ["d" 4]]`,
			"ZPOPMAX z 0", "[]",
			"ZPOPMIN missing", "[]",
		)
	})
}

func TestZSets_MultiPop(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Want(
			"ZADD z 1 a 2 b 3 c", "3",
			"ZADD y 1 d", "1",
			"ZMPOP 2 missing z MIN", `["z" [["a" "1"]]]`,
			"ZMPOP 2 y z MAX COUNT 5", `["y" [["d" "1"]]]`,
			"ZMPOP 2 y z min count 5", `["z" [["b" "2"] ["c" "3"]]]`,
			"ZMPOP 2 y z MIN", "nil-array",
			"ZMPOP 0 z MIN", "ERR numkeys should be greater than 0",
			"ZMPOP x z MIN", "ERR numkeys should be greater than 0",
			"ZMPOP 2 z MIN", "ERR syntax error",
			"ZMPOP 1 z LEFT", "ERR syntax error",
			"ZMPOP 1 z MIN COUNT 0", "ERR count should be greater than 0",
			"ZMPOP 1 z MIN COUNT x", "ERR count should be greater than 0",
			"ZMPOP 1 z MIN COUNT 1 COUNT 1", "ERR syntax error",
			"ZMPOP 1 z MIN COUNT", "ERR syntax error",
			"ZADD z 1 a", "1",
			"SET s x", "OK",
			"ZMPOP 2 s z MIN", "WRONGTYPE Operation against a key holding the wrong kind of value",
			"ZMPOP 2 z s MIN", `["z" [["a" "1"]]]`,
		)
		c.Do("HELLO 3")
		c.Want(
			"ZADD z 1 a 2 b 3 c", "3",
			"ZMPOP 1 z MAX COUNT 2", `["z" [["c" 3] ["b" 2]]]`,
			"ZMPOP 1 missing MAX", "nil",
		)
	})
}

func TestZSets_Pop_Events(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Do("ZADD z 1 a 2 b 3 c 4 d")
		c.WantEvents("ZPOPMIN z", "zpopmin z")
		c.WantEvents("ZPOPMAX z 2", "zpopmax z")
		c.WantEvents("ZPOPMAX z 0")
		c.WantEvents("ZPOPMIN z 3", "zpopmin z", "del z")
		c.Do("ZADD z 1 a 2 b")
		c.WantEvents("ZMPOP 2 missing z MIN", "zpopmin z")
		c.WantEvents("ZMPOP 2 missing z MAX COUNT 9", "zpopmax z", "del z")
		c.WantEvents("ZMPOP 2 missing z MAX COUNT 9")
	})
}
