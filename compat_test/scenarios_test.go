package compat

import (
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/minilockd/minilockd/internal/emulate"
	"github.com/minilockd/minilockd/internal/require"
)

var rewrite = flag.Bool("rewrite", false, "record the replies in testdata again, from redis-server")

// Each scenario must have the replies in its file, from minilockd as each of the servers that it is about and, if it is
// there, from that server at the same time. To record a file again, run
//
//	go test ./compat_test -run Scenarios -rewrite
//
// and read the difference before you commit it. That needs all realServers.
func TestScenarios(t *testing.T) {
	pairs := make([]scenarioPair, len(realServers))
	for i, server := range realServers {
		pairs[i] = newScenarioPair(t, server)
	}
	for _, s := range readScenarios(t) {
		about := slices.DeleteFunc(slices.Clone(pairs), func(p scenarioPair) bool {
			return !slices.Contains(s.servers, p.server.Name)
		})
		t.Run(s.name(), func(t *testing.T) { runScenario(t, s, about) })
	}
}

// scenarioPair is a server, the minilockd that stands for it, and the connections of a scenario to both.
type scenarioPair struct {
	server       *emulate.Server
	ref, target  string // addresses; "" for none
	asRef, under *scenarioServer
}

// newScenarioPair starts both servers: without the real one only the replies in the files are compared. To rewrite
// these, only the real one is asked.
func newScenarioPair(t *testing.T, server string) scenarioPair {
	p := scenarioPair{server: emulate.Named(server)}
	if _, err := programOf(server); err == nil || *rewrite || os.Getenv("CI") != "" {
		p.ref = startReal(t, server)
	}
	if !*rewrite {
		p.target = startTargetOf(t, server)
	}
	return p
}

// connected returns the pair with connections for a new scenario.
func (p scenarioPair) connected(t *testing.T, resp3 bool) scenarioPair {
	if p.ref != "" {
		p.asRef = newScenarioServer(t, p.ref, resp3)
	}
	if p.target != "" {
		p.under = newScenarioServer(t, p.target, resp3)
	}
	return p
}

// readScenarios reads all scenarios.
func readScenarios(t *testing.T) []*scenario {
	paths, err := filepath.Glob("testdata/*.txt")
	require.NoError(t, err)
	require.NotEmpty(t, paths)
	all := make([]*scenario, len(paths))
	for i, path := range paths {
		all[i], err = readScenario(path)
		require.NoError(t, err)
	}
	return all
}

// name is that of the file.
func (s *scenario) name() string { return strings.TrimSuffix(filepath.Base(s.path), ".txt") }

// runScenario runs one scenario and compares its replies, or records them.
func runScenario(t *testing.T, s *scenario, pairs []scenarioPair) {
	for i := range pairs {
		pairs[i] = pairs[i].connected(t, false)
	}
	for _, b := range s.blocks {
		replies := runBlock(t, b, pairs)
		if *rewrite {
			b.record(pairs, replies)
			continue
		}
		for i, p := range pairs {
			compareBlock(t, s.path, b, p, replies[i])
		}
	}
	if *rewrite {
		require.NoError(t, os.WriteFile(s.path, []byte(s.text()), 0o644))
		return
	}
	for _, p := range pairs {
		p.compareLast(t)
	}
}

// Both servers send the same bytes if each connection of a scenario begins with HELLO 3, and no more than the scenario
// reads.
func TestScenarios_InRESP3(t *testing.T) {
	requireReference(t)
	pair := newScenarioPair(t, emulated)
	for _, s := range readScenarios(t) {
		if !slices.Contains(s.servers, emulated) {
			continue
		}
		t.Run(s.name(), func(t *testing.T) {
			pairs := []scenarioPair{pair.connected(t, true)}
			for _, b := range s.blocks {
				compareBytes(t, s.path, b, pairs[0].server, runBlock(t, b, pairs)[0])
			}
			pairs[0].compareLast(t)
		})
	}
}

// blockReplies are the replies to a block, of a real server and of minilockd.
type blockReplies struct{ ref, target serverReplies }

// serverReplies are the replies to a block from one server: formatted as in the file, and as bytes.
type serverReplies struct{ lines, raws []string }

// runBlock runs the steps of a block on all servers, step by step, so that the same time passes on all.
func runBlock(t *testing.T, b *block, pairs []scenarioPair) []blockReplies {
	replies := make([]blockReplies, len(pairs))
	for _, st := range b.steps {
		time.Sleep(pause(t, st))
		for i, p := range pairs {
			replies[i].ref.add(p.asRef, st)
			replies[i].target.add(p.under, st)
		}
	}
	return replies
}

// add runs a step on a server, if there is one.
func (r *serverReplies) add(on *scenarioServer, st step) {
	if on == nil {
		return
	}
	if line, ok := on.run(st); ok {
		r.lines, r.raws = append(r.lines, line), append(r.raws, on.raw)
	}
}

// compareBlock compares the replies to a block with those in the file, and if there is a real server with its bytes.
func compareBlock(t *testing.T, path string, b *block, p scenarioPair, replies blockReplies) {
	t.Helper()
	for i, st := range stepsWithReply(b) {
		if i >= len(b.want) || i >= len(replies.target.lines) {
			t.Errorf("%s:%d: %s: %d replies in the file, %d came", path, st.line, p.server.Name, len(b.want),
				len(replies.target.lines))
			return
		}
		want, target := b.want[i].of(p.server), replies.target.lines[i]
		real := want
		if p.asRef != nil {
			real = replies.ref.lines[i]
		}
		if target != skippedReply && (target != want || real != want) {
			t.Errorf("%s:%d: %s: %s %s %s\n   file: %s\n   real: %s\n  target: %s", path, st.line, p.server.Name,
				st.conn, st.verb, st.rest, want, real, target)
		}
	}
	if p.asRef != nil {
		compareBytes(t, path, b, p.server, replies)
	}
}

// compareBytes compares the bytes of the replies to a block, except what the scenario masks.
func compareBytes(t *testing.T, path string, b *block, server *emulate.Server, replies blockReplies) {
	t.Helper()
	for i, st := range stepsWithReply(b) {
		if want, got := replies.ref.raws[i], replies.target.raws[i]; want != got {
			t.Errorf("%s:%d: %s: %s %s %s\n   real: %s\n  target: %s", path, st.line, server.Name, st.conn, st.verb,
				st.rest, readable(want), readable(got))
		}
	}
}

// compareLast compares what the connections get after the scenario until they are closed.
func (p scenarioPair) compareLast(t *testing.T) {
	t.Helper()
	if p.asRef != nil && p.under != nil {
		require.Equal(t, p.asRef.last(), p.under.last(), "what comes after the story from "+p.server.Name)
	}
}

// record sets the replies of the file to those of the real servers. The reply that most servers have comes first.
func (b *block) record(pairs []scenarioPair, replies []blockReplies) {
	b.want = make([]recorded, len(stepsWithReply(b)))
	for i := range b.want {
		var lines []string // that differ
		servers := make(map[string][]string)
		for j, p := range pairs {
			line := replies[j].ref.lines[i]
			if servers[line] == nil {
				lines = append(lines, line)
			}
			servers[line] = append(servers[line], p.server.Name)
		}
		slices.SortStableFunc(lines, func(x, y string) int { return len(servers[y]) - len(servers[x]) })
		b.want[i].line = lines[0]
		for _, line := range lines[1:] {
			b.want[i].others = append(b.want[i].others, otherReply{versionsOf(servers[line]), line})
		}
	}
}

// versionsOf returns the shortest notation of emulate.Server.Has that fits exactly these of the realServers.
func versionsOf(names []string) string {
	single := []string{"7.2", "<7.2", "redis", "valkey", "8.0", "<8.0", "8.2", "<8.2", "valkey-9.1", "<valkey-9.1"}
	candidates := slices.Clone(single)
	for _, a := range single {
		for _, b := range single {
			candidates = append(candidates, a+" "+b)
		}
	}
	for _, since := range candidates {
		fits := slices.IndexFunc(realServers, func(name string) bool {
			return emulate.Named(name).Has(since) != slices.Contains(names, name)
		}) < 0
		if fits {
			return since
		}
	}
	return "=" + strings.Join(names, " =")
}

// stepsWithReply returns the steps that have a reply.
func stepsWithReply(b *block) []step {
	var steps []step
	for _, st := range b.steps {
		if st.verb == "" || st.verb == "<" || st.verb == "scan" || st.verb == "stream" {
			steps = append(steps, st)
		}
	}
	return steps
}
