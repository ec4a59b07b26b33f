package server

import "strings"

// splitWords splits a line as redis-cli does: words are separated by blanks; "…" takes \n \r \t \a \b \xHH and \ before any
// other character, '…' takes \' only. A quote must be followed by a blank or the end.
func splitWords(line []byte) ([][]byte, error) {
	var words [][]byte
	for i := 0; ; {
		for i < len(line) && isBlank(line[i]) {
			i++
		}
		if i == len(line) {
			return words, nil
		}
		word, next, err := splitWord(line, i)
		if err != nil {
			return nil, err
		}
		words, i = append(words, word), next
	}
}

func isBlank(c byte) bool { return strings.IndexByte(" \t\r\n\v\f", c) >= 0 }

// splitWord reads the word that begins at i and returns the index behind it. Quotes may begin within a word.
func splitWord(line []byte, i int) (word []byte, next int, err error) {
	word = []byte{}
	for i < len(line) && !isBlank(line[i]) {
		quote := line[i]
		if quote != '"' && quote != '\'' {
			word = append(word, quote)
			i++
			continue
		}
		word, i, err = splitQuoted(line, i+1, quote, word)
		if err != nil || i < len(line) && !isBlank(line[i]) {
			return nil, 0, errUnbalancedQuotes
		}
		return word, i, nil
	}
	return word, i, nil
}

// splitQuoted appends to word what stands from i up to the closing quote and returns the index behind that.
func splitQuoted(line []byte, i int, quote byte, word []byte) ([]byte, int, error) {
	for i < len(line) {
		c := line[i]
		switch {
		case c == quote:
			return word, i + 1, nil
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
	return nil, 0, errUnbalancedQuotes
}

// unescape decodes what follows a backslash and returns how many bytes that took.
func unescape(s []byte) (decoded byte, width int) {
	if s[0] == 'x' && len(s) > 2 {
		high, low := hexDigit(s[1]), hexDigit(s[2])
		if high >= 0 && low >= 0 {
			return byte(high<<4 | low), 3
		}
	}
	if i := strings.IndexByte("nrtba", s[0]); i >= 0 {
		return "\n\r\t\b\a"[i], 1
	}
	return s[0], 1
}

func hexDigit(c byte) int { return strings.IndexByte("0123456789abcdef", c|0x20) }
