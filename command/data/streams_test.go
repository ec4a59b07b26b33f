package data_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/minilockd/minilockd/command/commandtest"
	"github.com/minilockd/minilockd/internal/require"
)

func TestStreams_Add(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Want(
			"XADD s 1-1 a 1 b 2", `"1-1"`,
			"XADD s 1-2 a 3", `"1-2"`,
			"XADD s 5 c 4", `"5-0"`,
			"XADD s 5-* c 5", `"5-1"`,
			"XADD s 6-* c 6", `"6-0"`,
			"XLEN s", "5",
			"XRANGE s - +", `[["1-1" ["a" "1" "b" "2"]] ["1-2" ["a" "3"]] ["5-0" ["c" "4"]] ["5-1" ["c" "5"]] `+
				`["6-0" ["c" "6"]]]`,
			"XADD s 6-0 a 1", "ERR The ID specified in XADD is equal or smaller than the target stream top item",
			"XADD s 5-9 a 1", "ERR The ID specified in XADD is equal or smaller than the target stream top item",
			"XADD s 5-* a 1", "ERR The ID specified in XADD is equal or smaller than the target stream top item",
			"XADD s 0-0 a 1", "ERR The ID specified in XADD must be greater than 0-0",
			"XADD missing NOMKSTREAM 1-1 a 1", "nil",
			"EXISTS missing", "0",
			"XADD s NOMKSTREAM 7-1 a 1", `"7-1"`,
			"XLEN missing", "0",
			"XADD last 18446744073709551615-18446744073709551614 a 1", `"18446744073709551615-18446744073709551614"`,
			"XADD last 18446744073709551615-* a 1", `"18446744073709551615-18446744073709551615"`,
			"XADD last 18446744073709551615-* a 1",
			"ERR The stream has exhausted the last possible ID, unable to add more items",
			"XADD last * a 1", "ERR The stream has exhausted the last possible ID, unable to add more items",
			"XADD zero 0-* a 1", `"0-1"`,
		)
	})
}

func TestStreams_Add_Errors(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Want(
			"XADD s 1-1 a", "ERR wrong number of arguments for 'xadd' command",
			"XADD s 1-1 a 1 b", "ERR wrong number of arguments for 'xadd' command",
			"XADD s MAXLEN 5 1-1", "ERR wrong number of arguments for 'xadd' command",
			"XADD s NOMKSTREAM MAXLEN 5 1-1", "ERR wrong number of arguments for 'xadd' command",
			"XADD s x a 1", "ERR Invalid stream ID specified as stream command argument",
			"XADD s 1-x a 1", "ERR Invalid stream ID specified as stream command argument",
			"XADD s -1 a 1", "ERR Invalid stream ID specified as stream command argument",
			"XADD s + a 1", "ERR Invalid stream ID specified as stream command argument",
			"XADD s - a 1", "ERR Invalid stream ID specified as stream command argument",
			"XADD s 1-1-1 a 1", "ERR Invalid stream ID specified as stream command argument",
			"XADD s 18446744073709551616 a 1", "ERR Invalid stream ID specified as stream command argument",
			"XADD s +2-02 a 1", `"2-2"`,
			"XADD s MAXLEN -1 * a 1", "ERR The MAXLEN argument must be >= 0.",
			"XADD s MAXLEN x * a 1", "ERR value is not an integer or out of range",
			"XADD s MINID x * a 1", "ERR Invalid stream ID specified as stream command argument",
			"XADD s MAXLEN 1 MINID 1 * a 1",
			"ERR syntax error, MAXLEN and MINID options at the same time are not compatible",
			"XADD s MAXLEN 1 MAXLEN 1 * a 1",
			"ERR syntax error, MAXLEN and MINID options at the same time are not compatible",
			"XADD s LIMIT 3 * a 1", "ERR syntax error, LIMIT cannot be used without specifying a trimming strategy",
			"XADD s LIMIT 0 * a 1", "ERR syntax error, LIMIT cannot be used without the special ~ option",
			"XADD s MAXLEN 1 LIMIT 3 * a 1", "ERR syntax error, LIMIT cannot be used without the special ~ option",
			"XADD s MAXLEN ~ 1 LIMIT -3 * a 1", "ERR The LIMIT argument must be >= 0.",
			"XADD s MAXLEN ~ 1 LIMIT x * a 1", "ERR value is not an integer or out of range",
			"SET text x", "OK",
			"XADD text 1-1 a 1", "WRONGTYPE Operation against a key holding the wrong kind of value",
			"XADD text 0-0 a 1", "ERR The ID specified in XADD must be greater than 0-0",
			"XADD text NOMKSTREAM 1-1 a 1", "WRONGTYPE Operation against a key holding the wrong kind of value",
			"XLEN text", "WRONGTYPE Operation against a key holding the wrong kind of value",
		)
	})
}

func TestStreams_Trim(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Want(
			"XADD s 1-1 a 1", `"1-1"`,
			"XADD s 2-1 a 1", `"2-1"`,
			"XADD s 3-1 a 1", `"3-1"`,
			"XADD s MAXLEN 2 4-1 a 1", `"4-1"`,
			"XLEN s", "2",
			"XADD s MINID = 4 5-1 a 1", `"5-1"`,
			"XRANGE s - +", `[["4-1" ["a" "1"]] ["5-1" ["a" "1"]]]`,
			"XADD s MAXLEN ~ 1 6-1 a 1", `"6-1"`,
			"XLEN s", "3",
			"XTRIM s MAXLEN 2", "1",
			"XTRIM s MAXLEN = 2", "0",
			"XTRIM s MINID 6-1", "1",
			"XTRIM s MAXLEN ~ 0", "1",
			"XLEN s", "0",
			"EXISTS s", "1",
			"XADD s 6-1 a 1", "ERR The ID specified in XADD is equal or smaller than the target stream top item",
			"XADD s MAXLEN 0 7-1 a 1", `"7-1"`,
			"XRANGE s - +", "[]",
			"XTRIM missing MAXLEN 1", "0",
			"XTRIM s MAXLEN", "ERR wrong number of arguments for 'xtrim' command",
			"XTRIM s MAXLEN ~", "ERR value is not an integer or out of range",
			"XTRIM s MAXLEN -1", "ERR The MAXLEN argument must be >= 0.",
			"XTRIM s MINID x", "ERR Invalid stream ID specified as stream command argument",
			"XTRIM s LIMIT 3", "ERR syntax error, LIMIT cannot be used without specifying a trimming strategy",
			"XTRIM s LIMIT 0", "ERR syntax error, XTRIM must be called with a trimming strategy",
			"XTRIM s MAXLEN 1 LIMIT 3", "ERR syntax error, LIMIT cannot be used without the special ~ option",
			"XTRIM s MAXLEN 1 MINID 1",
			"ERR syntax error, MAXLEN and MINID options at the same time are not compatible",
			"XTRIM s MAXLEN 1 NOMKSTREAM", "ERR syntax error",
			"SET text x", "OK",
			"XTRIM text MAXLEN 1", "WRONGTYPE Operation against a key holding the wrong kind of value",
		)
	})
}

func TestStreams_Delete(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Want(
			"XADD s 1-1 a 1", `"1-1"`,
			"XADD s 2-1 a 1", `"2-1"`,
			"XDEL s 1-1 1-1 9-9", "1",
			"XDEL s 2", "0",
			"XDEL s 2-1 x", "ERR Invalid stream ID specified as stream command argument",
			"XLEN s", "1",
			"XDEL s 2-1", "1",
			"EXISTS s", "1",
			"XADD s 2-1 a 1", "ERR The ID specified in XADD is equal or smaller than the target stream top item",
			"XDEL missing 1-1", "0",
			"XDEL missing x", "0",
			"SET text x", "OK",
			"XDEL text 1-1", "WRONGTYPE Operation against a key holding the wrong kind of value",
			"XDEL text x", "WRONGTYPE Operation against a key holding the wrong kind of value",
		)
	})
}

func TestStreams_Entry_Events(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.WantEvents("XADD s 1-1 a 1", "xadd s")
		c.WantEvents("XADD s 1-1 a 1")
		c.WantEvents("XADD s MAXLEN 1 2-1 a 1", "xadd s", "xtrim s")
		c.WantEvents("XADD s MAXLEN 9 3-1 a 1", "xadd s")
		c.WantEvents("XTRIM s MAXLEN 9")
		c.WantEvents("XTRIM s MAXLEN 1", "xtrim s")
		c.WantEvents("XDEL s 9-9")
		c.WantEvents("XDEL s 3-1", "xdel s")
		c.WantEvents("XSETID s 9-9", "xsetid s")
	})
}

func TestStreams_Range(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Want(
			"XADD s 1-1 a 1", `"1-1"`,
			"XADD s 1-2 a 2", `"1-2"`,
			"XADD s 2-1 a 3 b 4", `"2-1"`,
			"XADD s 3-1 b 5", `"3-1"`,
			"XRANGE s 1-2 2", `[["1-2" ["a" "2"]] ["2-1" ["a" "3" "b" "4"]]]`,
			"XRANGE s 1 1", `[["1-1" ["a" "1"]] ["1-2" ["a" "2"]]]`,
			"XRANGE s (1-1 (3-1", `[["1-2" ["a" "2"]] ["2-1" ["a" "3" "b" "4"]]]`,
			"XRANGE s - + COUNT 2", `[["1-1" ["a" "1"]] ["1-2" ["a" "2"]]]`,
			"XRANGE s - + COUNT 1 COUNT 3", `[["1-1" ["a" "1"]] ["1-2" ["a" "2"]] ["2-1" ["a" "3" "b" "4"]]]`,
			"XRANGE s - + COUNT 0", "nil-array",
			"XRANGE s - + COUNT -1", "nil-array",
			"XRANGE s 9 +", "[]",
			"XRANGE missing - +", "[]",
			"XRANGE missing - + COUNT 0", "[]",
			"XREVRANGE s + -", `[["3-1" ["b" "5"]] ["2-1" ["a" "3" "b" "4"]] ["1-2" ["a" "2"]] ["1-1" ["a" "1"]]]`,
			"XREVRANGE s 2 1-2", `[["2-1" ["a" "3" "b" "4"]] ["1-2" ["a" "2"]]]`,
			"XREVRANGE s + - COUNT 1", `[["3-1" ["b" "5"]]]`,
			"XREVRANGE s (3-1 -", `[["2-1" ["a" "3" "b" "4"]] ["1-2" ["a" "2"]] ["1-1" ["a" "1"]]]`,
			"XREVRANGE s - +", "[]",
			"XRANGE s x +", "ERR Invalid stream ID specified as stream command argument",
			"XRANGE s - x", "ERR Invalid stream ID specified as stream command argument",
			"XRANGE s (+ +", "ERR Invalid stream ID specified as stream command argument",
			"XRANGE s ( +", "ERR Invalid stream ID specified as stream command argument",
			"XRANGE s - (0-0", "ERR invalid end ID for the interval",
			"XRANGE s (18446744073709551615-18446744073709551615 +", "ERR invalid start ID for the interval",
			"XRANGE s - + COUNT", "ERR syntax error",
			"XRANGE s - + COUNT x", "ERR value is not an integer or out of range",
			"XRANGE s - + LIMIT 1", "ERR syntax error",
			"SET text x", "OK",
			"XRANGE text - +", "WRONGTYPE Operation against a key holding the wrong kind of value",
			"XRANGE text x +", "ERR Invalid stream ID specified as stream command argument",
		)
		c.Do("HELLO 3")
		c.Want(
			"XRANGE s 1-1 1-1", `[["1-1" ["a" "1"]]]`,
			"XRANGE s - + COUNT 0", "nil",
		)
	})
}

func TestStreams_Read(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Want(
			"XADD s 1-1 a 1", `"1-1"`,
			"XADD s 2-1 a 2", `"2-1"`,
			"XADD t 5-1 b 3", `"5-1"`,
			"XREAD STREAMS s 0", `[["s" [["1-1" ["a" "1"]] ["2-1" ["a" "2"]]]]]`,
			"XREAD COUNT 1 STREAMS s t 0 0", `[["s" [["1-1" ["a" "1"]]]] ["t" [["5-1" ["b" "3"]]]]]`,
			"XREAD COUNT 0 STREAMS s 1-1", `[["s" [["2-1" ["a" "2"]]]]]`,
			"XREAD COUNT -5 STREAMS s 1", `[["s" [["1-1" ["a" "1"]] ["2-1" ["a" "2"]]]]]`,
			"XREAD STREAMS s t 2-1 5-0", `[["t" [["5-1" ["b" "3"]]]]]`,
			"XREAD STREAMS s t $ $", "nil-array",
			"XREAD STREAMS s 2-1", "nil-array",
			"XREAD STREAMS missing 0", "nil-array",
			"XREAD BLOCK 1 STREAMS s 0", `[["s" [["1-1" ["a" "1"]] ["2-1" ["a" "2"]]]]]`,
			"XREAD STREAMS s t 0",
			"ERR Unbalanced 'xread' list of streams: for each stream key an ID, '+', or '$' must be specified.",
			"XREAD STREAMS s >",
			"ERR The > ID can be specified only when calling XREADGROUP using the GROUP <group> <consumer> option.",
			"XREAD STREAMS s x", "ERR Invalid stream ID specified as stream command argument",
			"XREAD STREAMS s t + 0", `[["s" [["2-1" ["a" "2"]]]] ["t" [["5-1" ["b" "3"]]]]]`,
			"XREAD STREAMS missing +", "nil-array",
			"XREAD COUNT x STREAMS s 0", "ERR value is not an integer or out of range",
			"XREAD BLOCK x STREAMS s 0", "ERR timeout is not an integer or out of range",
			"XREAD BLOCK -1 STREAMS s 0", "ERR timeout is negative",
			"XREAD COUNT 1 STREAMS", "ERR syntax error",
			"XREAD COUNT 1 LIMIT 1", "ERR syntax error",
			"XREAD GROUP STREAMS s 0",
			"ERR The GROUP option is only supported by XREADGROUP. You called XREAD instead.",
			"XREAD NOACK STREAMS s 0",
			"ERR The NOACK option is only supported by XREADGROUP. You called XREAD instead.",
			"XDEL s 2-1", "1",
			"XREAD STREAMS s 1-1", "nil-array",
			"XREAD STREAMS s $", "nil-array",
			"SET text x", "OK",
			"XREAD STREAMS text 0", "WRONGTYPE Operation against a key holding the wrong kind of value",
			"XREAD STREAMS s text x 0", "ERR Invalid stream ID specified as stream command argument",
			"XREAD STREAMS text s 0 x", "WRONGTYPE Operation against a key holding the wrong kind of value",
		)
		c.Do("HELLO 3")
		c.Want(
			"XREAD STREAMS s t 0 0", `["s" [["1-1" ["a" "1"]]] "t" [["5-1" ["b" "3"]]]]`,
			"XREAD STREAMS s 9", "nil",
		)
	})
}

func TestStreams_SetID(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Want(
			"XADD s 1-1 a 1", `"1-1"`,
			"XADD s 2-1 a 1", `"2-1"`,
			"XSETID s 5-1", "OK",
			"XADD s 5-1 a 1", "ERR The ID specified in XADD is equal or smaller than the target stream top item",
			"XADD s 5-* a 1", `"5-2"`,
			"XSETID s 5-1", "ERR The ID specified in XSETID is smaller than the target stream top item",
			"XSETID s 9-1 ENTRIESADDED 2",
			"ERR The entries_added specified in XSETID is smaller than the target stream length",
			"XSETID s 9-1 ENTRIESADDED 7 MAXDELETEDID 8-1", "OK",
			"XSETID s 9-1 ENTRIESADDED -1", "ERR entries_added must be positive",
			"XSETID s 9-1 ENTRIESADDED x", "ERR value is not an integer or out of range",
			"XSETID s 9-1 MAXDELETEDID 9-2",
			"ERR The ID specified in XSETID is smaller than the provided max_deleted_entry_id",
			"XSETID s 9-1 MAXDELETEDID x", "ERR Invalid stream ID specified as stream command argument",
			"XSETID s 9-1 SOMETHING 1", "ERR syntax error",
			"XSETID s 9-1 ENTRIESADDED", "ERR syntax error",
			"XSETID s x", "ERR Invalid stream ID specified as stream command argument",
			"XSETID missing 1-1", "ERR no such key",
			"XSETID missing x", "ERR Invalid stream ID specified as stream command argument",
			"SET text x", "OK",
			"XSETID text 1-1", "WRONGTYPE Operation against a key holding the wrong kind of value",
		)
	})
}

func TestStreams_Add_IDsFollowTheClock(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		now := c.Clock.Now().UnixMilli()
		id := func(ms int64, seq int) string { return fmt.Sprintf(`"%d-%d"`, ms, seq) }
		c.Want("XADD s * a 1", id(now, 0), "XADD s * a 1", id(now, 1))
		c.Clock.Advance(5 * time.Millisecond)
		c.Want("XADD s * a 1", id(now+5, 0))
		ahead := fmt.Sprint(now + 100)
		c.Want("XADD s "+ahead+"-7 a 1", id(now+100, 7), "XADD s * a 1", id(now+100, 8))
	})
}

// Nodes have 100 entries (stream-node-max-entries).
func TestStreams_Trim_ApproximateKeepsWholeNodes(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		for i := range 450 {
			c.Do(fmt.Sprintf("XADD s 1-%d a b", i+1))
		}
		c.Want(
			"XTRIM s MAXLEN ~ 260", "100",
			"XTRIM s MAXLEN ~ 0 LIMIT 150", "100",
			"XADD s MINID ~ 1-350 2-1 a b", `"2-1"`,
			"XLEN s", "151",
			"XRANGE s - + COUNT 1", `[["1-301" ["a" "b"]]]`,
		)
	})
}

func TestStreams_Read_ScriptsGetArrays(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Do("XADD s 1-1 a b")
		c.Do("HELLO 3")
		reply := c.DoArgs([]byte("EVAL"), []byte("return redis.call('XREAD', 'STREAMS', KEYS[1], 0)[1][1]"),
			[]byte("1"), []byte("s"))
		require.Equal(t, `"s"`, reply)
	})
}

// XREAD replies a map in RESP3. What a script gets follows redis.setresp, not the protocol of the client.
func TestStreams_Read_Protocols(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Do("XADD s 1-1 a 1")
		asList := "return cjson.encode(redis.call('XREAD', 'STREAMS', KEYS[1], 0))"
		asMap := "redis.setresp(3) " + asList
		for _, reply := range []string{`[["s" [["1-1" ["a" "1"]]]]]`, `["s" [["1-1" ["a" "1"]]]]`} {
			c.Want("XREAD STREAMS s 0", reply)
			require.Equal(t, `"[[\"s\",[[\"1-1\",[\"a\",\"1\"]]]]]"`, c.DoStrings("EVAL", asList, "1", "s"))
			require.Equal(t, `"{\"map\":{\"s\":[[\"1-1\",[\"a\",\"1\"]]]}}"`, c.DoStrings("EVAL", asMap, "1", "s"))
			c.Do("HELLO 3")
		}
	})
}
