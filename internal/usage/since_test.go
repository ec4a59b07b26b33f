package usage

import (
	"strings"
	"testing"

	"github.com/minilockd/minilockd/internal/require"
)

func TestFor(t *testing.T) {
	for _, c := range []struct{ usage, kept, lacks string }{
		{"key [NX | XX]", "key [NX | XX]", ""},
		{"key member [WITHSCORE]{new}", "key member", "WITHSCORE"},
		{"key member [WITHSCORE]{old}", "key member [WITHSCORE]", ""},
		{"key [IFEQ value {new} | NX | IFNE value {new}] [GET] [EX seconds | KEEPTTL]",
			"key [NX] [GET] [EX seconds | KEEPTTL]", "IFEQ IFNE"},
		{"key [NX | IFEQ value {old}]", "key [NX | IFEQ value]", ""},
		{"key [KEEPREF | DELREF]{new} [NOMKSTREAM] id", "key [NOMKSTREAM] id", "KEEPREF DELREF"},
		{"<NO ONE {new} | node-id>", "node-id", "NO ONE"},
		{"[SKIPME yes/no] [MAXAGE age]{new}", "[SKIPME yes/no]", "MAXAGE"},
		{"[A {new} | B {new}] [A b]", "[A b]", "B"},
		{"<a [b] {new} | a [b [c]] {old}>", "a [b [c]]", ""},
		{"[A | <B | C {new}>] d", "[A | B] d", "C"},
	} {
		kept, lacks := For(c.usage, func(since string) bool { return since == "old" })
		require.Equal(t, c.kept, kept, c.usage)
		require.Equal(t, c.lacks, strings.Join(lacks, " "), c.usage)
	}
}
