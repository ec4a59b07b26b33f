package compat

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/minilockd/minilockd/internal/require"
)

// splitArgs splits a command line as redis-cli does: words, "double quoted" with \n \r \t \b \a \xHH escapes, 'single
// quoted' with \' only. open reports that a quote is not closed.
func splitArgs(line string) (args []string, open bool, err error) {
	for rest := strings.TrimSpace(line); rest != ""; rest = strings.TrimSpace(rest) {
		var arg string
		arg, rest, open, err = cutArg(rest)
		if open || err != nil {
			return args, open, err
		}
		args = append(args, arg)
	}
	return args, false, nil
}

func cutArg(s string) (arg, rest string, open bool, err error) {
	if quote := s[0]; quote != '"' && quote != '\'' {
		end := strings.IndexAny(s, " \t\n")
		if end < 0 {
			end = len(s)
		}
		return s[:end], s[end:], false, nil
	}
	end := closingQuote(s)
	if end < 0 {
		return "", "", true, nil
	}
	arg, rest = s[1:end], s[end+1:]
	if rest != "" && !strings.ContainsAny(rest[:1], " \t\n") {
		return "", "", false, fmt.Errorf("no blank after the closing quote: %s", s)
	}
	if s[0] == '\'' {
		return strings.ReplaceAll(arg, `\'`, `'`), rest, false, nil
	}
	return unescape(arg), rest, false, nil
}

// closingQuote returns the index of the quote that ends an argument.
func closingQuote(s string) int {
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case s[0]:
			return i
		}
	}
	return -1
}

// escapes are the letters with a meaning after a backslash.
var escapes = map[byte]byte{'n': '\n', 'r': '\r', 't': '\t', 'b': '\b', 'a': '\a'}

func unescape(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] != '\\' || i+1 == len(s):
			b.WriteByte(s[i])
			continue
		case s[i+1] == 'x' && i+3 < len(s):
			if n, err := strconv.ParseUint(s[i+2:i+4], 16, 8); err == nil {
				b.WriteByte(byte(n))
				i += 3
				continue
			}
		}
		i++
		if c, ok := escapes[s[i]]; ok {
			b.WriteByte(c)
		} else {
			b.WriteByte(s[i])
		}
	}
	return b.String()
}

func TestSplitArgs_AsRedisCli(t *testing.T) {
	for line, want := range map[string][]string{
		``:                        nil,
		`SET  k v`:                {"SET", "k", "v"},
		`SET "" "a\x00\xffb\n\""`: {"SET", "", "a\x00\xffb\n\""},
		`EVAL 'it\'s \n' 0`:       {"EVAL", `it's \n`, "0"},
		"EVAL \"a\n b\" 1\n k":    {"EVAL", "a\n b", "1", "k"},
		`A"B c'`:                  {`A"B`, "c'"},
	} {
		args, open, err := splitArgs(line)
		require.NoError(t, err)
		require.False(t, open)
		require.Equal(t, want, args, line)
	}
	_, open, err := splitArgs(`EVAL "return 1`)
	require.NoError(t, err)
	require.True(t, open)
	_, _, err = splitArgs(`SET "a"b`)
	require.Error(t, err)
}

// quoteArgs formats a command so that splitArgs and redis-cli can parse it.
func quoteArgs(args []string) string {
	words := make([]string, len(args))
	for i, a := range args {
		words[i] = a
		if a == "" || strings.ContainsFunc(a, func(r rune) bool { return r <= ' ' || r > '~' || r == '"' || r == '\'' }) {
			words[i] = strconv.Quote(a)
		}
	}
	return strings.Join(words, " ")
}
