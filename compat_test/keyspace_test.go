package compat

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/minilockd/minilockd/internal/require"
)

// tolerance is how much numbers that depend on time may differ between servers, in milliseconds.
const tolerance = 10_000

// contents are the commands that read a whole value, by type.
var contents = map[string][]string{
	"string": {"GET", ""}, "hash": {"HGETALL", ""}, "list": {"LRANGE", "", "0", "-1"},
	"set": {"SMEMBERS", ""}, "zset": {"ZRANGE", "", "0", "-1", "WITHSCORES"},
	"stream": {"XINFO", "STREAM", "", "FULL", "COUNT", "0"},
}

// gone is the reply of PTTL for a key that does not exist.
const gone = ":-2"

// keyState is the state of a key.
type keyState struct {
	kind    string
	content string
	pttl    string
}

// keyspace reads all keys of the current database, except those that expire in the meantime.
func keyspace(t testing.TB, c *rawClient) map[string]keyState {
	t.Helper()
	keys := c.do(t, "KEYS", "*").elems
	each := func(command func(i int) []string) []reply {
		commands := make([][]string, len(keys))
		for i := range keys {
			commands[i] = command(i)
		}
		replies, err := c.pipeline(commands)
		require.NoError(t, err)
		return replies
	}
	kinds := each(func(i int) []string { return []string{"TYPE", keys[i].text} })
	read := func(i int) []string { return reading(kinds[i].text, keys[i].text) }
	values := each(read)
	pttls := each(func(i int) []string { return []string{"PTTL", keys[i].text} })
	state := map[string]keyState{}
	for i, key := range keys {
		if pttls[i].String() == gone {
			continue
		}
		state[key.text] = keyState{kinds[i].text, values[i].inOrder(orderingOf(read(i))), pttls[i].String()}
	}
	return state
}

// reading returns the command that reads a key.
func reading(kind, key string) []string {
	args := slices.Clone(contents[kind])
	if args == nil {
		return []string{"TYPE", key}
	}
	args[slices.Index(args, "")] = key
	return args
}

// differentKeys returns the differences between two keyspaces. Times may differ by the tolerance.
func differentKeys(one, other map[string]keyState) string {
	keys := maps.Clone(one)
	maps.Copy(keys, other)
	var b strings.Builder
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		x, y := one[key], other[key]
		if x.kind != y.kind || !alike(x.content, y.content) || !alike(x.pttl, y.pttl) {
			fmt.Fprintf(&b, "\n  key %q\n   redis: %s\n  target: %s", key, x, y)
		}
	}
	return b.String()
}

func (s keyState) String() string {
	if s.kind == "" {
		return "no such key"
	}
	return s.kind + " " + s.content + " pttl " + s.pttl
}

// alike compares two formatted replies. Numbers that may be times may differ by the tolerance.
func alike(one, other string) bool {
	if one == other {
		return true
	}
	x, y := words(one), words(other)
	return slices.EqualFunc(x, y, alikeWord)
}

// words splits a text into numbers and what is between them.
func words(s string) []string {
	var parts []string
	for s != "" {
		digits := strings.IndexFunc(s, isDigit)
		if digits == 0 {
			if digits = strings.IndexFunc(s, func(r rune) bool { return !isDigit(r) }); digits < 0 {
				digits = len(s)
			}
		} else if digits < 0 {
			digits = len(s)
		}
		parts, s = append(parts, s[:digits]), s[digits:]
	}
	return parts
}

func isDigit(r rune) bool { return r >= '0' && r <= '9' }

func alikeWord(one, other string) bool {
	x, errX := strconv.ParseInt(one, 10, 64)
	y, errY := strconv.ParseInt(other, 10, 64)
	near := errX == nil && errY == nil && min(x, y) >= 1000 && max(x-y, y-x) <= tolerance
	return one == other || near
}
