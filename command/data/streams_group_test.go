package data_test

import (
	"testing"

	"github.com/minilockd/minilockd/command/commandtest"
)

const (
	groupNeedsKey = "ERR The XGROUP subcommand requires the key to exist. Note that for CREATE you may want to " +
		"use the MKSTREAM option " +
		"to create an empty stream automatically."
	invalidStreamID = "ERR Invalid stream ID specified as stream command argument"
	wrongType       = "WRONGTYPE Operation against a key holding the wrong kind of value"
)

func TestStreams_Group_Create(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Want(
			"XADD s 1-1 a 1", `"1-1"`,
			"XGROUP CREATE s g 0", "OK",
			"XGROUP CREATE s g 0", "BUSYGROUP Consumer Group name already exists",
			"XGROUP CREATE s b $ ENTRIESREAD 7", "OK",
			"XGROUP CREATE s c 1 ENTRIESREAD -1", "OK",
			"XGROUP CREATE new g $ MKSTREAM", "OK",
			"TYPE new", "stream",
			"XINFO GROUPS s", `[["name" "b" "consumers" 0 "pending" 0 "last-delivered-id" "1-1" "entries-read" 1 `+
				`"lag" 0] `+
				`["name" "c" "consumers" 0 "pending" 0 "last-delivered-id" "1-0" "entries-read" nil "lag" 1] `+
				`["name" "g" "consumers" 0 "pending" 0 "last-delivered-id" "0-0" "entries-read" nil "lag" 1]]`,
			"XGROUP SETID s g $", "OK",
			"XGROUP SETID s b + ENTRIESREAD 3", "OK",
			"XGROUP SETID s c -", "OK",
			"XINFO GROUPS s", `[["name" "b" "consumers" 0 "pending" 0 "last-delivered-id" `+
				`"18446744073709551615-18446744073709551615" "entries-read" 1 "lag" 0] `+
				`["name" "c" "consumers" 0 "pending" 0 "last-delivered-id" "0-0" "entries-read" nil "lag" 1] `+
				`["name" "g" "consumers" 0 "pending" 0 "last-delivered-id" "1-1" "entries-read" nil "lag" 0]]`,
			"XGROUP DESTROY s b", "1",
			"XGROUP DESTROY s b", "0",
		)
	})
}

func TestStreams_Group_Errors(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Do("XGROUP CREATE s g 0 MKSTREAM")
		c.Do("SET text x")
		c.Want(
			"XGROUP CREATE s g", "ERR wrong number of arguments for 'xgroup|create' command",
			"XGROUP CREATE s g2 x", invalidStreamID,
			"XGROUP CREATE s g2 +", invalidStreamID,
			"XGROUP CREATE s g2 0 FOO",
			"ERR unknown subcommand or wrong number of arguments for 'CREATE'. Try XGROUP HELP.",
			"XGROUP CREATE s g2 0 ENTRIESREAD",
			"ERR unknown subcommand or wrong number of arguments for 'CREATE'. Try XGROUP HELP.",
			"XGROUP CREATE s g2 0 ENTRIESREAD x", "ERR value is not an integer or out of range",
			"XGROUP CREATE s g2 0 ENTRIESREAD -2", "ERR value for ENTRIESREAD must be positive or -1",
			"XGROUP CREATE missing g 0", groupNeedsKey,
			"XGROUP CREATE missing g x MKSTREAM", invalidStreamID,
			"EXISTS missing", "0",
			"XGROUP CREATE text g x MKSTREAM", wrongType,
			"XGROUP SETID s g x", invalidStreamID,
			"XGROUP SETID s g 0 MKSTREAM",
			"ERR unknown subcommand or wrong number of arguments for 'SETID'. Try XGROUP HELP.",
			"XGROUP SETID s nosuch x", "NOGROUP No such consumer group 'nosuch' for key name 's'",
			"XGROUP SETID missing g 0", groupNeedsKey,
			"XGROUP DESTROY missing g", groupNeedsKey,
			"XGROUP DESTROY text g", wrongType,
			"XGROUP CREATECONSUMER s nosuch c", "NOGROUP No such consumer group 'nosuch' for key name 's'",
			"XGROUP DELCONSUMER missing g c", groupNeedsKey,
			"XGROUP FOO s g", "ERR unknown subcommand 'FOO'. Try XGROUP HELP.",
		)
	})
}

func TestStreams_Group_Consumers(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Do("XADD s 1-1 a 1")
		c.Do("XGROUP CREATE s g 0")
		c.Want(
			"XGROUP CREATECONSUMER s g b", "1",
			"XGROUP CREATECONSUMER s g b", "0",
			"XREADGROUP GROUP g a STREAMS s >", `[["s" [["1-1" ["a" "1"]]]]]`,
			"XINFO CONSUMERS s g", `[["name" "a" "pending" 1 "idle" 0 "inactive" 0] ["name" "b" "pending" 0 "idle" 0 `+
				`"inactive" -1]]`,
			"XGROUP DELCONSUMER s g nobody", "0",
			"XGROUP DELCONSUMER s g a", "1",
			"XPENDING s g", "[0 nil nil nil-array]",
			"XINFO CONSUMERS s g", `[["name" "b" "pending" 0 "idle" 0 "inactive" -1]]`,
		)
	})
}

func TestStreams_Group_Events(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.WantEvents("XGROUP CREATE s g 0 MKSTREAM", "xgroup-create s")
		c.WantEvents("XGROUP CREATE s g 0 MKSTREAM")
		c.WantEvents("XGROUP CREATECONSUMER s g a", "xgroup-createconsumer s")
		c.WantEvents("XGROUP CREATECONSUMER s g a")
		c.WantEvents("XGROUP SETID s g 0", "xgroup-setid s")
		c.WantEvents("XADD s 1-1 a 1", "xadd s")
		c.WantEvents("XREADGROUP GROUP g b STREAMS s >", "xgroup-createconsumer s")
		c.WantEvents("XREADGROUP GROUP g c STREAMS s >", "xgroup-createconsumer s")
		c.WantEvents("XCLAIM s g c 0 1-1")
		c.WantEvents("XCLAIM s g d 100000 1-1", "xgroup-createconsumer s")
		c.WantEvents("XAUTOCLAIM s g e 0 -", "xgroup-createconsumer s")
		c.WantEvents("XAUTOCLAIM s g f 100000 -", "xgroup-createconsumer s")
		c.WantEvents("XACK s g 1-1")
		c.WantEvents("XGROUP DELCONSUMER s g a", "xgroup-delconsumer s")
		c.WantEvents("XGROUP DELCONSUMER s g a")
		c.WantEvents("XGROUP DESTROY s g", "xgroup-destroy s")
		c.WantEvents("XGROUP DESTROY s g")
		c.WantEvents("XSETID s 5-5", "xsetid s")
	})
}

// Creating and deleting groups does not modify a watched stream, as in Redis. Creating the stream does.
func TestStreams_Group_DoesNotModifyWatchedKey(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		other := commandtest.NewClient(t, c.Env)
		watch := func(line, result string) {
			t.Helper()
			other.Want("UNWATCH", "OK", "WATCH s", "OK")
			c.Do(line)
			other.Want("MULTI", "OK", "EXEC", result)
		}
		watch("XGROUP CREATE s g 0 MKSTREAM", "nil-array")
		watch("XADD s 1-1 a 1", "nil-array")
		for _, line := range []string{"XGROUP CREATE s h 0", "XGROUP CREATECONSUMER s g c",
			"XREADGROUP GROUP g c STREAMS s >", "XCLAIM s g d 0 1-1",
			"XAUTOCLAIM s g e 0 -", "XACK s g 1-1", "XGROUP SETID s g 0", "XGROUP DELCONSUMER s g c",
			"XGROUP DESTROY s h", "XSETID s 9"} {
			watch(line, "[]")
		}
		watch("XDEL s 1-1", "nil-array")
	})
}

func TestStreams_Group_CopiesAreIndependent(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		c.Do("XADD s 1-1 a 1")
		c.Do("XGROUP CREATE s g 0")
		c.Do("XREADGROUP GROUP g c STREAMS s >")
		c.Want(
			"COPY s t", "1",
			"XACK s g 1-1", "1",
			"XPENDING s g", "[0 nil nil nil-array]",
			"XPENDING t g", `[1 "1-1" "1-1" [["c" "1"]]]`,
		)
	})
}

// A script that uses an undeclared key restarts. What it did to a group before must be rolled back.
func TestStreams_Group_RestartedScriptDoesNothingTwice(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		for _, line := range []string{"XADD s 1-1 a 1", "XADD s 1-2 a 2", "XADD s 1-3 a 3", "XGROUP CREATE s g 0",
			"XREADGROUP GROUP g c COUNT 2 STREAMS s >"} {
			c.Do(line)
		}
		script := `redis.call('XREADGROUP', 'GROUP', 'g', 'd', 'STREAMS', KEYS[1], '>')
			redis.call('XCLAIM', KEYS[1], 'g', 'd', 0, '1-1')
			redis.call('XACK', KEYS[1], 'g', '1-2')
			redis.call('SET', 'elsewhere', 1)
			return redis.call('XPENDING', KEYS[1], 'g', '-', '+', 10)`
		want := `[["1-1" "d" 0 2] ["1-3" "d" 0 1]]`
		if got := c.DoArgs([]byte("EVAL"), []byte(script), []byte("1"), []byte("s")); got != want {
			t.Fatalf("%s, not %s", got, want)
		}
		c.Want("XINFO GROUPS s",
			`[["name" "g" "consumers" 2 "pending" 2 "last-delivered-id" "1-3" "entries-read" 3 "lag" 0]]`)
	})
}
