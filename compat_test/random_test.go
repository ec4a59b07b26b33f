package compat

import (
	"flag"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/minilockd/minilockd/internal/testenv"
)

var (
	randomCommands = flag.Int("commands", 200_000, "random commands to send to both servers")
	randomFamilies = flag.String("families", "", "send commands of these families only, such as lists,keys")
	randomSeed     = flag.Uint64("seed", 1, "where the random commands begin; 0 takes the clock")
)

// episodeLength is how many commands are sent between two times of emptying the servers:
// long enough for states to grow, short enough to shrink.
const episodeLength = 2000

// enoughDifferences ends a run.
const enoughDifferences = 10

// Both servers must answer the same to the same random commands. A difference is shrunk to
// the fewest commands that show it; -seed makes the run again.
func TestRandom_CommandsAreAnsweredAsByRedis(t *testing.T) {
	total, seed := *randomCommands, *randomSeed
	if !testenv.Long() {
		total = 5000
	}
	if seed == 0 {
		seed = uint64(time.Now().UnixNano())
	}
	a := newArena(t)
	a.ageEach()
	s, from := statistics{used: map[form]int{}}, chosenFamilies(t)
	culprits := map[string]bool{} // one difference must not hide the others
	var dumps []string            // of earlier episodes
	for episode := uint64(0); s.commands < total && len(culprits) < enoughDifferences; episode++ {
		a.vary(episode)
		g := newGenerator(seed, episode, from, s.used)
		g.dumps = dumps
		commands := g.commands(min(episodeLength, total-s.commands))
		commands = slices.DeleteFunc(commands, func(args []string) bool { return culprits[args[0]] })
		replies, d := a.play(commands)
		s.add(replies)
		if d != nil {
			culprits[a.report(seed, episode, commands, d)] = true
		}
		dumps = append(a.dumps(), dumps...)
		dumps = dumps[:min(keptDumps, len(dumps))]
	}
	t.Logf("seed %d: %d commands, %d of them answered with an error", seed, s.commands, s.errors)
	if total >= 50_000 && *randomFamilies == "" && !t.Failed() {
		s.requireGood(t)
	}
}

// vary makes episodes unlike.
func (a *arena) vary(episode uint64) {
	a.resp3, a.listens = episode%3 == 2, episode%2 == 1
}

// chosenFamilies are those that -families names, or all.
func chosenFamilies(t *testing.T) []family {
	t.Helper()
	if *randomFamilies == "" {
		return families
	}
	names := strings.Split(*randomFamilies, ",")
	chosen := slices.DeleteFunc(slices.Clone(families), func(f family) bool { return !slices.Contains(names, f.name) })
	require.Len(t, chosen, len(names), "-families %s", *randomFamilies)
	return chosen
}

// report shrinks what led to a difference, prints it and names the command that showed it.
func (a arena) report(seed, episode uint64, commands [][]string, d *difference) string {
	a.t.Helper()
	short, d := shrink(commands, d, func(some [][]string) *difference {
		_, d := a.play(some)
		return d
	})
	var b strings.Builder
	for _, args := range short {
		b.WriteString("\n  " + quoteArgs(args))
	}
	a.t.Errorf("seed %d, episode %d: the servers differ after%s\nat %s", seed, episode, b.String(), d.text)
	return culprit(short)
}

// culprit is the last command that is no bracket of a transaction.
func culprit(commands [][]string) string {
	for _, args := range slices.Backward(commands) {
		if name := args[0]; name != "EXEC" && name != "MULTI" && name != "DISCARD" {
			return name
		}
	}
	return commands[len(commands)-1][0]
}

// statistics tell whether a random run was worth anything.
type statistics struct {
	used             map[form]int
	commands, errors int
}

func (s *statistics) add(replies []reply) {
	s.commands += len(replies)
	for _, r := range replies {
		if r.kind == '-' {
			s.errors++
		}
	}
}

// requireGood fails if commands were left out, or nearly all or none were refused.
func (s *statistics) requireGood(t *testing.T) {
	t.Helper()
	for _, family := range families {
		for _, f := range family.forms {
			require.NotZero(t, s.used[f], "never sent: %s", f)
		}
	}
	require.Greater(t, s.errors, s.commands/20)
	require.Less(t, s.errors, s.commands/2)
}
