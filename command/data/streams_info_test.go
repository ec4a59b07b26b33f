package data_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/minilockd/minilockd/command/commandtest"
)

func TestStreams_Info(t *testing.T) {
	withGroup(t, func(c *commandtest.BubbleClient) {
		c.Want(
			"XINFO STREAM s", `["length" 3 "radix-tree-keys" 1 "radix-tree-nodes" 2 "last-generated-id" "1-3" `+
				`"max-deleted-entry-id" "0-0" `+
				`"entries-added" 3 "recorded-first-entry-id" "1-1" "groups" 1 "first-entry" ["1-1" ["a" "1"]] `+
				`"last-entry" ["1-3" ["a" "3"]]]`,
			"XDEL s 1-1 1-2 1-3", "3",
			"XINFO STREAM s", `["length" 0 "radix-tree-keys" 0 "radix-tree-nodes" 1 "last-generated-id" "1-3" `+
				`"max-deleted-entry-id" "1-3" `+
				`"entries-added" 3 "recorded-first-entry-id" "0-0" "groups" 1 "first-entry" nil "last-entry" nil]`,
		)
	})
}

func TestStreams_Info_Full(t *testing.T) {
	withGroup(t, func(c *commandtest.BubbleClient) {
		c.Do("XREADGROUP GROUP g c COUNT 2 STREAMS s >")
		now := c.Clock.Now().UnixMilli()
		c.Clock.Advance(time.Second)
		c.Do("XREADGROUP GROUP g d STREAMS s >")
		later := now + 1000
		head := `["length" 3 "radix-tree-keys" 1 "radix-tree-nodes" 2 "last-generated-id" "1-3" ` +
			`"max-deleted-entry-id" "0-0" ` +
			`"entries-added" 3 "recorded-first-entry-id" "1-1" "entries" `
		group := `"groups" [["name" "g" "last-delivered-id" "1-3" "entries-read" 3 "lag" 0 "pel-count" 3 "pending" `
		all := fmt.Sprintf(`%s[["1-1" ["a" "1"]] ["1-2" ["a" "2"]] ["1-3" ["a" "3"]]] %s[["1-1" "c" %d 1] ["1-2" `+
			`"c" %d 1] ["1-3" "d" %d 1]] `+
			`"consumers" [["name" "c" "seen-time" %d "active-time" %d "pel-count" 2 "pending" [["1-1" %d 1] ["1-2" %d 1]]] `+
			`["name" "d" "seen-time" %d "active-time" %d "pel-count" 1 "pending" [["1-3" %d 1]]]]]]]`, head, group, now, now,
			later, now, now, now, now, later, later, later)
		c.Want(
			"XINFO STREAM s FULL", all,
			"XINFO STREAM s full count 0", all,
			"XINFO STREAM s FULL COUNT -1", all,
			"XINFO STREAM s FULL COUNT 1", fmt.Sprintf(`%s[["1-1" ["a" "1"]]] %s[["1-1" "c" %d 1]] `+
				`"consumers" [["name" "c" "seen-time" %d "active-time" %d "pel-count" 2 "pending" [["1-1" %d 1]]] `+
				`["name" "d" "seen-time" %d "active-time" %d "pel-count" 1 "pending" [["1-3" %d 1]]]]]]]`, head, group,
				now, now, now, now, later, later, later),
		)
	})
}

func TestStreams_Info_Errors(t *testing.T) {
	withGroup(t, func(c *commandtest.BubbleClient) {
		c.Do("SET text x")
		wrongWords := "ERR unknown subcommand or wrong number of arguments for 'STREAM'. Try XINFO HELP."
		c.Want(
			"XINFO STREAM missing FOO", "ERR no such key",
			"XINFO STREAM text", wrongType,
			"XINFO STREAM s FOO", wrongWords,
			"XINFO STREAM s FULL COUNT", wrongWords,
			"XINFO STREAM s FULL COUNT 1 x", wrongWords,
			"XINFO STREAM s FULL FOO 1", wrongWords,
			"XINFO STREAM s FULL COUNT x", "ERR value is not an integer or out of range",
			"XINFO GROUPS missing", "ERR no such key",
			"XINFO GROUPS text", wrongType,
			"XINFO CONSUMERS missing g", "ERR no such key",
			"XINFO CONSUMERS s nosuch", "NOGROUP No such consumer group 'nosuch' for key name 's'",
			"XINFO FOO s", "ERR unknown subcommand 'FOO'. Try XINFO HELP.",
		)
	})
}

// The lag of a group is unknown if entries after its position were deleted, until it has read past them.
func TestStreams_Info_Lag(t *testing.T) {
	withGroup(t, func(c *commandtest.BubbleClient) {
		lag := func(line, lag string) {
			t.Helper()
			c.Do(line)
			c.Want("XINFO GROUPS s", groupLag(c, lag))
		}
		lag("XLEN s", `"0-0" "entries-read" nil "lag" 3`)
		lag("XREADGROUP GROUP g c COUNT 1 STREAMS s >", `"1-1" "entries-read" 1 "lag" 2`)
		lag("XDEL s 1-2", `"1-1" "entries-read" 1 "lag" nil`)
		lag("XREADGROUP GROUP g c COUNT 1 STREAMS s >", `"1-3" "entries-read" 3 "lag" 0`)
		lag("XADD s 2 a 4", `"1-3" "entries-read" 3 "lag" 1`)
		lag("XGROUP SETID s g 1-1", `"1-1" "entries-read" nil "lag" nil`)
		lag("XTRIM s MINID 1-3", `"1-1" "entries-read" nil "lag" 2`)
	})
}

// groupLag returns what XINFO GROUPS replies of the group g of withGroup, from last-delivered-id on.
func groupLag(c *commandtest.BubbleClient, rest string) string {
	head, _, _ := strings.Cut(c.Do("XINFO GROUPS s"), `"last-delivered-id"`)
	return head + `"last-delivered-id" ` + rest + "]]"
}

// Nodes are as large as stream-node-max-entries, and approximate trimming removes whole nodes.
func TestStreams_Info_NodesFollowTheConfiguration(t *testing.T) {
	commandtest.InBubble(t, func(c *commandtest.BubbleClient) {
		nodes := func(keys, nodes int) {
			t.Helper()
			reply := c.Do("XINFO STREAM s")
			want := fmt.Sprintf(`"radix-tree-keys" %d "radix-tree-nodes" %d `, keys, nodes)
			if !strings.Contains(reply, want) {
				t.Fatalf("%s has not %s", reply, want)
			}
		}
		c.Do("CONFIG SET stream-node-max-entries 10")
		for i := range 100 {
			c.Do(fmt.Sprintf("XADD s %d-0 a b", i+1))
		}
		nodes(10, 22)
		c.Want("XTRIM s MAXLEN ~ 55", "40")
		nodes(6, 14)
		c.Do("CONFIG SET stream-node-max-entries 0 stream-node-max-bytes 100")
		for i := range 20 {
			c.Do(fmt.Sprintf("XADD s %d-0 name value-%d", i+1001, i))
		}
		nodes(11, 26)
		c.Want("XTRIM s MAXLEN ~ 19", "60")
	})
}
