package data_test

import (
	"fmt"
	"testing"

	"github.com/minilockd/minilockd/command/commandtest"
)

func TestLists_Push(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Want(
			"RPUSH l a b", "2",
			"LPUSH l c d", "4",
			"LRANGE l 0 -1", `["d" "c" "a" "b"]`,
			"RPUSHX l e", "5",
			"LPUSHX l f g", "7",
			"RPUSHX missing a", "0",
			"LPUSHX missing a", "0",
			"EXISTS missing", "0",
			"LRANGE l 0 -1", `["g" "f" "d" "c" "a" "b" "e"]`,
			"LLEN l", "7",
			"LLEN missing", "0",
			"SET s x", "OK",
			"RPUSH s a", "WRONGTYPE Operation against a key holding the wrong kind of value",
			"LPUSHX s a", "WRONGTYPE Operation against a key holding the wrong kind of value",
			"LLEN s", "WRONGTYPE Operation against a key holding the wrong kind of value",
		)
	})
}

func TestLists_Pop(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Want(
			"RPUSH l a b c d e f", "6",
			"LPOP l", `"a"`,
			"RPOP l", `"f"`,
			"LPOP l 2", `["b" "c"]`,
			"RPOP l 0", "[]",
			"RPOP l 100", `["e" "d"]`,
			"EXISTS l", "0",
			"LPOP missing", "nil",
			"LPOP missing 2", "nil-array",
			"LPOP l -1", "ERR value is out of range, must be positive",
			"LPOP l x", "ERR value is out of range, must be positive",
			"LPOP l 1 2", "ERR wrong number of arguments for 'lpop' command",
			"SET s x", "OK",
			"LPOP s", "WRONGTYPE Operation against a key holding the wrong kind of value",
			"RPOP s 0", "WRONGTYPE Operation against a key holding the wrong kind of value",
			"RPOP s -1", "ERR value is out of range, must be positive",
		)
		c.Do("HELLO 3")
		c.Want(
			"LPOP missing", "nil",
			"LPOP missing 1", "nil",
		)
	})
}

func TestLists_End_Events(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.WantEvents("RPUSH l a b c d", "rpush l")
		c.WantEvents("LPUSH l e", "lpush l")
		c.WantEvents("RPUSHX missing a")
		c.WantEvents("LPUSHX l f", "lpush l")
		c.WantEvents("LPOP l", "lpop l")
		c.WantEvents("RPOP l 2", "rpop l")
		c.WantEvents("RPOP l 0")
		c.WantEvents("LPOP l 100", "lpop l", "del l")
	})
}

func TestLists_Range(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Want(
			"RPUSH l a b c d e", "5",
			"LRANGE l 1 3", `["b" "c" "d"]`,
			"LRANGE l -2 -1", `["d" "e"]`,
			"LRANGE l -100 100", `["a" "b" "c" "d" "e"]`,
			"LRANGE l 3 1", "[]",
			"LRANGE l 5 9", "[]",
			"LRANGE missing 0 -1", "[]",
			"LRANGE l a 1", "ERR value is not an integer or out of range",
			"LINDEX l 0", `"a"`,
			"LINDEX l -1", `"e"`,
			"LINDEX l 5", "nil",
			"LINDEX l -6", "nil",
			"LINDEX missing 0", "nil",
			"LINDEX missing x", "nil",
			"LINDEX l x", "ERR value is not an integer or out of range",
			"SET s x", "OK",
			"LRANGE s 0 -1", "WRONGTYPE Operation against a key holding the wrong kind of value",
			"LRANGE s a 1", "ERR value is not an integer or out of range",
			"LINDEX s x", "WRONGTYPE Operation against a key holding the wrong kind of value",
		)
	})
}

func TestLists_Pos(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Want(
			"RPUSH l a b c a b a", "6",
			"LPOS l a", "0",
			"LPOS l a RANK 2", "3",
			"LPOS l a RANK -1", "5",
			"LPOS l a RANK 4", "nil",
			"LPOS l a COUNT 0", "[0 3 5]",
			"LPOS l a COUNT 2", "[0 3]",
			"LPOS l a RANK -2 COUNT 0", "[3 0]",
			"LPOS l a COUNT 0 MAXLEN 4", "[0 3]",
			"LPOS l c MAXLEN 2", "nil",
			"LPOS l a RANK -1 COUNT 0 MAXLEN 1", "[5]",
			"LPOS l missing", "nil",
			"LPOS l missing COUNT 0", "[]",
			"LPOS missing a", "nil",
			"LPOS missing a COUNT 1", "[]",
			"LPOS l a RANK 0", "ERR RANK can't be zero: use 1 to start from the first match, 2 from the second "+
				"... or use negative to start from the end of the list",
			"LPOS l a RANK x", "ERR value is not an integer or out of range",
			"LPOS l a COUNT -1", "ERR COUNT can't be negative",
			"LPOS l a COUNT x", "ERR COUNT can't be negative",
			"LPOS l a MAXLEN -1", "ERR MAXLEN can't be negative",
			"LPOS l a RANK", "ERR syntax error",
			"LPOS l a FIRST 1", "ERR syntax error",
			"SET s x", "OK",
			"LPOS s a", "WRONGTYPE Operation against a key holding the wrong kind of value",
			"LPOS s a RANK 0", "ERR RANK can't be zero: use 1 to start from the first match, 2 from the second "+
				"... or use negative to start from the end of the list",
		)
	})
}

func TestLists_Set(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Want(
			"RPUSH l a b c", "3",
			"LSET l 0 x", "OK",
			"LSET l -1 longer", "OK",
			"LRANGE l 0 -1", `["x" "b" "longer"]`,
			"LSET l 3 y", "ERR index out of range",
			"LSET l x y", "ERR value is not an integer or out of range",
			"LSET missing 0 y", "ERR no such key",
			"LSET missing x y", "ERR no such key",
			"SET s x", "OK",
			"LSET s 0 y", "WRONGTYPE Operation against a key holding the wrong kind of value",
		)
	})
}

func TestLists_Insert(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Want(
			"RPUSH l a b a", "3",
			"LINSERT l BEFORE a first", "4",
			"LINSERT l after a x", "5",
			"LRANGE l 0 -1", `["first" "a" "x" "b" "a"]`,
			"LINSERT l BEFORE missing x", "-1",
			"LINSERT missing AFTER a x", "0",
			"LINSERT l BESIDE a x", "ERR syntax error",
			"SET s x", "OK",
			"LINSERT s BEFORE a x", "WRONGTYPE Operation against a key holding the wrong kind of value",
		)
	})
}

func TestLists_Remove(t *testing.T) {
	commandtest.InBubbleOf(t, "7.0", func(c *commandtest.BubbleClient) {
		c.Want(
			"RPUSH l a b a c a d a", "7",
			"LREM l 1 a", "1",
			"LREM l -1 a", "1",
			"LRANGE l 0 -1", `["b" "a" "c" "a" "d"]`,
			"LREM l 0 a", "2",
			"LREM l 0 missing", "0",
			"LREM missing 0 a", "0",
			"LRANGE l 0 -1", `["b" "c" "d"]`,
			"LREM l x a", "ERR value is not an integer or out of range",
			"LREM l -9223372036854775808 b", "1",
			"SET s x", "OK",
			"LREM s 0 a", "WRONGTYPE Operation against a key holding the wrong kind of value",
			"LREM s x a", "ERR value is not an integer or out of range",
		)
	})
}

func TestLists_Trim(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Want(
			"RPUSH l a b c d e f", "6",
			"LTRIM l 1 -2", "OK",
			"LRANGE l 0 -1", `["b" "c" "d" "e"]`,
			"LTRIM l 0 100", "OK",
			"LTRIM l 1 1", "OK",
			"LRANGE l 0 -1", `["c"]`,
			"LTRIM l 5 9", "OK",
			"EXISTS l", "0",
			"LTRIM missing 0 1", "OK",
			"LTRIM l a 1", "ERR value is not an integer or out of range",
			"SET s x", "OK",
			"LTRIM s 0 1", "WRONGTYPE Operation against a key holding the wrong kind of value",
			"LTRIM s a 1", "ERR value is not an integer or out of range",
		)
	})
}

func TestLists_Edit_Events(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Do("RPUSH l a b c a")
		c.WantEvents("LSET l 0 a", "lset l")
		c.WantEvents("LSET l 9 a")
		c.WantEvents("LINSERT l AFTER b x", "linsert l")
		c.WantEvents("LINSERT l AFTER missing x")
		c.WantEvents("LREM l 0 missing")
		c.WantEvents("LREM l 1 a", "lrem l")
		c.WantEvents("LTRIM l 0 -1", "ltrim l")
		c.WantEvents("LTRIM l 1 1", "ltrim l")
		c.WantEvents("LTRIM l 5 9", "ltrim l", "del l")
		c.Do("RPUSH l a")
		c.WantEvents("LREM l 0 a", "lrem l", "del l")
	})
}

func TestLists_Move(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Want(
			"RPUSH l a b c", "3",
			"LMOVE l m LEFT RIGHT", `"a"`,
			"LMOVE l m right left", `"c"`,
			"LRANGE m 0 -1", `["c" "a"]`,
			"RPOPLPUSH l m", `"b"`,
			"EXISTS l", "0",
			"RPOPLPUSH l m", "nil",
			"LMOVE l m LEFT LEFT", "nil",
			"RPOPLPUSH m m", `"a"`,
			"LMOVE m m LEFT RIGHT", `"a"`,
			"LRANGE m 0 -1", `["b" "c" "a"]`,
			"RPUSH one a", "1",
			"RPOPLPUSH one one", `"a"`,
			"LRANGE one 0 -1", `["a"]`,
			"LMOVE m l UP LEFT", "ERR syntax error",
			"LMOVE m l LEFT DOWN", "ERR syntax error",
			"SET s x", "OK",
			"LMOVE s m LEFT LEFT", "WRONGTYPE Operation against a key holding the wrong kind of value",
			"LMOVE m s LEFT LEFT", "WRONGTYPE Operation against a key holding the wrong kind of value",
			"LMOVE missing s LEFT LEFT", "nil",
			"RPOPLPUSH m s", "WRONGTYPE Operation against a key holding the wrong kind of value",
		)
		c.Do("HELLO 3")
		c.Want(
			"RPOPLPUSH missing m", "nil",
		)
	})
}

func TestLists_Move_Events(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Do("RPUSH l a b")
		c.WantEvents("LMOVE l m LEFT RIGHT", "rpush m", "lpop l")
		c.WantEvents("RPOPLPUSH l m", "lpush m", "rpop l", "del l")
		c.WantEvents("RPOPLPUSH l m")
		c.WantEvents("RPOPLPUSH m m", "lpush m", "rpop m")
	})
}

func TestLists_MultiPop(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Want(
			"RPUSH l a b c", "3",
			"RPUSH k d", "1",
			"LMPOP 2 missing l LEFT", `["l" ["a"]]`,
			"LMPOP 2 k l RIGHT COUNT 5", `["k" ["d"]]`,
			"LMPOP 2 k l right count 5", `["l" ["c" "b"]]`,
			"LMPOP 2 k l LEFT", "nil-array",
			"LMPOP 0 l LEFT", "ERR numkeys should be greater than 0",
			"LMPOP x l LEFT", "ERR numkeys should be greater than 0",
			"LMPOP 2 l LEFT", "ERR syntax error",
			"LMPOP 1 l MIN", "ERR syntax error",
			"LMPOP 1 l LEFT COUNT 0", "ERR count should be greater than 0",
			"LMPOP 1 l LEFT COUNT 1 COUNT 1", "ERR syntax error",
			"LMPOP 1 l LEFT LIMIT 1", "ERR syntax error",
			"RPUSH l a", "1",
			"SET s x", "OK",
			"LMPOP 2 s l LEFT", "WRONGTYPE Operation against a key holding the wrong kind of value",
			"LMPOP 2 l s LEFT", `["l" ["a"]]`,
		)
	})
}

func TestLists_MultiPop_Events(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Do("RPUSH l a b")
		c.WantEvents("LMPOP 2 missing l RIGHT", "rpop l")
		c.WantEvents("LMPOP 1 l LEFT COUNT 9", "lpop l", "del l")
		c.WantEvents("LMPOP 1 l LEFT")
	})
}

func TestLists_Large_ManyChunks(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		for i := range 5000 {
			c.Do(fmt.Sprintf("RPUSH l element:%d", i))
		}
		c.Want(
			"LLEN l", "5000",
			"LINDEX l 2500", `"element:2500"`,
			"LRANGE l 4998 -1", `["element:4998" "element:4999"]`,
			"LINSERT l BEFORE element:2500 x", "5001",
			"LRANGE l 2499 2501", `["element:2499" "x" "element:2500"]`,
			"LPOS l element:2500", "2501",
			"LREM l 0 x", "1",
			"LTRIM l 2000 2002", "OK",
			"LRANGE l 0 -1", `["element:2000" "element:2001" "element:2002"]`,
		)
	})
}

// Popped elements must not be overwritten before the reply is sent.
func TestLists_Exec_LaterCommandsKeepReplies(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Want(
			"RPUSH l aaaa bbbb cccc", "3",
			"MULTI", "OK",
			"LPOP l 2", "QUEUED",
			"LPUSH l xxxx yyyy", "QUEUED",
			"LSET l 0 zzzz", "QUEUED",
			"LRANGE l 0 -1", "QUEUED",
			"EXEC", `[["aaaa" "bbbb"] 3 OK ["zzzz" "xxxx" "cccc"]]`,
		)
	})
}
