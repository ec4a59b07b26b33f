package compat

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The snippets are small scripts about everything that Redis' Lua is known for, one a line
// with ⏎ for a line feed, under headings. !3 before one means a connection in RESP3. The
// golden file has the same lines, with what redis-server answers in the place of snippets.
const (
	snippetsPath = "testdata/lua/snippets.txt"
	goldenPath   = "testdata/lua/snippets.golden"
)

// mostDifferences is how many snippets may be answered otherwise than by Redis.
const mostDifferences = 15

// differentSnippets are those that are, and why.
var differentSnippets = map[string]string{}

// unsentSnippets are asked of neither server, and why.
var unsentSnippets = map[string]string{
	`error({code=1})`: "redis-server 7.0.15 reads the text of an error table that has none, and dies of it",
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
	lines := readLines(t, snippetsPath)
	if *rewrite {
		record := strings.Join(answerSnippets(t, startReference(t), lines), "\n") + "\n"
		require.NoError(t, os.WriteFile(goldenPath, []byte(record), 0o644))
		return
	}
	want := readLines(t, goldenPath)
	require.Len(t, want, len(lines), goldenPath)
	if haveReference() {
		for i, reply := range answerSnippets(t, startReference(t), lines) {
			if reply != want[i] {
				t.Errorf("%s:%d: %s\n   file: %s\n  redis: %s", goldenPath, i+1, lines[i], want[i], reply)
			}
		}
	}
	compareSnippets(t, lines, want, answerSnippets(t, startTarget(t), lines))
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

// compareSnippets lets only the known differences pass, and no known difference be gone.
func compareSnippets(t *testing.T, lines, want, got []string) {
	t.Helper()
	different := 0
	for i, line := range lines {
		_, known := differentSnippets[line]
		switch same := want[i] == got[i]; {
		case same && known && !testsTests():
			t.Errorf("line %d is no longer different: %s", i+1, line)
		case !same && known:
			different++
		case !same:
			different++
			t.Errorf("line %d: %s\n  redis: %s\n   ours: %s", i+1, line, want[i], got[i])
		}
	}
	t.Logf("%d of %d snippets differ", different, len(lines))
	require.LessOrEqual(t, different, mostDifferences)
}
