package data_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/minilockd/minilockd/command/commandtest"
)

func TestStreams_Claim(t *testing.T) {
	withGroup(t, func(c *commandtest.BubbleClient) {
		c.Do("XREADGROUP GROUP g c COUNT 2 STREAMS s >")
		c.Clock.Advance(time.Second)
		c.Want(
			"XCLAIM s g d 1001 1-1", "[]",
			"XCLAIM s g d 1000 1-1 1-3 9-9", `[["1-1" ["a" "1"]]]`,
			"XPENDING s g - + 10", `[["1-1" "d" 0 2] ["1-2" "c" 1000 1]]`,
			"XCLAIM s g d -5 1-2 JUSTID", `["1-2"]`,
			"XCLAIM s g d 0 1-2 IDLE 300 RETRYCOUNT 9", `[["1-2" ["a" "2"]]]`,
			"XPENDING s g - + 10", `[["1-1" "d" 0 2] ["1-2" "d" 300 9]]`,
			"XCLAIM s g d 0 1-2 RETRYCOUNT -3 IDLE -300", `[["1-2" ["a" "2"]]]`,
			"XPENDING s g 1-2 1-2 10", `[["1-2" "d" 0 10]]`,
			fmt.Sprintf("XCLAIM s g d 0 1-2 TIME %d", c.Clock.Now().UnixMilli()-50), `[["1-2" ["a" "2"]]]`,
			"XPENDING s g 1-2 1-2 10", `[["1-2" "d" 50 11]]`,
			"XCLAIM s g d 100000 1-3 FORCE", `[["1-3" ["a" "3"]]]`,
			"XCLAIM s g d 100000 1-3 FORCE", "[]",
			"XPENDING s g 1-3 1-3 10", `[["1-3" "d" 0 2]]`,
			"XACK s g 1-3", "1",
			"XCLAIM s g d 0 1-3 FORCE JUSTID", `["1-3"]`,
			"XPENDING s g 1-3 1-3 10", `[["1-3" "d" 0 1]]`,
			"XCLAIM s g d 0 FORCE", "[]",
		)
	})
}

func TestStreams_Claim_LastID(t *testing.T) {
	withGroup(t, func(c *commandtest.BubbleClient) {
		c.Want(
			"XCLAIM s g c 0 1-1 LASTID 1-2", "[]",
			"XREADGROUP GROUP g c STREAMS s >", `[["s" [["1-3" ["a" "3"]]]]]`,
			"XCLAIM s g c 0 1-1 LASTID 1-1", "[]",
			"XREADGROUP GROUP g c STREAMS s >", "nil-array",
		)
	})
}

func TestStreams_Claim_DropsDeletedEntries(t *testing.T) {
	withGroup(t, func(c *commandtest.BubbleClient) {
		c.Do("XREADGROUP GROUP g c STREAMS s >")
		c.Want(
			"XDEL s 1-1", "1",
			"XCLAIM s g d 100000 1-1 1-2", "[]",
			"XPENDING s g", `[2 "1-2" "1-3" [["c" "2"]]]`,
			"XTRIM s MAXLEN 0", "2",
			"XAUTOCLAIM s g d 100000 - COUNT 1", `["1-3" [] ["1-2"]]`,
			"XAUTOCLAIM s g d 100000 - COUNT 1", `["0-0" [] ["1-3"]]`,
			"XINFO CONSUMERS s g", `[["name" "c" "pending" 0 "idle" 0 "inactive" 0] ["name" "d" "pending" 0 "idle" 0 `+
				`"inactive" -1]]`,
		)
	})
}

func TestStreams_Claim_Errors(t *testing.T) {
	withGroup(t, func(c *commandtest.BubbleClient) {
		c.Do("SET text x")
		c.Do("XREADGROUP GROUP g c STREAMS s >")
		c.Want(
			"XCLAIM s nosuch c x y", "NOGROUP No such key 's' or consumer group 'nosuch'",
			"XCLAIM missing g c x y", "NOGROUP No such key 'missing' or consumer group 'g'",
			"XCLAIM text g c x y", wrongType,
			"XCLAIM s g c x y", "ERR Invalid min-idle-time argument for XCLAIM",
			"XCLAIM s g c 0 y", "ERR Unrecognized XCLAIM option 'y'",
			"XCLAIM s g d 0 1-1 1-2 y", "ERR Unrecognized XCLAIM option 'y'",
			"XCLAIM s g d 0 1-1 IDLE", "ERR Unrecognized XCLAIM option 'IDLE'",
			"XCLAIM s g d 0 1-1 idle x", "ERR Invalid IDLE option argument for XCLAIM",
			"XCLAIM s g d 0 1-1 TIME x", "ERR Invalid TIME option argument for XCLAIM",
			"XCLAIM s g d 0 1-1 RETRYCOUNT x", "ERR Invalid RETRYCOUNT option argument for XCLAIM",
			"XCLAIM s g d 0 1-1 LASTID x", invalidStreamID,
			"XPENDING s g", `[3 "1-1" "1-3" [["c" "3"]]]`,
			"XAUTOCLAIM s g d x y", "ERR Invalid min-idle-time argument for XAUTOCLAIM",
			"XAUTOCLAIM s g d 0 y FOO", invalidStreamID,
			"XAUTOCLAIM s g d 0 (18446744073709551615-18446744073709551615", "ERR invalid start ID for the interval",
			"XAUTOCLAIM s g d 0 - FOO", "ERR syntax error",
			"XAUTOCLAIM s g d 0 - COUNT", "ERR syntax error",
			"XAUTOCLAIM s g d 0 - COUNT 0", "ERR COUNT must be > 0",
			"XAUTOCLAIM s g d 0 - COUNT x", "ERR COUNT must be > 0",
			"XAUTOCLAIM s g d 0 - COUNT 576460752303423488", "ERR COUNT must be > 0",
			"XAUTOCLAIM s nosuch d 0 -", "NOGROUP No such key 's' or consumer group 'nosuch'",
			"XAUTOCLAIM missing g d 0 -", "NOGROUP No such key 'missing' or consumer group 'g'",
			"XAUTOCLAIM text g d 0 -", wrongType,
		)
	})
}

func TestStreams_Autoclaim_ContinuesFromItsCursor(t *testing.T) {
	withGroup(t, func(c *commandtest.BubbleClient) {
		c.Do("XREADGROUP GROUP g c STREAMS s >")
		c.Want(
			"XAUTOCLAIM s g d 0 - COUNT 1", `["1-2" [["1-1" ["a" "1"]]] []]`,
			"XAUTOCLAIM s g d 0 1-2 COUNT 1 JUSTID", `["1-3" ["1-2"] []]`,
			"XAUTOCLAIM s g d 0 (1-2 COUNT 1", `["0-0" [["1-3" ["a" "3"]]] []]`,
			"XPENDING s g - + 10", `[["1-1" "d" 0 2] ["1-2" "d" 0 1] ["1-3" "d" 0 2]]`,
		)
		c.Clock.Advance(time.Second)
		c.Do("XCLAIM s g e 0 1-2 JUSTID")
		c.Want(
			"XAUTOCLAIM s g f 1000 -", `["0-0" [["1-1" ["a" "1"]] ["1-3" ["a" "3"]]] []]`,
			"XPENDING s g", `[3 "1-1" "1-3" [["e" "1"] ["f" "2"]]]`,
		)
	})
}

// XAUTOCLAIM looks at no more than ten entries for each of COUNT.
func TestStreams_Autoclaim_LimitsAttempts(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Do("XGROUP CREATE s g 0 MKSTREAM")
		for i := range 30 {
			c.Do(fmt.Sprintf("XADD s 1-%d a b", i+1))
		}
		c.Do("XREADGROUP GROUP g c STREAMS s >")
		c.Want(
			"XAUTOCLAIM s g d 1000 - COUNT 1", `["1-11" [] []]`,
			"XAUTOCLAIM s g d 1000 1-11 COUNT 2", `["0-0" [] []]`,
		)
	})
}

// Redis looks the key up before it parses the options.
func TestStreams_Autoclaim_ErrorCountsAsLookup(t *testing.T) {
	env, clock := commandtest.NewEnv(t)
	c := commandtest.NewClient(t, env)
	c.Want("XADD s 1 f v", `"1-0"`)
	clock.Advance(10 * time.Second)
	c.Want("OBJECT IDLETIME s", "10", "XAUTOCLAIM s g d 0 0 COUNT 0", "ERR COUNT must be > 0", "OBJECT IDLETIME s", "0")
}
