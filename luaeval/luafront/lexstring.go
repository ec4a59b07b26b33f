package luafront

import "strings"

// readBracket reads what '[' begins: a long string or the character itself. '[=' without a second bracket is neither.
func (lx *lexer) readBracket() token {
	start := lx.pos
	if level, ok := lx.longBracket(); ok {
		return token{kind: tokString, value: lx.readLong(level, "unfinished long string")}
	}
	if lx.peek(1) == '=' {
		lx.pos++
		lx.skipWhile(func(c byte) bool { return c == '=' })
		lx.fail("invalid long string delimiter", lx.src[start:lx.pos])
	}
	lx.pos++
	return token{kind: '['}
}

// longBracket reports whether an opening long bracket is at pos, and how many '=' it has.
func (lx *lexer) longBracket() (level int, ok bool) {
	for lx.peek(1+level) == '=' {
		level++
	}
	return level, lx.peek(1+level) == '['
}

// readLong reads a long string or comment whose opening bracket is at pos. A line end directly behind the bracket is
// dropped, the others become '\n'. unfinished is the message when the source ends first.
func (lx *lexer) readLong(level int, unfinished string) string {
	lx.pos += level + 2
	if c := lx.peek(0); c == '\n' || c == '\r' {
		lx.newline()
	}
	closing := "]" + strings.Repeat("=", level) + "]"
	length := strings.Index(lx.src[lx.pos:], closing)
	if length < 0 {
		lx.skipLines(len(lx.src))
		lx.fail(unfinished, tokEOF.text())
	}
	start := lx.pos
	lx.skipLines(start + length)
	text := lx.src[start:lx.pos]
	lx.pos += len(closing)
	return unixLines(text)
}

// skipLines moves to an offset and counts the line ends on the way.
func (lx *lexer) skipLines(to int) {
	for lx.pos < to {
		if c := lx.src[lx.pos]; c == '\n' || c == '\r' {
			lx.newline()
		} else {
			lx.pos++
		}
	}
}

// unixLines turns each of CR, CR LF and LF CR into LF.
func unixLines(text string) string {
	if strings.IndexByte(text, '\r') < 0 {
		return text
	}
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		c := text[i]
		if c != '\n' && c != '\r' {
			b.WriteByte(c)
			continue
		}
		b.WriteByte('\n')
		if i+1 < len(text) && text[i+1] != c && (text[i+1] == '\n' || text[i+1] == '\r') {
			i++
		}
	}
	return b.String()
}

// readString reads a quoted string at pos and returns its contents; without an escape that is a part of the source
// itself.
func (lx *lexer) readString(quote byte) string {
	lx.pos++
	start := lx.pos
	for lx.pos < len(lx.src) {
		switch lx.src[lx.pos] {
		case quote:
			lx.pos++
			return lx.src[start : lx.pos-1]
		case '\\', '\n', '\r':
			return lx.readEscaped(quote, lx.src[start:lx.pos])
		}
		lx.pos++
	}
	return lx.readEscaped(quote, "")
}

// readEscaped continues with a quoted string at its first escape, line end or end of source.
func (lx *lexer) readEscaped(quote byte, head string) string {
	text := []byte(head)
	for lx.pos < len(lx.src) {
		c := lx.src[lx.pos]
		switch c {
		case quote:
			lx.pos++
			return string(text)
		case '\n', '\r':
			lx.fail("unfinished string", string(quote)+string(text))
		case '\\':
			text = lx.readEscape(quote, text)
		default:
			text = append(text, c)
			lx.pos++
		}
	}
	lx.fail("unfinished string", tokEOF.text())
	return ""
}

// simpleEscapes are the letters that stand for control characters, and those characters.
const simpleEscapes = "a\ab\bf\fn\nr\rt\tv\v"

// readEscape adds the character that the escape at pos stands for. An unknown letter stands for itself.
func (lx *lexer) readEscape(quote byte, text []byte) []byte {
	lx.pos++
	if lx.pos >= len(lx.src) {
		return text
	}
	c := lx.src[lx.pos]
	switch {
	case c == '\n' || c == '\r':
		lx.newline()
		return append(text, '\n')
	case isDigit(c):
		return append(text, lx.readDecimalEscape(quote, text))
	}
	lx.pos++
	if i := strings.IndexByte(simpleEscapes, c); i >= 0 && i%2 == 0 {
		return append(text, simpleEscapes[i+1])
	}
	return append(text, c)
}

// readDecimalEscape reads up to three digits: \0 to \255.
func (lx *lexer) readDecimalEscape(quote byte, text []byte) byte {
	value := 0
	for i := 0; i < 3 && isDigit(lx.peek(0)); i++ {
		value = value*10 + int(lx.src[lx.pos]-'0')
		lx.pos++
	}
	if value > 255 {
		lx.fail("escape sequence too large", string(quote)+string(text))
	}
	return byte(value)
}
