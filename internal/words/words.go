// Package words splits lines into words as Redis does with requests that are typed by hand, lines of redis.conf and the
// first line of a script, and writes words so that splitting gives them back.
package words

import (
	"fmt"
	"strings"
)

// UntilNUL cuts a text at its first zero byte, where Redis takes it for a C string: error messages with a word of the
// client end there.
func UntilNUL[T string | []byte](text T) T {
	for i := range len(text) {
		if text[i] == 0 {
			return text[:i]
		}
	}
	return text
}

// Split splits a line at blanks. "…" takes \n \r \t \a \b \xHH and \ before any other character, '…' takes \' only. It
// fails on a quote that is not closed, or that is followed by anything but a blank.
func Split(line []byte) (words [][]byte, ok bool) { return split(line, false) }

// SplitMixed is Split where a word may go on behind a closing quote, as in Valkey 9.
func SplitMixed(line []byte) (words [][]byte, ok bool) { return split(line, true) }

func split(line []byte, mixed bool) (words [][]byte, ok bool) {
	for i := 0; ; {
		for i < len(line) && isSpace(line[i]) {
			i++
		}
		if i == len(line) {
			return words, true
		}
		word, next, ok := splitWord(line, i, mixed)
		if !ok {
			return nil, false
		}
		words, i = append(words, word), next
	}
}

// SplitString is Split for a string. An empty line has no words, and is no failure.
func SplitString(line string) (words []string, ok bool) {
	split, ok := Split([]byte(line))
	for _, word := range split {
		words = append(words, string(word))
	}
	return words, ok
}

// isSpace is isspace of C: the characters that separate words.
func isSpace(c byte) bool { return strings.IndexByte(" \t\r\n\v\f", c) >= 0 }

// endsWord reports whether c ends a word. A NUL ends the line for Redis; here it is a part of the word.
func endsWord(c byte) bool { return strings.IndexByte(" \t\r\n", c) >= 0 }

// splitWord reads the word that begins at i and returns the index behind it. Quotes may begin within a word, and end
// within one if mixed is set.
func splitWord(line []byte, i int, mixed bool) (word []byte, next int, ok bool) {
	word = []byte{}
	for i < len(line) && !endsWord(line[i]) {
		quote := line[i]
		if quote != '"' && quote != '\'' {
			word = append(word, quote)
			i++
			continue
		}
		word, i, ok = splitQuoted(line, i+1, quote, word)
		switch {
		case !ok, !mixed && i < len(line) && !isSpace(line[i]):
			return nil, 0, false
		case !mixed:
			return word, i, true
		}
	}
	return word, i, true
}

// splitQuoted appends to word the text from i up to the closing quote and returns the index behind that.
func splitQuoted(line []byte, i int, quote byte, word []byte) (longer []byte, next int, ok bool) {
	for i < len(line) {
		c := line[i]
		switch {
		case c == quote:
			return word, i + 1, true
		case c == '\\' && quote == '"' && i+1 < len(line):
			decoded, width := unescape(line[i+1:])
			word = append(word, decoded)
			i += 1 + width
		case c == '\\' && quote == '\'' && i+1 < len(line) && line[i+1] == '\'':
			word = append(word, '\'')
			i += 2
		default:
			word = append(word, c)
			i++
		}
	}
	return nil, 0, false
}

// unescape decodes an escape sequence after a backslash and returns its length. A character without a meaning stands
// for itself, and so does the x of \x if no two hexadecimal digits follow.
func unescape(s []byte) (decoded byte, width int) {
	if s[0] == 'x' && len(s) > 2 {
		high, low := hexDigit(s[1]), hexDigit(s[2])
		if high >= 0 && low >= 0 {
			return byte(high<<4 | low), 3
		}
	}
	if i := strings.IndexByte(letters, s[0]); i >= 0 {
		return controls[i], 1
	}
	return s[0], 1
}

// letters after a backslash are the escapes of these control characters.
const letters, controls = "nrtba", "\n\r\t\b\a"

// hexDigit is the value of a hexadecimal digit, negative for other characters.
func hexDigit(c byte) int {
	if 'A' <= c && c <= 'F' {
		c += 'a' - 'A'
	}
	return strings.IndexByte("0123456789abcdef", c)
}

// Quote writes a word in double quotes, with escapes for all that is not printable ASCII, as MONITOR and CONFIG REWRITE
// of Redis do.
func Quote(word []byte) string { return string(AppendQuoted(make([]byte, 0, len(word)+2), word, true)) }

// AppendQuoted is Quote into a buffer. Unless escapes is set, quotes and backslashes stand for themselves.
func AppendQuoted(out, word []byte, escapes bool) []byte {
	out = append(out, '"')
	for _, c := range word {
		switch i := strings.IndexByte(controls, c); {
		case i >= 0:
			out = append(out, '\\', letters[i])
		case escapes && (c == '"' || c == '\\'):
			out = append(out, '\\', c)
		case c < ' ' || c > '~':
			out = fmt.Appendf(out, `\x%02x`, c)
		default:
			out = append(out, c)
		}
	}
	return append(out, '"')
}
