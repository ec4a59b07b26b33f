package compat

import (
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/minilockd/minilockd/internal/require"
)

var rewrite = flag.Bool("rewrite", false, "record the replies in testdata again, from redis-server")

// recordedReply is a reply in the file and from the servers, and the step that it replies to.
type recordedReply struct {
	step     step
	inFile   string
	byRef    string
	byTarget string
}

// Each scenario must have the replies in its file, from minilockd as each of the servers that the file names and, if it
// is there, from that server at the same time. To record a file again, run
//
//	go test ./compat_test -run Scenarios -rewrite
//
// and read the difference before you commit it. The replies recorded are those of the first server of the file.
func TestScenarios(t *testing.T) {
	for server, scenarios := range scenariosByServer(t) {
		t.Run(server, func(t *testing.T) { runScenarios(t, server, scenarios) })
	}
}

// scenariosByServer reads all scenarios.
func scenariosByServer(t *testing.T) map[string][]*scenario {
	paths, err := filepath.Glob("testdata/*.txt")
	require.NoError(t, err)
	require.NotEmpty(t, paths)
	all := make(map[string][]*scenario)
	for _, path := range paths {
		s, err := readScenario(path)
		require.NoError(t, err)
		for _, server := range s.servers {
			all[server] = append(all[server], s)
		}
	}
	return all
}

// runScenarios runs scenarios of one server.
func runScenarios(t *testing.T, server string, scenarios []*scenario) {
	target, ref := "", ""
	if _, err := programOf(server); *rewrite || err == nil && slices.Contains(realServers, server) {
		ref = startReal(t, server)
	}
	if !*rewrite {
		target = startTargetOf(t, server)
	}
	for _, s := range scenarios {
		if *rewrite && server != s.servers[0] {
			continue
		}
		t.Run(s.name(), func(t *testing.T) { runScenario(t, s, target, ref) })
	}
}

// name is that of the file.
func (s *scenario) name() string { return strings.TrimSuffix(filepath.Base(s.path), ".txt") }

// runScenario runs one scenario and compares its replies, or records them.
func runScenario(t *testing.T, s *scenario, target, ref string) {
	var servers []*scenarioServer
	for _, addr := range []string{ref, target} {
		if addr != "" {
			servers = append(servers, newScenarioServer(t, addr, false))
		}
	}
	for _, b := range s.blocks {
		replies := runBlock(t, b, servers)
		if *rewrite {
			b.want = replies[0].lines
			continue
		}
		compareBlock(t, s.path, b, replies, ref != "")
	}
	if *rewrite {
		require.NoError(t, os.WriteFile(s.path, []byte(s.text()), 0o644))
		return
	}
	if ref != "" {
		compareLast(t, servers)
	}
}

// Both servers send the same bytes if each connection of a scenario begins with HELLO 3, and no more than the scenario
// reads.
func TestScenarios_InRESP3(t *testing.T) {
	ref, target := startReference(t), startTarget(t)
	for _, s := range scenariosByServer(t)[emulated] {
		t.Run(s.name(), func(t *testing.T) {
			servers := []*scenarioServer{newScenarioServer(t, ref, true), newScenarioServer(t, target, true)}
			for _, b := range s.blocks {
				compareBytes(t, s.path, b, runBlock(t, b, servers))
			}
			compareLast(t, servers)
		})
	}
}

// compareBytes compares the bytes of the replies to a block, except what the scenario masks.
func compareBytes(t *testing.T, path string, b *block, replies []blockReplies) {
	t.Helper()
	for i, st := range stepsWithReply(b) {
		if want, got := replies[0].raws[i], replies[1].raws[i]; want != got {
			t.Errorf("%s:%d: %s %s %s\n   redis: %s\n  target: %s", path, st.line, st.conn, st.verb, st.rest,
				readable(want), readable(got))
		}
	}
}

// compareLast compares what the connections get after the scenario until they are closed.
func compareLast(t *testing.T, servers []*scenarioServer) {
	t.Helper()
	require.Equal(t, servers[0].last(), servers[1].last(), "what comes after the story")
}

// blockReplies are the replies to a block from one server: formatted as in the file, and as bytes.
type blockReplies struct{ lines, raws []string }

// runBlock runs the steps of a block on all servers, step by step, so that the same time passes on all.
func runBlock(t *testing.T, b *block, servers []*scenarioServer) []blockReplies {
	replies := make([]blockReplies, len(servers))
	for _, st := range b.steps {
		time.Sleep(pause(t, st))
		for i, on := range servers {
			if line, ok := on.run(st); ok {
				replies[i].lines, replies[i].raws = append(replies[i].lines, line), append(replies[i].raws, on.raw)
			}
		}
	}
	return replies
}

func compareBlock(t *testing.T, path string, b *block, replies []blockReplies, withRef bool) {
	t.Helper()
	target := replies[len(replies)-1].lines
	if len(b.want) != len(target) {
		t.Errorf("%s:%d: %d replies in the file, %d came", path, b.steps[0].line, len(b.want), len(target))
		return
	}
	for i, st := range stepsWithReply(b) {
		r := recordedReply{step: st, inFile: b.want[i], byRef: b.want[i], byTarget: target[i]}
		if withRef {
			r.byRef = replies[0].lines[i]
		}
		r.require(t, path)
	}
	if withRef {
		compareBytes(t, path, b, replies)
	}
}

// stepsWithReply returns the steps that have a reply.
func stepsWithReply(b *block) []step {
	var steps []step
	for _, st := range b.steps {
		if st.verb == "" || st.verb == "<" || st.verb == "scan" {
			steps = append(steps, st)
		}
	}
	return steps
}

func (r recordedReply) require(t *testing.T, path string) {
	t.Helper()
	if r.byTarget == skippedReply || r.inFile == r.byRef && r.inFile == r.byTarget {
		return // the reply that did not come before has been reported
	}
	t.Errorf("%s:%d: %s %s %s\n   file: %s\n   redis: %s\n  target: %s",
		path, r.step.line, r.step.conn, r.step.verb, r.step.rest, r.inFile, r.byRef, r.byTarget)
}
