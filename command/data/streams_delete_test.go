package data_test

import (
	"testing"

	"github.com/minilockd/minilockd/command/commandtest"
)

// withPending is withGroup, with a group h that has read 1-1; 1-1 and 1-2 are pending in g.
func withPending(t *testing.T, test func(c *commandtest.BubbleClient)) {
	t.Helper()
	withGroup(t, func(c *commandtest.BubbleClient) {
		c.Do("XREADGROUP GROUP g a COUNT 2 STREAMS s >")
		c.Do("XGROUP CREATE s h 0")
		c.Do("XREADGROUP GROUP h b COUNT 1 STREAMS s >")
		test(c)
	})
}

func TestStreams_DelEx(t *testing.T) {
	withPending(t, func(c *commandtest.BubbleClient) {
		c.Want(
			"XDELEX s ACKED IDS 4 1-1 1-2 1-3 1-9", "[2 2 2 2]",
			"XACK s g 1-1", "1",
			"XDELEX s ACKED IDS 1 1-1", "[2]",
			"XACK s h 1-1", "1",
			"XDELEX s IDS 1 1-1 ACKED", "[1]",
			"XDELEX s KEEPREF IDS 2 1-2 1-2", "[1 -1]",
			"XPENDING s g - + 10", `[["1-2" "a" 0 1]]`,
			"XDELEX s DELREF IDS 1 1-2", "[-1]",
			"XPENDING s g - + 10", "[]",
			"XRANGE s - +", `[["1-3" ["a" "3"]]]`,
			"XDELEX missing IDS 2 1-1 x", "[-1 -1]",
		)
		c.WantEvents("XDELEX s ACKED IDS 1 1-3")
		c.WantEvents("XDELEX s IDS 1 1-3", "xdel s")
		c.Want("EXISTS s", "1")
	})
}

func TestStreams_AckDel(t *testing.T) {
	withPending(t, func(c *commandtest.BubbleClient) {
		c.Want(
			"XACKDEL s g ACKED IDS 2 1-1 1-3", "[2 -1]",
			"XPENDING s g - + 10", `[["1-2" "a" 0 1]]`,
			"XACKDEL s h ACKED IDS 1 1-1", "[1]",
			"XRANGE s - +", `[["1-2" ["a" "2"]] ["1-3" ["a" "3"]]]`,
			"XDEL s 1-2", "1",
			"XACKDEL s g IDS 1 1-2", "[1]",
			"XPENDING s g - + 10", "[]",
			"XACKDEL s nosuch IDS 2 1-3 x", "[-1 -1]",
			"XACKDEL missing g IDS 1 x", "[-1]",
		)
		c.Do("XREADGROUP GROUP g a STREAMS s >")
		c.WantEvents("XACKDEL s g ACKED IDS 1 1-3")
		c.Do("XREADGROUP GROUP h b STREAMS s >")
		c.WantEvents("XACKDEL s h DELREF IDS 1 1-3", "xdel s")
	})
}

func TestStreams_DelEx_Errors(t *testing.T) {
	withPending(t, func(c *commandtest.BubbleClient) {
		c.Do("SET text x")
		numIDs := "ERR Number of IDs must be a positive integer"
		c.Want(
			"XDELEX s IDS 1", "ERR wrong number of arguments for 'xdelex' command",
			"XACKDEL s g IDS 1", "ERR wrong number of arguments for 'xackdel' command",
			"XDELEX s KEEPREF 1 1-1", "ERR syntax error",
			"XDELEX s KEEPREF DELREF IDS 1 1-1", "ERR syntax error",
			"XDELEX s IDS 1 1-1 1-2", "ERR syntax error",
			"XDELEX s IDS x 1-1", numIDs,
			"XACKDEL s g IDS 0 1-1", numIDs,
			"XDELEX missing IDS 2 1-1", "ERR The `numids` parameter must match the number of arguments",
			"XDELEX s IDS 1 x", invalidStreamID,
			"XDELEX text IDS 1 1-1", wrongType,
			"XLEN s", "3",
		)
	})
}

func TestStreams_Trim_References(t *testing.T) {
	withPending(t, func(c *commandtest.BubbleClient) {
		c.Do("XACK s g 1-2")
		c.Want(
			"XTRIM s MAXLEN 1 ACKED", "0",
			"XGROUP SETID s h 1-3", "OK",
			"XTRIM s ACKED MAXLEN 1", "1",
			"XRANGE s - +", `[["1-1" ["a" "1"]] ["1-3" ["a" "3"]]]`,
			"XTRIM s MINID ~ 1-3 DELREF", "0",
			"XTRIM s MINID = 1-3 DELREF", "1",
			"XPENDING s g - + 10", "[]",
			"XPENDING s h - + 10", "[]",
			"XINFO STREAM s", `["length" 1 "radix-tree-keys" 1 "radix-tree-nodes" 2 "last-generated-id" "1-3" `+
				`"max-deleted-entry-id" "0-0" "entries-added" 3 "recorded-first-entry-id" "1-3" "groups" 2 `+
				`"first-entry" ["1-3" ["a" "3"]] "last-entry" ["1-3" ["a" "3"]]]`,
			"XTRIM s MAXLEN 1 KEEPREF KEEPREF", "ERR syntax error",
			"XADD s KEEPREF DELREF MAXLEN 1 2-1 a 1", invalidStreamID,
			"XADD s MAXLEN 1 DELREF 2-1 a 1", `"2-1"`,
			"XADD s ACKED 2-2 a 1", `"2-2"`,
			"XLEN s", "2",
		)
	})
}

func TestStreams_References_OtherServers(t *testing.T) {
	for _, server := range []string{"8.0", "valkey-9.1"} {
		c := commandtest.NewClient(t, commandtest.NewEnvOf(t, server))
		c.Want(
			"XADD s KEEPREF 1-1 a 1", invalidStreamID,
			"XADD s 1-1 a 1", `"1-1"`,
			"XTRIM s MAXLEN 0 KEEPREF", "ERR syntax error",
			"XDELEX s IDS 1 1-1", "ERR unknown command 'XDELEX', with args beginning with: 's' 'IDS' '1' '1-1' ",
			"XACKDEL s g 1", "ERR unknown command 'XACKDEL', with args beginning with: 's' 'g' '1' ",
		)
	}
}
