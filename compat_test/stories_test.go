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

// told is one reply: the step it answers, and what each party says it is.
type told struct {
	step   step
	inFile string
	byRef  string
	byOurs string
}

// Each story must go as its file says, on this server and, where there is one, on the
// reference at the same moment. If it fails because the file is wrong, run
//
//	go test ./compat_test -run Stories -rewrite
//
// and read the difference: only what you understand may stay.
func TestStories_GoAsWithRedis(t *testing.T) {
	paths, err := filepath.Glob("testdata/*.txt")
	require.NoError(t, err)
	require.NotEmpty(t, paths)
	ours, ref := "", ""
	if *rewrite || haveReference() {
		ref = startReference(t)
	}
	if !*rewrite {
		ours = startTarget(t)
	}
	for _, path := range paths {
		name := strings.TrimSuffix(filepath.Base(path), ".txt")
		t.Run(name, func(t *testing.T) { tell(t, path, ours, ref) })
	}
}

// tell plays one story and compares, or records it.
func tell(t *testing.T, path, ours, ref string) {
	s, err := readStory(path)
	require.NoError(t, err)
	var stages []*stage
	for _, addr := range []string{ref, ours} {
		if addr != "" {
			stages = append(stages, newStage(t, addr, false))
		}
	}
	for _, b := range s.blocks {
		replies := perform(t, b, stages)
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
		compareLast(t, stages)
	}
}

// Both servers send the same bytes in every story if each of its connections begins with HELLO 3, and no more than it reads.
func TestStories_InRESP3(t *testing.T) {
	paths, err := filepath.Glob("testdata/*.txt")
	require.NoError(t, err)
	ref, ours := startReference(t), startTarget(t)
	for _, path := range paths {
		name := strings.TrimSuffix(filepath.Base(path), ".txt")
		t.Run(name, func(t *testing.T) {
			s, err := readStory(path)
			require.NoError(t, err)
			stages := []*stage{newStage(t, ref, true), newStage(t, ours, true)}
			for _, b := range s.blocks {
				compareBytes(t, path, b, perform(t, b, stages))
			}
			compareLast(t, stages)
		})
	}
}

// compareBytes compares the replies to a block as they were on the wire, but for what the story says is the run's own.
func compareBytes(t *testing.T, path string, b *block, replies []performance) {
	t.Helper()
	for i, st := range answered(b) {
		if want, got := replies[0].raws[i], replies[1].raws[i]; want != got {
			t.Errorf("%s:%d: %s %s %s\n  redis: %s\n   ours: %s", path, st.line, st.conn, st.verb, st.rest,
				readable(want), readable(got))
		}
	}
}

// compareLast compares what comes after a story, until its connections have ended.
func compareLast(t *testing.T, stages []*stage) {
	t.Helper()
	require.Equal(t, stages[0].last(), stages[1].last(), "what comes after the story")
}

// performance is what a block was answered on one stage: as stories write it, and as it was on the wire.
type performance struct{ lines, raws []string }

// perform plays the steps of a block on all stages, step by step, so that time passes alike
// for all of them.
func perform(t *testing.T, b *block, stages []*stage) []performance {
	replies := make([]performance, len(stages))
	for _, st := range b.steps {
		time.Sleep(pause(t, st))
		for i, on := range stages {
			if line, ok := on.play(st); ok {
				replies[i].lines, replies[i].raws = append(replies[i].lines, line), append(replies[i].raws, on.raw)
			}
		}
	}
	return replies
}

func compareBlock(t *testing.T, path string, b *block, replies []performance, withRef bool) {
	t.Helper()
	ours := replies[len(replies)-1].lines
	if len(b.want) != len(ours) {
		t.Errorf("%s:%d: %d replies in the file, %d came", path, b.steps[0].line, len(b.want), len(ours))
		return
	}
	for i, st := range answered(b) {
		r := told{step: st, inFile: b.want[i], byRef: b.want[i], byOurs: ours[i]}
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

func (r told) require(t *testing.T, path string) {
	t.Helper()
	if r.byOurs == notAsked || r.inFile == r.byRef && r.inFile == r.byOurs {
		return // the missing reply that notAsked follows has been told
	}
	t.Errorf("%s:%d: %s %s %s\n   file: %s\n  redis: %s\n   ours: %s",
		path, r.step.line, r.step.conn, r.step.verb, r.step.rest, r.inFile, r.byRef, r.byOurs)
}
