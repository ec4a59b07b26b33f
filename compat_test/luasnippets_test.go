package compat

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// snippetFiles hold small scripts about everything that Redis' Lua is known for, one a line
// with ⏎ for a line feed, under headings. !3 before one means a connection in RESP3. The
// golden files have the same lines, with what redis-server answers in the place of snippets.
const snippetFiles = "testdata/lua/*.txt"

// mostDifferences is how many snippets may be answered otherwise than by Redis.
const mostDifferences = 2

// differentSnippets are those that are, and why.
var differentSnippets = map[string]string{
	`local f=loadstring('return x') return f()`: "of a chunk of loadstring's the place is told by its source",
	`local f=loadstring('x=1') f()`:             "the same",
}

// unsentSnippets are asked of neither server, and why.
var unsentSnippets = map[string]string{
	`error({code=1})`: "redis-server 7.0.15 reads the text of an error table that has none, and dies of it",
	`local s={} for i=1,300000 do s[i]=i end local f,e=loadstring('return {'..table.concat(s,',')..'}') return f and #f() or tostring(e)`: "" +
		"with too many constants the error is a table, of Redis' error handler, and the answer its address",
	`local f,e=load(function() return 5 end) return tostring(e)`: "the source never ends: both servers read on until memory does",
}

// snippetHeading tells a heading from a snippet that begins with a comment.
var snippetHeading = regexp.MustCompile(`^# [a-z]+$`)

// snippetArgs stand behind every snippet.
var snippetArgs = []string{"2", "k1", "k2", "a1", "a2", "7"}

// Each snippet must be answered as by Redis, and as recorded. To record again:
//
//	go test ./compat_test -run LuaSnippets -rewrite
func TestLuaSnippets_AreAnsweredAsByRedis(t *testing.T) {
	paths, err := filepath.Glob(snippetFiles)
	require.NoError(t, err)
	require.NotEmpty(t, paths)
	different, ours, ref := 0, "", ""
	if *rewrite || haveReference() {
		ref = startReference(t)
	}
	if !*rewrite {
		ours = startTarget(t)
	}
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txt"), func(t *testing.T) {
			different += askSnippets(t, path, ours, ref)
		})
	}
	require.LessOrEqual(t, different, mostDifferences)
}

// askSnippets compares the answers to a file, or records them, and counts those that differ.
func askSnippets(t *testing.T, path, ours, ref string) int {
	lines := readLines(t, path)
	goldenPath := strings.TrimSuffix(path, ".txt") + ".golden"
	if *rewrite {
		record := strings.Join(answerSnippets(t, ref, lines), "\n") + "\n"
		require.NoError(t, os.WriteFile(goldenPath, []byte(record), 0o644))
		return 0
	}
	want := readLines(t, goldenPath)
	require.Len(t, want, len(lines), goldenPath)
	if ref != "" {
		for i, reply := range answerSnippets(t, ref, lines) {
			if reply != want[i] {
				t.Errorf("%s:%d: %s\n   file: %s\n  redis: %s", goldenPath, i+1, lines[i], want[i], reply)
			}
		}
	}
	return compareSnippets(t, path, lines, want, answerSnippets(t, ours, lines))
}

func readLines(t *testing.T, path string) []string {
	t.Helper()
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	return strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
}

// answerSnippets gives the lines with replies in the place of snippets. Each finds the
// keyspace empty; what else a server keeps goes from one to the next.
func answerSnippets(t *testing.T, address string, lines []string) []string {
	t.Helper()
	plain, rich := dial(t, address), dial(t, address)
	rich.do(t, "HELLO", "3")
	answers := make([]string, len(lines))
	for i, line := range lines {
		if _, unsent := unsentSnippets[line]; unsent || snippetHeading.MatchString(line) {
			answers[i] = line
			continue
		}
		c := plain
		source, ok := strings.CutPrefix(line, "!3 ")
		if ok {
			c = rich
		}
		require.Equal(t, "+OK", c.do(t, "FLUSHALL").String())
		args := append([]string{"EVAL", strings.ReplaceAll(source, "⏎", "\n")}, snippetArgs...)
		answers[i] = c.do(t, args...).String()
	}
	return answers
}

// compareSnippets lets only the known differences pass, and no known difference be gone. It
// counts them.
func compareSnippets(t *testing.T, path string, lines, want, got []string) (different int) {
	t.Helper()
	for i, line := range lines {
		_, known := differentSnippets[line]
		same := want[i] == got[i]
		switch {
		case same && known && !testsTests():
			t.Errorf("%s:%d is no longer different: %s", path, i+1, line)
		case !same && !known:
			t.Errorf("%s:%d: %s\n  redis: %s\n   ours: %s", path, i+1, line, want[i], got[i])
		}
		if !same {
			different++
		}
	}
	t.Logf("%d of %d lines differ", different, len(lines))
	return different
}
