package compat

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A template describes a command for the random generator:
//
//	SET {key} {value} [NX|XX] [GET] [EX {ttl}|KEEPTTL]
//
// Words stand for themselves; {name} is a word that the argumentSource makes; [a|b] is one of
// the alternatives or nothing; (a|b) is one of them; <a> is repeated one to three times.
// Brackets do not nest.
type template string

// argumentSource makes the words for the names in templates.
type argumentSource interface {
	word(name string) string
}

// expand makes one command out of a template.
func (f template) expand(rnd *rand.Rand, v argumentSource) []string {
	var args []string
	for rest := strings.TrimSpace(string(f)); rest != ""; rest = strings.TrimSpace(rest) {
		part, after := cutPart(rest)
		rest = after
		times, body := 1, part
		switch part[0] {
		case '[':
			times, body = rnd.IntN(2), oneOf(rnd, part)
		case '(':
			body = oneOf(rnd, part)
		case '<':
			times, body = 1+rnd.IntN(3), oneOf(rnd, part)
		}
		for range times {
			args = appendArguments(args, body, v)
		}
	}
	return args
}

// cutPart takes a word or a bracket with what is in it off the front.
func cutPart(s string) (part, rest string) {
	end := strings.IndexByte(s, ' ')
	if i := strings.IndexByte("[(<", s[0]); i >= 0 {
		end = strings.IndexByte(s, "])>"[i]) + 1
	}
	if end <= 0 {
		end = len(s)
	}
	return s[:end], s[end:]
}

// oneOf picks an alternative from within brackets.
func oneOf(rnd *rand.Rand, bracket string) string {
	alternatives := strings.Split(bracket[1:len(bracket)-1], "|")
	return alternatives[rnd.IntN(len(alternatives))]
}

func appendArguments(args []string, body string, v argumentSource) []string {
	for word := range strings.FieldsSeq(body) {
		if word[0] == '{' {
			word = v.word(word[1 : len(word)-1])
		}
		args = append(args, word)
	}
	return args
}

// echo is a argumentSource for tests: each name stands for itself.
type echo struct{}

func (echo) word(name string) string { return name }

func TestForm_Expand_MakesWhatItSays(t *testing.T) {
	rnd, seen := rand.New(rand.NewPCG(1, 1)), map[string]bool{}
	for range 200 {
		seen[strings.Join(template("A {k} (x|y z) [o|p {q}]").expand(rnd, echo{}), " ")] = true
	}
	for _, want := range []string{"A k x", "A k y z", "A k x o", "A k x p q", "A k y z o", "A k y z p q"} {
		require.True(t, seen[want], want)
	}
	require.Len(t, seen, 6)
	repeated := map[int]bool{}
	for range 100 {
		repeated[len(template("D <{f} {v}>").expand(rnd, echo{}))] = true
	}
	require.Equal(t, map[int]bool{3: true, 5: true, 7: true}, repeated)
}
