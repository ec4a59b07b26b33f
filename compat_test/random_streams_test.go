package compat

import (
	"slices"
	"strings"
	"testing"

	"github.com/minilockd/minilockd/internal/require"
)

// The server sends its replicas the same for random commands as the real one.
func TestRandom_ReplicaStreams(t *testing.T) {
	total := *replicatedCommands
	a := newServerPair(t)
	from := chosenGroups(t)
	differ := map[string]int{}
	for round := uint64(0); total > 0; round++ {
		g := newGenerator(*randomSeed, round, from, map[template]int{})
		var commands [][]string
		for len(commands) < commandsPerRound/4 {
			commands = append(commands, g.clear(g.command())...)
		}
		commands = slices.DeleteFunc(commands, func(args []string) bool {
			return keyNamedLikeOption(args) || framesTransaction[args[0]] || restoresCopy(args)
		})
		total -= len(commands)
		a.compareStreams(commands, differ)
	}
	require.Empty(t, differ)
}

// framesTransaction are the commands between which the markers would be queued.
var framesTransaction = map[string]bool{"MULTI": true, "EXEC": true, "DISCARD": true}

// restoresCopy reports whether a command is a script that restores what it has dumped: payloads have times.
func restoresCopy(args []string) bool {
	return args[0] == "EVAL" && strings.Contains(args[1], "'RESTORE'")
}

// compareStreams counts, by name, the commands after which replicas get something else.
func (a serverPair) compareStreams(commands [][]string, differ map[string]int) {
	var replies [2][]reply
	var streams [2][][]string
	for i, addr := range []string{a.ref, a.target} {
		replies[i], streams[i] = a.streamsOf(addr, commands)
	}
	for i, args := range commands {
		want, got := strings.Join(streams[0][i], " | "), strings.Join(streams[1][i], " | ")
		if sameStream(want, got) || replies[0][i].String() != replies[1][i].String() {
			continue
		}
		if differ[args[0]]++; differ[args[0]] <= 3 {
			a.t.Logf("%s\n  %s\n  redis: %s\n target: %s", quoteArgs(args), replies[0][i], want, got)
		}
	}
}

// sameStream compares what replicas get, with times that differ by less than a minute.
func sameStream(want, got string) bool {
	x, y := strings.Fields(want), strings.Fields(got)
	return slices.EqualFunc(x, y, func(a, b string) bool {
		return a == b || len(a) == len("1700000000000") && nearReply(reply{text: a}, reply{text: b}, 60_000)
	})
}

// streamsOf runs commands and returns, for each, its reply and what the replicas of the server get.
func (a serverPair) streamsOf(addr string, commands [][]string) (replies []reply, streams [][]string) {
	c := a.connect(addr)
	defer c.conn.Close()
	r := openStream(a.t, addr)
	defer r.conn.conn.Close()
	marked := make([][]string, 0, 2*len(commands))
	for i, args := range commands {
		marked = append(marked, args, markerArgs(i))
	}
	all, err := c.pipeline(marked)
	require.NoError(a.t, err)
	for i := range commands {
		got, err := r.upToMarker()
		require.NoError(a.t, err)
		replies, streams = append(replies, all[2*i]), append(streams, got)
	}
	return replies, streams
}
