package data_test

import (
	"strings"
	"testing"

	"github.com/minilockd/minilockd/command/commandtest"
	"github.com/minilockd/minilockd/internal/require"
)

// In Redis 7.0 only a consumer that gets entries is created, and XINFO has no time of that.
func TestStreams_Versions_Consumers(t *testing.T) {
	commandtest.InBubbleOf(t, "7.0", func(c *commandtest.BubbleClient) {
		c.Do("XGROUP CREATE s g 0 MKSTREAM")
		c.WantEvents("XREADGROUP GROUP g a STREAMS s >")
		c.WantEvents("XCLAIM s g a 0 1-1")
		c.WantEvents("XAUTOCLAIM s g a 0 -")
		c.WantEvents("XREADGROUP GROUP g a STREAMS s 0", "xgroup-createconsumer s")
		c.Want("XINFO CONSUMERS s g", `[["name" "a" "pending" 0 "idle" 0]]`)
	})
}

// Reading the history is a change for Redis 7.0 and Valkey.
func TestStreams_Versions_History(t *testing.T) {
	for server, changed := range map[string]bool{"7.0": true, "7.2": true, "7.4": false, "valkey-9.1": true} {
		env := commandtest.NewEnvOf(t, server)
		c := commandtest.NewClient(t, env)
		c.Do("XADD s 1-1 a 1")
		c.Do("XGROUP CREATE s g 0")
		c.Do("XREADGROUP GROUP g c STREAMS s >")
		before := commandtest.InfoOf(c, "persistence")
		c.Want("XREADGROUP GROUP g c STREAMS s 0", `[["s" [["1-1" ["a" "1"]]]]]`)
		require.Equal(t, changed, before != commandtest.InfoOf(c, "persistence"), server)
	}
}

func TestStreams_Versions_Errors(t *testing.T) {
	for server, want := range map[string][3]string{
		"7.0": {"XREAD list of streams: for each stream key an ID or '$'",
			"XREAD list of streams: for each stream key an ID or '$'", invalidStreamID},
		"7.2": {"'xread' list of streams: for each stream key an ID or '$'",
			"'xreadgroup' list of streams: for each stream key an ID or '>'", invalidStreamID},
		"7.4": {"'xread' list of streams: for each stream key an ID, '+', or '$'",
			"'xreadgroup' list of streams: for each stream key an ID or '>'", "nil-array"},
		"valkey-8.1": {"'xread' list of streams: for each stream key an ID or '$'",
			"'xreadgroup' list of streams: for each stream key an ID or '>'", "ERR the stream last element ID is 0-0"},
		"valkey-9.1": {"'xread' list of streams: for each stream key an ID or '$'",
			"'xreadgroup' list of streams: for each stream key an ID or '>'", "nil-array"},
	} {
		c := commandtest.NewClient(t, commandtest.NewEnvOf(t, server))
		c.Do("XGROUP CREATE s g 0 MKSTREAM")
		c.Want(
			"XREAD STREAMS s t 0", "ERR Unbalanced "+want[0]+" must be specified.",
			"XREADGROUP GROUP g c STREAMS s t 0", "ERR Unbalanced "+want[1]+" must be specified.",
			"XREAD STREAMS s +", want[2],
		)
	}
}

// + is the last entry that is left, or for Valkey the one that was added last.
func TestStreams_Versions_LastEntry(t *testing.T) {
	for server, want := range map[string]string{"8.0": `[["s" [["1-1" ["a" "1"]]]]]`, "valkey-9.1": "nil-array"} {
		env := commandtest.NewEnvOf(t, server)
		c := commandtest.NewClient(t, env)
		c.Want(
			"XADD s 1-1 a 1", `"1-1"`,
			"XADD s 1-2 a 2", `"1-2"`,
			"XREAD COUNT 5 STREAMS s +", `[["s" [["1-2" ["a" "2"]]]]]`,
			"XDEL s 1-2", "1",
			"XREAD STREAMS s +", want,
		)
		waiter := commandtest.NewClientID(t, env, 2)
		waiter.Want("XREAD BLOCK 0 STREAMS new +", "")
		c.Want("MULTI", "OK", "XADD new 1-1 a 1", "QUEUED", "XADD new 1-2 a 2", "QUEUED", "EXEC", `["1-1" "1-2"]`)
		require.Equal(t, `[["new" [["1-2" ["a" "2"]]]]]`, waiter.Delivered())
	}
}

func TestStreams_Versions_SetIDOfDeleted(t *testing.T) {
	for server, want := range map[string]string{
		"7.0": "OK", "7.2": "ERR The ID specified in XSETID is smaller than current max_deleted_entry_id",
	} {
		c := commandtest.NewClient(t, commandtest.NewEnvOf(t, server))
		c.Want("XADD s 1-1 a 1", `"1-1"`, "XADD s 1-2 a 1", `"1-2"`, "XDEL s 1-2", "1", "XSETID s 1-1", want)
	}
}

// lagAfter returns last-delivered-id, entries-read and lag of a group that has read the first of three entries, after
// more commands.
func lagAfter(t *testing.T, server string, lines ...string) string {
	c := commandtest.NewClient(t, commandtest.NewEnvOf(t, server))
	for _, line := range append([]string{"XADD s 1-1 a 1", "XADD s 1-2 a 1", "XADD s 1-3 a 1", "XGROUP CREATE s g 0",
		"XREADGROUP GROUP g c COUNT 1 STREAMS s >"}, lines...) {
		c.Do(line)
	}
	_, lag, _ := strings.Cut(c.Do("XINFO GROUPS s"), `"last-delivered-id" `)
	return strings.NewReplacer(`"entries-read"`, "read", `"lag"`, "lag", "]", "", `"`, "").Replace(lag)
}

// How a group counts what it has read, and what is left, where entries were deleted or trimmed.
func TestStreams_Versions_Lag(t *testing.T) {
	for _, c := range []struct {
		servers, want string
		lines         []string
	}{
		{"7.0 7.2", "1-3 read 2 lag 1", []string{"XDEL s 1-2", "XREADGROUP GROUP g c COUNT 1 STREAMS s >"}},
		{"7.4 valkey-8.1", "1-3 read 3 lag 0", []string{"XDEL s 1-2", "XREADGROUP GROUP g c COUNT 1 STREAMS s >"}},
		{"7.0 valkey-9.1", "1-1 read 1 lag 2", []string{"XTRIM s MAXLEN 1"}},
		{"7.4 8.2", "1-1 read 1 lag 1", []string{"XTRIM s MAXLEN 1"}},
		{"7.4", "1-3 read 2 lag 1", []string{"XTRIM s MAXLEN 1", "XREADGROUP GROUP g c STREAMS s >"}},
		{"8.0 valkey-8.1", "1-3 read 3 lag 0", []string{"XTRIM s MAXLEN 1", "XREADGROUP GROUP g c STREAMS s >"}},
		{"8.0 valkey-9.1", "1-3 read 9 lag -6", []string{"XGROUP SETID s g $ ENTRIESREAD 9"}},
		{"8.2 8.4", "1-3 read 3 lag 0", []string{"XGROUP SETID s g $ ENTRIESREAD 9"}},
		{"7.0 valkey-9.1", "9-9 read nil lag nil", []string{"XGROUP SETID s g 9-9", "XTRIM s MAXLEN 0"}},
		{"8.0 8.2", "9-9 read nil lag 0", []string{"XGROUP SETID s g 9-9", "XTRIM s MAXLEN 0"}},
	} {
		for server := range strings.FieldsSeq(c.servers) {
			require.Equal(t, c.want, lagAfter(t, server, c.lines...), server, c.lines)
		}
	}
}

// A client that blocks gets the entries of all its streams; before Redis 7.2 only those of the one that was changed
// first.
func TestStreams_Versions_BlockedReads(t *testing.T) {
	for server, want := range map[string][2]string{
		"7.0": {`[["s" [["1-1" ["a" "1"]]]]]`, "NOGROUP the consumer group this client was blocked on no longer exists"},
		"7.2": {`[["s" [["1-1" ["a" "1"]]]] ["t" [["1-1" ["a" "1"]]]]]`,
			"NOGROUP No such key 's' or consumer group 'g' in XREADGROUP with GROUP option"},
	} {
		env := commandtest.NewEnvOf(t, server)
		c := commandtest.NewClient(t, env)
		c.Do("XGROUP CREATE s g 0 MKSTREAM")
		c.Do("XGROUP CREATE t g 0 MKSTREAM")
		reader, member := commandtest.NewClientID(t, env, 2), commandtest.NewClientID(t, env, 3)
		reader.Want("XREAD BLOCK 0 STREAMS s t $ $", "")
		member.Want("XREADGROUP GROUP g c BLOCK 0 STREAMS s t > >", "")
		c.Want("MULTI", "OK", "XADD s 1-1 a 1", "QUEUED", "XADD t 1-1 a 1", "QUEUED", "EXEC", `["1-1" "1-1"]`)
		require.Equal(t, want[0], reader.Delivered(), server)
		require.Equal(t, want[0], member.Delivered(), server)

		c.Do("XREADGROUP GROUP g c STREAMS s t > >")
		member.Want("XREADGROUP GROUP g c BLOCK 0 STREAMS s t > >", "")
		c.Do("XGROUP DESTROY s g")
		require.Equal(t, want[1], member.Delivered(), server)
	}
}

// All clients that wait for a group get the error when its stream is deleted.
func TestStreams_ReadGroup_AllAreToldOfDeletion(t *testing.T) {
	for server, want := range map[string]string{
		"7.0": "UNBLOCKED the stream key no longer exists",
		"8.2": "NOGROUP No such key 's' or consumer group 'g' in XREADGROUP with GROUP option",
	} {
		env := commandtest.NewEnvOf(t, server)
		c := commandtest.NewClient(t, env)
		c.Do("XGROUP CREATE s g 0 MKSTREAM")
		var waiters []*commandtest.Client
		for id := range int64(3) {
			waiter := commandtest.NewClientID(t, env, id+2)
			waiter.Want("XREADGROUP GROUP g c BLOCK 0 STREAMS s >", "")
			waiters = append(waiters, waiter)
		}
		c.Do("DEL s")
		for _, waiter := range waiters {
			require.Equal(t, want, waiter.Delivered(), server)
		}
	}
}

// Scripts may give BLOCK since Redis 7.2, without effect.
func TestStreams_Versions_BlockInScripts(t *testing.T) {
	for server, want := range map[string]string{
		"7.0": "ERR XREAD command is not allowed with BLOCK option from scripts", "7.2": "nil",
	} {
		c := commandtest.NewClient(t, commandtest.NewEnvOf(t, server))
		require.Equal(t, want,
			c.DoStrings("EVAL", "return redis.pcall('XREAD', 'BLOCK', 0, 'STREAMS', KEYS[1], '$')", "1", "s"), server)
	}
}
