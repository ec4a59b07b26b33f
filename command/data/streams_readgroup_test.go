package data_test

import (
	"testing"
	"time"

	"github.com/minilockd/minilockd/command/commandtest"
	"github.com/minilockd/minilockd/internal/require"
	"github.com/minilockd/minilockd/store"
)

// withGroup runs a test on a stream s with the entries 1-1 to 1-3 and a group g that has read none.
func withGroup(t *testing.T, test func(c *commandtest.BubbleClient)) {
	t.Helper()
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		for _, line := range []string{"XADD s 1-1 a 1", "XADD s 1-2 a 2", "XADD s 1-3 a 3", "XGROUP CREATE s g 0"} {
			c.Do(line)
		}
		test(c)
	})
}

func TestStreams_ReadGroup(t *testing.T) {
	withGroup(t, func(c *commandtest.BubbleClient) {
		c.Want(
			"XREADGROUP GROUP g c STREAMS s 0", `[["s" []]]`,
			"XREADGROUP GROUP g c COUNT 1 STREAMS s >", `[["s" [["1-1" ["a" "1"]]]]]`,
			"XREADGROUP GROUP g d NOACK COUNT 1 STREAMS s >", `[["s" [["1-2" ["a" "2"]]]]]`,
			"XREADGROUP COUNT -1 GROUP g d STREAMS s >", `[["s" [["1-3" ["a" "3"]]]]]`,
			"XREADGROUP GROUP g d STREAMS s >", "nil-array",
			"XREADGROUP GROUP g d BLOCK 5 STREAMS s 0", `[["s" [["1-3" ["a" "3"]]]]]`,
			"XREADGROUP GROUP g d STREAMS s 1-3", `[["s" []]]`,
			"XREADGROUP GROUP g c COUNT 1 STREAMS s 0-1", `[["s" [["1-1" ["a" "1"]]]]]`,
			"XREADGROUP GROUP g c STREAMS s 18446744073709551615-18446744073709551615", "nil-array",
			"XPENDING s g - + 10", `[["1-1" "c" 0 2] ["1-3" "d" 0 2]]`,
		)
	})
}

func TestStreams_ReadGroup_SeveralKeys(t *testing.T) {
	withGroup(t, func(c *commandtest.BubbleClient) {
		c.Do("XGROUP CREATE t g 0 MKSTREAM")
		c.Want(
			"XREADGROUP GROUP g c STREAMS t s 0 0", `[["t" []] ["s" []]]`,
			"XREADGROUP GROUP g c STREAMS t s > >", `[["s" [["1-1" ["a" "1"]] ["1-2" ["a" "2"]] ["1-3" ["a" "3"]]]]]`,
			"XREADGROUP GROUP g c STREAMS t s > >", "nil-array",
			"XREADGROUP GROUP g c STREAMS t s > 1-2", `[["s" [["1-3" ["a" "3"]]]]]`,
			"XREADGROUP GROUP g c STREAMS s missing > >",
			"NOGROUP No such key 'missing' or consumer group 'g' in XREADGROUP with GROUP option",
		)
		c.Do("HELLO 3")
		c.Want(
			"XREADGROUP GROUP g c STREAMS t s > 1-2", `["s" [["1-3" ["a" "3"]]]]`,
			"XREADGROUP GROUP g c STREAMS t >", "nil",
		)
	})
}

func TestStreams_ReadGroup_DeletedEntriesStayPending(t *testing.T) {
	withGroup(t, func(c *commandtest.BubbleClient) {
		c.Do("XREADGROUP GROUP g c STREAMS s >")
		c.Want(
			"XDEL s 1-2", "1",
			"XREADGROUP GROUP g c STREAMS s 0", `[["s" [["1-1" ["a" "1"]] ["1-2" nil-array] ["1-3" ["a" "3"]]]]]`,
			"XPENDING s g - + 10", `[["1-1" "c" 0 2] ["1-2" "c" 0 1] ["1-3" "c" 0 2]]`,
		)
	})
}

// After SETID entries are delivered again, and are no longer pending for the consumers that had them.
func TestStreams_ReadGroup_SetIDDeliversAgain(t *testing.T) {
	withGroup(t, func(c *commandtest.BubbleClient) {
		c.Do("XREADGROUP GROUP g c STREAMS s >")
		c.Do("XREADGROUP GROUP g c STREAMS s 0")
		c.Want(
			"XGROUP SETID s g 1-1", "OK",
			"XREADGROUP GROUP g d COUNT 1 STREAMS s >", `[["s" [["1-2" ["a" "2"]]]]]`,
			"XPENDING s g - + 10", `[["1-1" "c" 0 2] ["1-2" "d" 0 1] ["1-3" "c" 0 2]]`,
		)
	})
}

func TestStreams_ReadGroup_Errors(t *testing.T) {
	withGroup(t, func(c *commandtest.BubbleClient) {
		c.Do("SET text x")
		noGroup := "NOGROUP No such key 's' or consumer group 'x' in XREADGROUP with GROUP option"
		c.Want(
			"XREADGROUP GROUP g c STREAMS s", "ERR wrong number of arguments for 'xreadgroup' command",
			"XREADGROUP GROUP g c STREAMS s t >",
			"ERR Unbalanced 'xreadgroup' list of streams: for each stream key an ID or '>' must be specified.",
			"XREADGROUP COUNT 1 STREAMS s t > >", "ERR Missing GROUP option for XREADGROUP",
			"XREADGROUP COUNT x GROUP g c STREAMS s >", "ERR value is not an integer or out of range",
			"XREADGROUP GROUP g c FOO STREAMS s >", "ERR syntax error",
			"XREADGROUP GROUP g c NOACK s t >", "ERR syntax error",
			"XREADGROUP GROUP x c STREAMS s >", noGroup,
			"XREADGROUP GROUP x c STREAMS s $", noGroup,
			"XREADGROUP GROUP g c STREAMS text >", wrongType,
			"XREADGROUP GROUP g c STREAMS s $",
			"ERR The $ ID is meaningless in the context of XREADGROUP: you want to read the history of this consumer "+
				"by specifying a proper ID, or use the > ID to get new messages. The $ ID would just return an "+
				"empty result set.",
			"XREADGROUP GROUP g c STREAMS s +",
			"ERR The + ID is meaningless in the context of XREADGROUP: you want to read the history of this consumer "+
				"by specifying a proper ID, or use the > ID to get new messages. The + ID would just return an "+
				"empty result set.",
			"XREADGROUP GROUP g c BLOCK -1 STREAMS s >", "ERR timeout is negative",
			"XREADGROUP GROUP g c BLOCK x STREAMS s >", "ERR timeout is not an integer or out of range",
			"XREAD GROUP g c STREAMS s >",
			"ERR The GROUP option is only supported by XREADGROUP. You called XREAD instead.",
			"XREAD noack STREAMS s >",
			"ERR The NOACK option is only supported by XREADGROUP. You called XREAD instead.",
			"COMMAND GETKEYS XREADGROUP GROUP streams c STREAMS a b > >", `["a" "b"]`,
		)
	})
}

func TestStreams_ReadGroup_DoesNotBlockInTransactionsAndScripts(t *testing.T) {
	withGroup(t, func(c *commandtest.BubbleClient) {
		c.Do("XGROUP SETID s g $")
		c.Want(
			"MULTI", "OK",
			"XREADGROUP GROUP g c BLOCK 0 STREAMS s >", "QUEUED",
			"EXEC", "[nil-array]",
		)
		eval := func(script string) string {
			return c.DoArgs([]byte("EVAL"), []byte(script), []byte("1"), []byte("s"))
		}
		require.Equal(t, "nil", eval("return redis.call('XREADGROUP', 'GROUP', 'g', 'c', 'STREAMS', KEYS[1], '>')"))
		require.Equal(t, "nil",
			eval("return redis.pcall('XREADGROUP', 'GROUP', 'g', 'c', 'BLOCK', 0, 'STREAMS', KEYS[1], '>')"))
		c.Do("XADD s 2-1 b 1")
		require.Equal(t, `[["s" [["2-1" ["b" "1"]]]]]`,
			eval("return redis.call('XREADGROUP', 'GROUP', 'g', 'c', 'STREAMS', KEYS[1], '>')"))
	})
}

func TestStreams_ReadGroup_TimesFollowTheClock(t *testing.T) {
	withGroup(t, func(c *commandtest.BubbleClient) {
		c.Do("XREADGROUP GROUP g c COUNT 1 STREAMS s >")
		c.Clock.Advance(time.Minute)
		c.Want(
			"XREADGROUP GROUP g d COUNT 1 STREAMS s >", `[["s" [["1-2" ["a" "2"]]]]]`,
			"XPENDING s g - + 10", `[["1-1" "c" 60000 1] ["1-2" "d" 0 1]]`,
			"XPENDING s g IDLE 60000 - + 10", `[["1-1" "c" 60000 1]]`,
			"XINFO CONSUMERS s g", `[["name" "c" "pending" 1 "idle" 60000 "inactive" 60000] `+
				`["name" "d" "pending" 1 "idle" 0 "inactive" 0]]`,
			"XREADGROUP GROUP g c STREAMS s 1-2", `[["s" []]]`,
			"XINFO CONSUMERS s g", `[["name" "c" "pending" 1 "idle" 0 "inactive" 60000] `+
				`["name" "d" "pending" 1 "idle" 0 "inactive" 0]]`,
		)
		c.Do("XREADGROUP GROUP g e NOACK STREAMS s >")
		c.Clock.Advance(time.Second)
		c.Want("XREADGROUP GROUP g c STREAMS s >", "nil-array",
			"XINFO CONSUMERS s g",
			`[["name" "c" "pending" 1 "idle" 0 "inactive" 61000] ["name" "d" "pending" 1 "idle" 1000 "inactive" 1000] `+
				`["name" "e" "pending" 0 "idle" 1000 "inactive" -1]]`)
	})
}

// A client whose other key is locked by another transaction can't be served at once, and is served later. $ still
// means the last id when the command came.
func TestStreams_Read_ServedWhileAnotherKeyIsLocked(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		locked, written := "a", "b" // in the order of their shards, as one goroutine locks both here
		for store.LockOf([]byte(locked)) >= store.LockOf([]byte(written)) {
			locked, written = written, locked+"+"
		}
		waiter := commandtest.NewClient(c.T, c.Env)
		waiter.Want("XREAD BLOCK 0 STREAMS "+written+" "+locked+" $ $", "")
		held := c.Env.Store.NewTx()
		held.Do(store.LockOf([]byte(locked)), false, func() { c.Want("XADD "+written+" 1-1 f v", `"1-1"`) }, func() {})
		require.Equal(t, `[["`+written+`" [["1-1" ["f" "v"]]]]]`, waiter.Delivered())
		require.False(t, waiter.Session.Blocked())
	})
}
