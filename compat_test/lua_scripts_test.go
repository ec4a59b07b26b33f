package compat

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// luaFiles hold small scripts about everything that Redis' Lua is known for, one a line
// with ⏎ for a line feed, under headings. !3 before one means a connection in RESP3. The
// golden files have the same lines, with what redis-server told in the place of snippets.
const luaFiles = "testdata/lua/*.txt"

// maxDifferences is how many snippets may be answered otherwise than by Redis.
const maxDifferences = 2

// luaDifferences are those that are, and why.
var luaDifferences = map[string]string{
	`local f=loadstring('return x') return f()`: "of a chunk of loadstring's the place is told by its source",
	`local f=loadstring('x=1') f()`:             "the same",
}

// luaNotSent are asked of neither server, and why.
var luaNotSent = map[string]string{
	`error({code=1})`: "redis-server 7.0.15 reads the text of an error table that has none, and dies of it",
	`local s={} for i=1,300000 do s[i]=i end local f,e=loadstring('return {'..table.concat(s,',')..'}') return f and #f() or tostring(e)`: "" +
		"with too many constants the error is a table, of Redis' error handler, and the answer its address",
	`local f,e=load(function() return 5 end) return tostring(e)`: "the source never ends: both servers read on until memory does",
}

// luaHeading tells a heading from a snippet that begins with a comment.
var luaHeading = regexp.MustCompile(`^# [a-z]+$`)

// luaArgs stand behind every snippet.
var luaArgs = []string{"2", "k1", "k2", "a1", "a2", "7"}

// Each snippet must be answered as by Redis, and as recorded. To record again:
//
//	go test ./compat_test -run LuaSnippets -rewrite
func TestLuaSnippets_AreAnsweredAsByRedis(t *testing.T) {
	paths, err := filepath.Glob(luaFiles)
	require.NoError(t, err)
	require.NotEmpty(t, paths)
	different, target, ref := 0, "", ""
	if *rewrite || haveReference() {
		ref = startReference(t)
	}
	if !*rewrite {
		target = startTarget(t)
	}
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txt"), func(t *testing.T) {
			different += compareLuaFile(t, path, target, ref)
		})
	}
	require.LessOrEqual(t, different, maxDifferences)
}

// compareLuaFile compares the told to a file, or records them, and counts those that differ.
func compareLuaFile(t *testing.T, path, target, ref string) int {
	lines := readLines(t, path)
	goldenPath := strings.TrimSuffix(path, ".txt") + ".golden"
	if *rewrite {
		record := strings.Join(runLuaLines(t, ref, lines), "\n") + "\n"
		require.NoError(t, os.WriteFile(goldenPath, []byte(record), 0o644))
		return 0
	}
	want := readLines(t, goldenPath)
	require.Len(t, want, len(lines), goldenPath)
	if ref != "" {
		for i, reply := range runLuaLines(t, ref, lines) {
			if reply != want[i] {
				t.Errorf("%s:%d: %s\n    file: %s\n   redis: %s", goldenPath, i+1, lines[i], want[i], reply)
			}
		}
	}
	return compareLuaReplies(t, path, lines, want, runLuaLines(t, target, lines))
}

func readLines(t *testing.T, path string) []string {
	t.Helper()
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	return strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
}

// runLuaLines gives the lines with replies in the place of snippets. Each finds the
// keyspace empty; what else a server keeps goes from one to the next.
func runLuaLines(t *testing.T, address string, lines []string) []string {
	t.Helper()
	plain, rich := dial(t, address), dial(t, address)
	rich.do(t, "HELLO", "3")
	answers := make([]string, len(lines))
	for i, line := range lines {
		if _, unsent := luaNotSent[line]; unsent || luaHeading.MatchString(line) {
			answers[i] = line
			continue
		}
		c := plain
		source, ok := strings.CutPrefix(line, "!3 ")
		if ok {
			c = rich
		}
		require.Equal(t, "+OK", c.do(t, "FLUSHALL").String())
		args := append([]string{"EVAL", strings.ReplaceAll(source, "⏎", "\n")}, luaArgs...)
		answers[i] = c.do(t, args...).String()
	}
	return answers
}

// compareLuaReplies lets only the known differences pass, and no known difference be gone. It
// counts them.
func compareLuaReplies(t *testing.T, path string, lines, want, got []string) (different int) {
	t.Helper()
	for i, line := range lines {
		_, known := luaDifferences[line]
		same := want[i] == got[i]
		switch {
		case same && known && !comparesRedisWithItself():
			t.Errorf("%s:%d is no longer different: %s", path, i+1, line)
		case !same && !known:
			t.Errorf("%s:%d: %s\n   redis: %s\n  target: %s", path, i+1, line, want[i], got[i])
		}
		if !same {
			different++
		}
	}
	t.Logf("%d of %d lines differ", different, len(lines))
	return different
}
