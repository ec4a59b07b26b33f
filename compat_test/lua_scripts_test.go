package compat

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/minilockd/minilockd/internal/require"
)

// luaFiles have small scripts about all of Redis' Lua, one a line with ⏎ for a line feed, under headings. !3 before a
// script selects RESP3. The golden files have the same lines, with the replies of redis-server in place of the scripts.
const luaFiles = "testdata/lua/*.txt"

// maxDifferences is how many scripts may have other replies than from Redis.
const maxDifferences = 2

// luaDifferences are the scripts with other replies, and why.
var luaDifferences = map[string]string{
	`local f=loadstring('return x') return f()`: "the error names a chunk of loadstring by its source",
	`local f=loadstring('x=1') f()`:             "the same",
}

// luaNotSent are scripts that are not sent to either server, and why.
var luaNotSent = map[string]string{
	`error({code=1})`: "redis-server 7.0.15 crashes on an error table without a text",
	`local s={} for i=1,300000 do s[i]=i end local f,e=loadstring('return {'..table.concat(s,',')..'}') return f and ` +
		`#f() or tostring(e)`: "" +
		"with too many constants the error is a table of Redis' error handler, and the reply its address",
	`local f,e=load(function() return 5 end) return tostring(e)`: "the source never ends: both servers run out of memory",
}

// luaHeading matches headings, and not scripts that begin with a comment.
var luaHeading = regexp.MustCompile(`^# [a-z]+$`)

// luaArgs follow every script.
var luaArgs = []string{"2", "k1", "k2", "a1", "a2", "7"}

// Each script must have the same reply as from Redis, and as recorded. To record again:
//
//	go test ./compat_test -run LuaScripts -rewrite
func TestLuaScripts(t *testing.T) {
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

// compareLuaFile compares the replies to a file, or records them, and returns how many differ.
func compareLuaFile(t *testing.T, path, target, ref string) int {
	lines := readLines(t, path)
	goldenPath := strings.TrimSuffix(path, ".txt") + ".golden"
	if *rewrite {
		record := strings.Join(runLuaLines(t, ref, lines), "\n") + "\n"
		require.NoError(t, os.WriteFile(goldenPath, []byte(record), 0o644))
		return 0
	}
	if emulated != installed { // the replies on file are of that one
		return compareLuaReplies(t, path, lines, runLuaLines(t, ref, lines), runLuaLines(t, target, lines))
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

// runLuaLines returns the lines with replies in place of scripts. The keyspace is empty before each script; other state
// of the server is kept.
func runLuaLines(t *testing.T, address string, lines []string) []string {
	t.Helper()
	resp2, resp3 := dial(t, address), dial(t, address)
	resp3.do(t, "HELLO", "3")
	replies := make([]string, len(lines))
	for i, line := range lines {
		if _, notSent := luaNotSent[line]; notSent || luaHeading.MatchString(line) {
			replies[i] = line
			continue
		}
		c := resp2
		source, ok := strings.CutPrefix(line, "!3 ")
		if ok {
			c = resp3
		}
		require.Equal(t, "+OK", c.do(t, "FLUSHALL").String())
		args := append([]string{"EVAL", strings.ReplaceAll(source, "⏎", "\n")}, luaArgs...)
		replies[i] = c.do(t, args...).String()
	}
	return replies
}

// compareLuaReplies accepts only the known differences, requires them, and counts them.
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
