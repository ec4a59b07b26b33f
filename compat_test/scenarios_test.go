package compat

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

var rewrite = flag.Bool("rewrite", false, "record the replies in testdata again, from redis-server")

// recordedReply is one reply: the step it told, and what each party says it is.
type recordedReply struct {
	step   step
	inFile string
	byRef  string
	byOurs string
}

// Each scenario must go as its file says, on this server and, where there is one, on the
// reference at the same moment. If it fails because the file is wrong, run
//
//	go test ./compat_test -run Stories -rewrite
//
// and read the difference: only what you understand may stay.
func TestStories_GoAsWithRedis(t *testing.T) {
	paths, err := filepath.Glob("testdata/*.txt")
	require.NoError(t, err)
	require.NotEmpty(t, paths)
	target, ref := "", ""
	if *rewrite || haveReference() {
		ref = startReference(t)
	}
	if !*rewrite {
		target = startTarget(t)
	}
	for _, path := range paths {
		name := strings.TrimSuffix(filepath.Base(path), ".txt")
		t.Run(name, func(t *testing.T) { runScenario(t, path, target, ref) })
	}
}

// runScenario plays one scenario and compares, or records it.
func runScenario(t *testing.T, path, target, ref string) {
	s, err := readScenario(path)
	require.NoError(t, err)
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
		require.NoError(t, os.WriteFile(path, []byte(s.text()), 0o644))
		return
	}
	if ref != "" {
		compareLast(t, servers)
	}
}

// Both servers send the same bytes in every scenario if each of its connections begins with HELLO 3, and no more than it reads.
func TestStories_InRESP3(t *testing.T) {
	paths, err := filepath.Glob("testdata/*.txt")
	require.NoError(t, err)
	ref, target := startReference(t), startTarget(t)
	for _, path := range paths {
		name := strings.TrimSuffix(filepath.Base(path), ".txt")
		t.Run(name, func(t *testing.T) {
			s, err := readScenario(path)
			require.NoError(t, err)
			servers := []*scenarioServer{newScenarioServer(t, ref, true), newScenarioServer(t, target, true)}
			for _, b := range s.blocks {
				compareBytes(t, path, b, runBlock(t, b, servers))
			}
			compareLast(t, servers)
		})
	}
}

// compareBytes compares the replies to a block as they were on the wire, but for what the scenario says is the run's own.
func compareBytes(t *testing.T, path string, b *block, replies []blockReplies) {
	t.Helper()
	for i, st := range answered(b) {
		if want, got := replies[0].raws[i], replies[1].raws[i]; want != got {
			t.Errorf("%s:%d: %s %s %s\n   redis: %s\n  target: %s", path, st.line, st.conn, st.verb, st.rest,
				readable(want), readable(got))
		}
	}
}

// compareLast compares what comes after a scenario, until its connections have ended.
func compareLast(t *testing.T, servers []*scenarioServer) {
	t.Helper()
	require.Equal(t, servers[0].last(), servers[1].last(), "what comes after the story")
}

// blockReplies is what a block was answered on one scenarioServer: as stories write it, and as it was on the wire.
type blockReplies struct{ lines, raws []string }

// runBlock plays the steps of a block on all servers, step by step, so that time passes alike
// for all of them.
func runBlock(t *testing.T, b *block, servers []*scenarioServer) []blockReplies {
	replies := make([]blockReplies, len(servers))
	for _, st := range b.steps {
		time.Sleep(pause(t, st))
		for i, on := range servers {
			if line, ok := on.play(st); ok {
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
	for i, st := range answered(b) {
		r := recordedReply{step: st, inFile: b.want[i], byRef: b.want[i], byOurs: target[i]}
		if withRef {
			r.byRef = replies[0].lines[i]
		}
		r.require(t, path)
	}
	if withRef {
		compareBytes(t, path, b, replies)
	}
}

// answered are the steps that a reply belongs to.
func answered(b *block) []step {
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
	if r.byOurs == skippedReply || r.inFile == r.byRef && r.inFile == r.byOurs {
		return // the missing reply that skippedReply follows has been told
	}
	t.Errorf("%s:%d: %s %s %s\n   file: %s\n   redis: %s\n  target: %s",
		path, r.step.line, r.step.conn, r.step.verb, r.step.rest, r.inFile, r.byRef, r.byOurs)
}
