package data_test

import (
	"testing"
	"time"

	"github.com/minilockd/minilockd/command/commandtest"
	"github.com/minilockd/minilockd/internal/require"
)

// withClaim runs a test on a Redis 8.4 with a stream s that has the entries 1-1 to 1-3, all but the last one pending in
// its group g.
func withClaim(t *testing.T, test func(c *commandtest.BubbleClient)) {
	t.Helper()
	commandtest.InBubbleOf(t, "8.4", func(c *commandtest.BubbleClient) {
		for _, line := range []string{"XADD s 1-1 a 1", "XADD s 1-2 a 2", "XADD s 1-3 a 3", "XGROUP CREATE s g 0",
			"XREADGROUP GROUP g c COUNT 2 STREAMS s >"} {
			c.Do(line)
		}
		test(c)
	})
}

func TestStreams_ReadGroup_Claim(t *testing.T) {
	withClaim(t, func(c *commandtest.BubbleClient) {
		c.Clock.Advance(50 * time.Millisecond)
		c.Do("XCLAIM s g c 0 1-1")
		c.Clock.Advance(50 * time.Millisecond)
		c.Want(
			"XREADGROUP GROUP g d CLAIM 101 COUNT 1 STREAMS s >", `[["s" [["1-3" ["a" "3"] 0 0]]]]`,
			"XREADGROUP GROUP g d CLAIM 50 STREAMS s >", `[["s" [["1-2" ["a" "2"] 100 1] ["1-1" ["a" "1"] 50 2]]]]`,
			"XPENDING s g - + 10", `[["1-1" "d" 0 3] ["1-2" "d" 0 2] ["1-3" "d" 0 1]]`,
			"XREADGROUP GROUP g d CLAIM 50 STREAMS s >", "nil-array",
			"XREADGROUP GROUP g d CLAIM 50 COUNT 1 STREAMS s 0", `[["s" [["1-1" ["a" "1"]]]]]`,
			"XADD s 1-4 a 4", `"1-4"`,
			"XREADGROUP CLAIM 0 GROUP g e NOACK COUNT 4 STREAMS s >",
			`[["s" [["1-1" ["a" "1"] 0 4] ["1-2" ["a" "2"] 0 2] ["1-3" ["a" "3"] 0 1] ["1-4" ["a" "4"] 0 0]]]]`,
			"XPENDING s g", `[3 "1-1" "1-3" [["e" "3"]]]`,
			"XDEL s 1-1 1-2", "2",
			"XREADGROUP GROUP g d CLAIM 0 STREAMS s >", `[["s" [["1-3" ["a" "3"] 0 2]]]]`,
			"XPENDING s g", `[1 "1-3" "1-3" [["d" "1"]]]`,
		)
	})
}

func TestStreams_ReadGroup_Claim_Errors(t *testing.T) {
	withClaim(t, func(c *commandtest.BubbleClient) {
		c.Want(
			"XREADGROUP GROUP g c CLAIM x STREAMS s >", "ERR min-idle-time is not an integer or out of range",
			"XREADGROUP GROUP g c CLAIM -1 STREAMS s >", "ERR min-idle-time must be a positive integer",
			"XREADGROUP GROUP nosuch c CLAIM 1 STREAMS s >",
			"NOGROUP No such key 's' or consumer group 'nosuch' in XREADGROUP with GROUP option",
			"XREAD CLAIM 1 STREAMS s 0",
			"ERR The CLAIM option is only supported by XREADGROUP. You called XREAD instead.",
		)
		older := commandtest.NewClient(t, commandtest.NewEnvOf(t, "8.2"))
		older.Want("XREADGROUP GROUP g c CLAIM 1 STREAMS s >", "ERR syntax error")
	})
}

// A client that blocks gets a pending entry when that has been idle for long enough, and those of which it is told
// later.
func TestStreams_ReadGroup_Claim_Blocks(t *testing.T) {
	withClaim(t, func(c *commandtest.BubbleClient) {
		c.Do("XREADGROUP GROUP g c STREAMS s >")
		waiter := commandtest.NewClientID(t, c.Env, 2)
		waiter.Want("XREADGROUP GROUP g d BLOCK 0 CLAIM 100 STREAMS s >", "")
		c.Clock.Advance(99 * time.Millisecond)
		require.False(t, waiter.Session.CanResume())
		c.Do("XCLAIM s g c 0 1-1 1-2")
		c.Clock.Advance(time.Millisecond)
		require.Equal(t, `[["s" [["1-3" ["a" "3"] 100 1]]]]`, waiter.Delivered())

		c.Do("XACK s g 1-1 1-2 1-3")
		reader := commandtest.NewClientID(t, c.Env, 3)
		reader.Want("XREADGROUP GROUP g e BLOCK 0 STREAMS s >", "")
		waiter.Want("XREADGROUP GROUP g d BLOCK 1000 CLAIM 100 STREAMS s >", "")
		c.Do("XADD s 2-1 a 4")
		require.Equal(t, `[["s" [["2-1" ["a" "4"]]]]]`, reader.Delivered())
		c.Clock.Advance(100 * time.Millisecond)
		require.Equal(t, `[["s" [["2-1" ["a" "4"] 100 1]]]]`, waiter.Delivered())

		waiter.Want("XREADGROUP GROUP g d BLOCK 50 CLAIM 100 STREAMS s >", "")
		c.Clock.Advance(time.Minute)
		require.Equal(t, "nil-array", waiter.Delivered())
	})
}

// Where the entry was claimed by another before it has been idle for long enough, the client waits on.
func TestStreams_ReadGroup_Claim_BlocksOn(t *testing.T) {
	withClaim(t, func(c *commandtest.BubbleClient) {
		c.Do("XREADGROUP GROUP g c STREAMS s >")
		c.Do("XACK s g 1-2 1-3")
		waiter := commandtest.NewClientID(t, c.Env, 2)
		waiter.Want("XREADGROUP GROUP g d BLOCK 0 CLAIM 100 STREAMS s >", "")
		c.Clock.Advance(60 * time.Millisecond)
		c.Do("XCLAIM s g c 0 1-1")
		c.Clock.Advance(40 * time.Millisecond)
		if waiter.Session.CanResume() { // to try again
			waiter.Session.Resume(func() {})
		}
		require.True(t, waiter.Session.Blocked())
		c.Clock.Advance(60 * time.Millisecond)
		require.Equal(t, `[["s" [["1-1" ["a" "1"] 100 2]]]]`, waiter.Delivered())
	})
}
