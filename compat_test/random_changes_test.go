package compat

import (
	"regexp"
	"strconv"
	"testing"

	"github.com/minilockd/minilockd/internal/require"
	"github.com/minilockd/minilockd/internal/testenv"
)

// changesLine is the line of INFO with the number of changes.
var changesLine = regexp.MustCompile(`rdb_changes_since_last_save:(\d+)`)

// Each command counts as many changes as in Redis.
func TestRandom_Changes(t *testing.T) {
	total := 60_000
	if !testenv.Long() {
		total = 3000
	}
	a := newServerPair(t)
	from := chosenGroups(t)
	differ := map[string]int{}
	for round := uint64(0); total > 0; round++ {
		g := newGenerator(*randomSeed, round, from, map[template]int{})
		var commands [][]string
		for range commandsPerRound {
			commands = append(commands, g.clear(g.command())...)
		}
		total -= len(commands)
		a.compareChanges(commands, differ)
	}
	require.Empty(t, differ)
}

// compareChanges counts, by name, the commands with another number of changes.
func (a serverPair) compareChanges(commands [][]string, differ map[string]int) {
	counted := make([][]string, 0, 2*len(commands))
	for _, args := range commands {
		counted = append(counted, args, []string{"INFO", "persistence"})
	}
	var replies [2][]reply
	for i, addr := range []string{a.ref, a.target} {
		c := a.connect(addr)
		var err error
		replies[i], err = c.pipeline(counted)
		require.NoError(a.t, err)
		require.NoError(a.t, c.conn.Close())
	}
	want, got := -1, -1
	for i := 0; i < len(counted); i += 2 {
		inRedis, target := changes(replies[0][i+1]), changes(replies[1][i+1])
		if min(inRedis, target) >= 0 && want >= 0 && got >= 0 && inRedis-want != target-got &&
			replies[0][i].String() == replies[1][i].String() {
			if differ[counted[i][0]]++; differ[counted[i][0]] <= 3 {
				a.t.Logf("%s\n  %s\n  redis counts %d, target %d", quoteArgs(counted[i]), replies[0][i], inRedis-want, target-got)
			}
		}
		want, got = inRedis, target
	}
}

func changes(info reply) int {
	found := changesLine.FindStringSubmatch(info.text)
	if found == nil {
		return -1
	}
	n, _ := strconv.Atoi(found[1])
	return n
}
