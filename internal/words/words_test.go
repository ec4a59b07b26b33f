package words

import (
	"testing"

	"github.com/minilockd/minilockd/internal/require"
)

func TestSplit(t *testing.T) {
	for line, want := range map[string][]string{
		"":                             nil,
		" \t":                          nil,
		"#!lua":                        {"#!lua"},
		"#!lua  a\tb\r":                {"#!lua", "a", "b"},
		`name="a b" 'c d'`:             {"name=a b", "c d"},
		`"\x41\x4a\xzz\n\r\t\b\a\"\\"`: {"AJxzz\n\r\t\b\a\"\\"},
		"\"\\x\x10\x11\"":              {"x\x10\x11"},
		`'it\'s \n'`:                   {`it's \n`},
		`"" ''`:                        {"", ""},
	} {
		words, ok := SplitString(line)
		require.True(t, ok, line)
		require.Equal(t, want, words, line)
	}
	for _, line := range []string{`"`, `'`, `"a"b`, `'a'b`, `"a\`, `a "b`} {
		_, ok := SplitString(line)
		require.False(t, ok, line)
	}
}

// Every word comes back from its quoted form.
func TestQuote_SplitGivesItBack(t *testing.T) {
	all := make([]byte, 256)
	for i := range all {
		all[i] = byte(i)
	}
	for _, word := range []string{"", "a", `a "b" \c`, string(all)} {
		words, ok := SplitString("x " + Quote([]byte(word)))
		require.True(t, ok, word)
		require.Equal(t, []string{"x", word}, words)
	}
}
