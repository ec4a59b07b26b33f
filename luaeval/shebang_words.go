package luaeval

import "strings"

// splitWords splits a line as Redis does with lines of its configuration: at white space outside of quotes, with C's escapes
// between double quotes and \' between single ones. It fails on a quote that is not closed or that more text follows.
func splitWords(line string) (words []string, ok bool) {
	for {
		line = strings.TrimLeft(line, " \t\n\v\f\r")
		if line == "" {
			return words, true
		}
		var word string
		if word, line, ok = cutWord(line); !ok {
			return nil, false
		}
		words = append(words, word)
	}
}

// cutWord takes the first word off a line.
func cutWord(line string) (word, rest string, ok bool) {
	var b strings.Builder
	for line != "" && !isBlank(line[0]) {
		c := line[0]
		line = line[1:]
		if c != '"' && c != '\'' {
			b.WriteByte(c)
			continue
		}
		if line, ok = unquote(&b, line, c); !ok || line != "" && !isBlank(line[0]) {
			return "", "", false
		}
	}
	return b.String(), line, true
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

// unquote appends the text up to the closing quote and returns what follows that.
func unquote(b *strings.Builder, line string, quote byte) (rest string, ok bool) {
	for line != "" {
		c := line[0]
		switch {
		case c == quote:
			return line[1:], true
		case c != '\\' || len(line) == 1 || quote == '\'' && line[1] != '\'':
			b.WriteByte(c)
			line = line[1:]
		default:
			line = unescape(b, line[1:])
		}
	}
	return "", false
}

// unescape appends the character behind a backslash and returns what follows it.
func unescape(b *strings.Builder, line string) (rest string) {
	if len(line) >= 3 && line[0] == 'x' {
		if high, low := hexDigit(line[1]), hexDigit(line[2]); high >= 0 && low >= 0 {
			b.WriteByte(byte(high<<4 | low))
			return line[3:]
		}
	}
	const short, long = "nrtba", "\n\r\t\b\a"
	c := line[0]
	if i := strings.IndexByte(short, c); i >= 0 {
		c = long[i]
	}
	b.WriteByte(c)
	return line[1:]
}

// hexDigit is the value of a hexadecimal digit, negative for other characters.
func hexDigit(c byte) int {
	if 'A' <= c && c <= 'F' {
		c += 'a' - 'A'
	}
	return strings.IndexByte("0123456789abcdef", c)
}
