package compat

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/command/catalog"
	"github.com/minilockd/minilockd/internal/emulate"
	"github.com/minilockd/minilockd/internal/require"
)

// moduleCommands are the commands and subcommands of minilockd that the server which it stands for does not have.
func moduleCommands(server string) (names []string) {
	catalog.Table(emulate.Named(server)).Each(func(cmd *command.Command) {
		if cmd.Module != "" {
			names = append(names, cmd.FullName())
		}
	})
	return names
}

// COMMAND describes every command and subcommand as in the real server: arity, flags, keys, ACL categories, tips, key
// specifications. Those of modules are others: Redis 8 has vector sets.
func TestCommandInfo(t *testing.T) {
	for _, server := range realServers {
		t.Run(server, func(t *testing.T) {
			ref, target := dial(t, startReal(t, server)), dial(t, startTargetOf(t, server))
			want, got := commandInfos(ref.do(t, "COMMAND")), commandInfos(target.do(t, "COMMAND"))
			for _, name := range moduleCommands(server) {
				if !comparesRedisWithItself() {
					require.Contains(t, got, name)
				}
			}
			ofModule := func(_, facts string) bool { return strings.Contains(facts, "+module") }
			maps.DeleteFunc(want, ofModule)
			maps.DeleteFunc(got, ofModule)
			require.Equal(t, slices.Sorted(maps.Keys(want)), slices.Sorted(maps.Keys(got)))
			require.Greater(t, len(want), 300)
			for name, facts := range want {
				if got[name] != facts {
					t.Errorf("%s\n    real: %s\n  target: %s", name, facts, got[name])
				}
			}
		})
	}
}

// The ACL categories have the same commands.
func TestACLCategories(t *testing.T) {
	ref, target := dial(t, startReference(t)), dial(t, startTarget(t))
	ofModules := moduleCommands(emulated)
	ofModule := func(name string) bool { return slices.Contains(ofModules, name) }
	list := func(c *rawClient, args ...string) []string {
		return slices.DeleteFunc(slices.Sorted(maps.Keys(set(c.do(t, args...)))), ofModule)
	}
	categories := list(ref, "ACL", "CAT")
	require.Equal(t, categories, list(target, "ACL", "CAT"))
	require.NotEmpty(t, categories)
	for _, category := range categories {
		require.Equal(t, list(ref, "ACL", "CAT", category), list(target, "ACL", "CAT", category), category)
	}
}

// COMMAND GETKEYS finds the same keys, whether the arguments make sense or not.
func TestCommandGetKeys(t *testing.T) {
	ref, target := dial(t, startReference(t)), dial(t, startTarget(t))
	own := commandInfos(target.do(t, "COMMAND"))
	names := slices.DeleteFunc(slices.Sorted(maps.Keys(commandInfos(ref.do(t, "COMMAND")))), func(name string) bool {
		return own[name] == "" // vector sets
	})
	rnd := rand.New(rand.NewPCG(16, 0))
	withVariableKeys := strings.Fields("sort sort_ro migrate xread xreadgroup georadius georadiusbymember eval fcall_ro " +
		"zunionstore zdiff sintercard " +
		"lmpop bzmpop bitop set bitfield memory|usage zrangestore lcs mset object|freq")
	for i := range 6000 {
		from := names
		if i%3 > 0 {
			from = withVariableKeys
		}
		words := append(strings.Split(from[rnd.IntN(len(from))], "|"), randomArguments(rnd)...)
		for _, subcommand := range []string{"GETKEYS", "GETKEYSANDFLAGS"} {
			args := append([]string{"COMMAND", subcommand}, words...)
			want, got := ref.do(t, args...), target.do(t, args...)
			if sortedFlags(want) != sortedFlags(got) {
				t.Errorf("%q\n   redis: %s\n  target: %s", args, want, got)
			}
		}
	}
}

// keyArguments are arguments that matter for finding keys, and others.
var keyArguments = append(strings.Fields("a b 0 1 2 3 5 -1 1.5 99999999999999999999 KEYS keys STREAMS STORE store "+
	"STOREDIST GET BY COUNT LIMIT BLOCK "+
	"WEIGHTS AUTH AUTH2 COPY MATCH GROUP NOACK SET INCRBY OVERFLOW km"), "", " 1", "2x")

func randomArguments(rnd *rand.Rand) []string {
	words := make([]string, 1+rnd.IntN(8))
	for i := range words {
		words[i] = keyArguments[rnd.IntN(len(keyArguments))]
	}
	return words
}

// commandInfos returns the entries of COMMAND, with those of subcommands, by name. The order of flags does not matter.
func commandInfos(r reply) map[string]string {
	infos := map[string]string{}
	for _, entry := range r.elems {
		infos[entry.elems[0].text] = infoFacts(entry)
		maps.Copy(infos, commandInfos(entry.elems[9]))
	}
	return infos
}

func infoFacts(entry reply) string {
	e := entry.elems
	tips := slices.Sorted(maps.Keys(set(e[7])))
	return fmt.Sprint(e[1], sortedFlags(e[2]), e[3:6], sortedFlags(e[6]), tips, sortedFlags(e[8]))
}

// set returns the elements of a reply as a set.
func set(r reply) map[string]bool {
	elems := map[string]bool{}
	for _, e := range r.elems {
		elems[e.text] = true
	}
	return elems
}

// sortedFlags formats a reply with its status replies sorted: the order of flags is that of Redis' internal bits.
func sortedFlags(r reply) string {
	if len(r.elems) == 0 {
		return r.String()
	}
	parts := make([]string, len(r.elems))
	for i, e := range r.elems {
		parts[i] = sortedFlags(e)
	}
	if r.elems[0].kind == '+' {
		slices.Sort(parts)
	}
	return "[" + strings.Join(parts, ", ") + "]"
}
