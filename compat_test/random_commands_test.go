package compat

import (
	"flag"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/minilockd/minilockd/internal/require"
	"github.com/minilockd/minilockd/internal/testenv"
)

var (
	randomCommands = flag.Int("commands", 200_000, "random commands to send to both servers")
	randomGroups   = flag.String("groups", "", "send commands of these groups only, such as lists,keys")
	randomSeed     = flag.Uint64("seed", 1, "the seed of random commands; 0 takes the clock")
)

// commandsPerRound is the number of commands between two FLUSHALLs: enough for large values, few enough to shrink.
const commandsPerRound = 2000

// enoughDifferences is the number of differences after which a run ends.
const enoughDifferences = 10

// Both servers must reply the same to random commands. A difference is reduced to as few commands as show it;
// -seed repeats a run.
func TestRandom_Commands(t *testing.T) {
	total, seed := *randomCommands, *randomSeed
	if !testenv.Long() {
		total = 5000
	}
	if seed == 0 {
		seed = uint64(time.Now().UnixNano())
	}
	a := newServerPair(t)
	a.setDistinctIdleTimes()
	s, from := statistics{used: map[template]int{}}, chosenGroups(t)
	reported := map[string]bool{} // so that one difference does not hide the others
	var dumps []string            // of earlier rounds
	for round := uint64(0); s.commands < total && len(reported) < enoughDifferences; round++ {
		a.vary(round)
		g := newGenerator(seed, round, from, s.used)
		g.dumps = dumps
		commands := g.commands(min(commandsPerRound, total-s.commands))
		commands = slices.DeleteFunc(commands, func(args []string) bool {
			return reported[args[0]] || keyNamedLikeOption(args)
		})
		replies, d := a.run(commands)
		s.add(replies)
		if d != nil {
			reported[a.report(seed, round, commands, d)] = true
		}
		dumps = append(a.dumps(), dumps...)
		dumps = dumps[:min(keptDumps, len(dumps))]
	}
	t.Logf("seed %d: %d commands, %d of them with an error reply", seed, s.commands, s.errors)
	if total >= 50_000 && *randomGroups == "" && !t.Failed() {
		s.requireCoverage(t)
	}
}

// vary sets other options for each round.
func (a *serverPair) vary(round uint64) {
	a.resp3, a.compareEvents = round%3 == 2, round%2 == 1
}

// chosenGroups returns the groups that -groups names, or all.
func chosenGroups(t *testing.T) []commandGroup {
	t.Helper()
	if *randomGroups == "" {
		return commandGroups
	}
	names := strings.Split(*randomGroups, ",")
	chosen := slices.DeleteFunc(slices.Clone(commandGroups), func(f commandGroup) bool {
		return !slices.Contains(names,
			f.name)
	})
	require.Len(t, chosen, len(names), "-groups %s", *randomGroups)
	return chosen
}

// report shrinks the commands that led to a difference, reports it and returns the name of the command with the
// difference.
func (a serverPair) report(seed, round uint64, commands [][]string, d *difference) string {
	a.t.Helper()
	short, d := shrink(commands, d, func(some [][]string) *difference {
		_, d := a.run(some)
		return d
	})
	var b strings.Builder
	for _, args := range short {
		b.WriteString("\n  " + quoteArgs(args))
	}
	a.t.Errorf("seed %d, round %d: the servers differ after%s\nat %s", seed, round, b.String(), d.text)
	return lastCommand(short)
}

// lastCommand returns the last command that is not part of the transaction's frame.
func lastCommand(commands [][]string) string {
	for _, args := range slices.Backward(commands) {
		if name := args[0]; name != "EXEC" && name != "MULTI" && name != "DISCARD" {
			return name
		}
	}
	return commands[len(commands)-1][0]
}

// statistics show whether a random run has tested enough.
type statistics struct {
	used             map[template]int
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

// requireCoverage fails if a template was not used, or if almost all or no commands had error replies.
func (s *statistics) requireCoverage(t *testing.T) {
	t.Helper()
	for _, commandGroup := range commandGroups {
		for _, f := range commandGroup.templates {
			require.NotZero(t, s.used[f], "never sent: %s", f)
		}
	}
	require.Greater(t, s.errors, s.commands/20)
	require.Less(t, s.errors, s.commands/2)
}
