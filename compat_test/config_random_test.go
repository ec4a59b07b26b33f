package compat

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/minilockd/minilockd/internal/require"
)

// configCalls are mostly invalid calls.
var configCalls = [][]string{
	{"CONFIG"}, {"CONFIG", "NOSUCH"}, {"config", "nosuch", "x"}, {"CONFIG", "GET"}, {"CONFIG", "SET"},
	{"CONFIG", "SET", "timeout"}, {"CONFIG", "SET", "timeout", "1", "hz"}, {"CONFIG", "SET", "nosuch", "1"},
	{"CONFIG", "SET", "", ""}, {"CONFIG", "GET", ""}, {"CONFIG", "SET", "nosuch", "1", "port", "x"},
	{"CONFIG", "SET", "databases", "1", "nosuch", "1"}, {"CONFIG", "SET", "nosuch", "1", "alsono", "1"},
	{"CONFIG", "SET", "timeout", "x", "nosuch", "1"}, {"CONFIG", "SET", "timeout", "x", "databases", "1"},
	{"CONFIG", "SET", "databases", "1", "timeout", "x"}, {"CONFIG", "SET", "databases", "1", "databases", "1"},
	{"CONFIG", "SET", "dir", "/", "timeout", "x"}, {"CONFIG", "SET", "timeout", "1", "timeout", "1"},
	{"CONFIG", "SET", "timeout", "x", "TIMEOUT", "1"}, {"CONFIG", "SET", "time*", "1"},
	{"CONFIG", "SET", "timeout ", "1"}, {"CONFIG", "REWRITE"}, {"CONFIG", "REWRITE", "x"},
	{"CONFIG", "RESETSTAT"}, {"CONFIG", "RESETSTAT", "x"}, {"CONFIG", "HELP", "x"},
	{"CONFIG", "GET", "nosuch", "*nosuch*"}, {"CONFIG", "GET", "[", "\\", "hz"},
}

// CONFIG replies as redis-server does, and all parameters are equal afterwards. The calls are configCalls, and random
// calls with patterns, names in upper and lower case, aliases and values.
func TestConfig_RandomCalls(t *testing.T) {
	ref, target := dial(t, startReference(t)), dial(t, startTarget(t))
	same := func(call []string) {
		t.Helper()
		want, got := configReply(ref.do(t, call...)), configReply(target.do(t, call...))
		require.Equal(t, want, got, "%q", call)
	}
	for _, call := range configCalls {
		same(call)
	}
	require.NotEmpty(t, target.do(t, "CONFIG", "HELP").elems) // minilockd has its own help texts
	random := newRandomConfig(parameters(t, ref))
	for i := range 900 {
		call := random.get()
		if i%3 > 0 {
			call = random.set()
		}
		same(call)
		if i%50 == 0 {
			want, got := withoutDefaults(parameters(t, ref)), withoutDefaults(parameters(t, target))
			require.Equal(t, want, got, "after %q", call)
		}
	}
}

// withoutDefaults removes the parameters with other defaults.
func withoutDefaults(all map[string]string) map[string]string {
	maps.DeleteFunc(all, func(name, _ string) bool { return otherDefaults[name] != "" })
	return all
}

// configReply formats a reply, sorted: CONFIG GET returns parameters in the order of a hash table.
func configReply(r reply) string {
	if len(r.elems) == 0 {
		return r.String()
	}
	var pairs []string
	for pair := range slices.Chunk(r.elems, 2) {
		if otherDefaults[strings.ToLower(pair[0].text)] == "" {
			pairs = append(pairs, fmt.Sprintf("%q: %q", pair[0].text, pair[1].text))
		}
	}
	slices.Sort(pairs)
	return strings.Join(pairs, "\n")
}

// randomConfig returns random calls, the same in each run.
type randomConfig struct {
	*rand.Rand
	names []string // of parameters to set
	all   []string // names to get
}

func newRandomConfig(all map[string]string) *randomConfig {
	m := &randomConfig{Rand: rand.New(rand.NewPCG(12, 14)), all: slices.Sorted(maps.Keys(all))}
	for _, name := range append(slices.Clone(m.all), hiddenParameters...) {
		if notSet[name] == "" && otherDefaults[name] == "" {
			m.names = append(m.names, name)
		}
	}
	return m
}

func (m *randomConfig) pick(from []string) string { return from[m.IntN(len(from))] }

// name returns one of the names, in upper, lower or mixed case.
func (m *randomConfig) name(from []string) string {
	switch name := m.pick(from); m.IntN(6) {
	case 0:
		return strings.ToUpper(name)
	case 1:
		return strings.ToUpper(name[:1]) + name[1:]
	default:
		return name
	}
}

func (m *randomConfig) get() []string {
	call := []string{"CONFIG", "GET"}
	for range 1 + m.IntN(4) {
		name := m.name(m.all)
		at := m.IntN(len(name))
		call = append(call, m.pick([]string{name, name, name[:at] + "*", "*" + name[at:], name[:at] + "?" + name[at+1:],
			name[:at] + "[a-m]*", "\\" + name, name[:at], "*" + name[at:at+1] + "*", hiddenParameters[0], "[^a-t]*"}))
	}
	return call
}

// set sets some parameters, sometimes one of them twice or by both of its names.
func (m *randomConfig) set() []string {
	call := []string{"CONFIG", "SET"}
	for range 1 + m.IntN(4) {
		call = append(call, m.name(m.names), m.pick(configValues))
	}
	if len(call) > 4 && m.IntN(4) == 0 { // the same parameter twice, perhaps in another case
		call[4] = m.name([]string{call[2]})
	}
	if m.IntN(4) == 0 {
		call = append(call, m.aliasPair()...)
	}
	return call
}

// aliasPair sets a parameter by both of its names.
func (m *randomConfig) aliasPair() []string {
	pair := m.pick([]string{"replica-priority slave-priority", "slave-read-only replica-read-only",
		"lua-time-limit busy-reply-threshold", "hash-max-listpack-value hash-max-ziplist-value"})
	first, second, _ := strings.Cut(pair, " ")
	return []string{first, m.pick([]string{"1", "2", "yes", "no", "x"}), second, m.pick([]string{"3", "4", "yes",
		"no", "x"})}
}
