package compat

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/minilockd/minilockd/internal/require"
)

// template describes a command for the random generator:
//
//	SET {key} {value} [NX|XX] [GET] [EX {ttl}|KEEPTTL]
//
// Words stand for themselves; {name} is an argument from the argumentSource; [a|b] is one of the alternatives or
// nothing; (a|b) is one of the alternatives; <a> is repeated one to three times. Brackets do not nest.
type template string

// argumentSource returns an argument for a name in templates.
type argumentSource interface {
	argument(name string) string
}

// expand returns a command that the template describes.
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

// cutPart cuts a word, or a bracket with its content, from the front.
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

// oneOf returns one of the alternatives in a bracket.
func oneOf(rnd *rand.Rand, bracket string) string {
	alternatives := strings.Split(bracket[1:len(bracket)-1], "|")
	return alternatives[rnd.IntN(len(alternatives))]
}

func appendArguments(args []string, body string, v argumentSource) []string {
	for word := range strings.FieldsSeq(body) {
		if word[0] == '{' {
			word = v.argument(word[1 : len(word)-1])
		}
		args = append(args, word)
	}
	return args
}

// echo is an argumentSource that returns the name.
type echo struct{}

func (echo) argument(name string) string { return name }

func TestTemplate_Expand(t *testing.T) {
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
