package luafront

import (
	"math"
	"strconv"
	"strings"
)

// lexer splits a source into tokens by the rules of llex.c of Lua 5.1 as Redis builds it. The scanner of gopher-lua
// differs: it knows goto and '::', reads '0010' as octal, "1e" as a number and '\300' as an escape.
type lexer struct {
	src   string
	chunk string // as positions show it, for messages
	pos   int    // of the byte that comes next
	line  int
}

// next returns the token that begins at or behind pos.
func (lx *lexer) next() token {
	lx.skipBlanks()
	start := lx.pos
	tok := lx.scan()
	tok.start, tok.end, tok.line = start, lx.pos, lx.line
	return tok
}

// peek returns the byte at an offset from pos, 0 behind the end. Callers compare it with characters that are not 0.
func (lx *lexer) peek(ahead int) byte {
	if lx.pos+ahead >= len(lx.src) {
		return 0
	}
	return lx.src[lx.pos+ahead]
}

// skipBlanks skips white space and comments and counts lines.
func (lx *lexer) skipBlanks() {
	for lx.pos < len(lx.src) {
		switch c := lx.src[lx.pos]; {
		case c == '\n' || c == '\r':
			lx.newline()
		case isSpace(c):
			lx.pos++
		case c == '-' && lx.peek(1) == '-':
			lx.skipComment()
		default:
			return
		}
	}
}

// newline skips a line end, which is one or two different characters of CR and LF.
func (lx *lexer) newline() {
	first := lx.src[lx.pos]
	lx.pos++
	if second := lx.peek(0); (second == '\n' || second == '\r') && second != first {
		lx.pos++
	}
	lx.line++
}

// skipComment skips --[[ a long comment ]], of any level, or one up to the end of the line.
func (lx *lexer) skipComment() {
	lx.pos += 2
	if lx.peek(0) == '[' {
		if level, ok := lx.longBracket(); ok {
			lx.readLong(level, "unfinished long comment")
			return
		}
	}
	for lx.pos < len(lx.src) && lx.src[lx.pos] != '\n' && lx.src[lx.pos] != '\r' {
		lx.pos++
	}
}

// scan reads one token at pos; next sets its position.
func (lx *lexer) scan() token {
	if lx.pos >= len(lx.src) {
		return token{kind: tokEOF}
	}
	c := lx.src[lx.pos]
	switch {
	case isNameStart(c):
		return lx.readName()
	case isDigit(c), c == '.' && isDigit(lx.peek(1)):
		return lx.readNumber()
	case c == '"' || c == '\'':
		return token{kind: tokString, value: lx.readString(c)}
	case c == '[':
		return lx.readBracket()
	}
	return lx.readOperator(c)
}

// operators of more than one character, longest first.
var operators = [...]struct {
	text string
	kind tokenKind
}{{"...", tokDots}, {"..", tokConcat}, {"==", tokEq}, {">=", tokGe}, {"<=", tokLe}, {"~=", tokNe}}

// readOperator reads an operator, or any other character, which is then a token that no rule of the parser accepts.
func (lx *lexer) readOperator(c byte) token {
	for _, op := range operators {
		if c == op.text[0] && strings.HasPrefix(lx.src[lx.pos:], op.text) {
			lx.pos += len(op.text)
			return token{kind: op.kind}
		}
	}
	lx.pos++
	return token{kind: tokenKind(c)}
}

// readName reads a name or a reserved word.
func (lx *lexer) readName() token {
	start := lx.pos
	for lx.pos < len(lx.src) && isNamePart(lx.src[lx.pos]) {
		lx.pos++
	}
	word := lx.src[start:lx.pos]
	if kind, ok := reserved[word]; ok {
		return token{kind: kind}
	}
	return token{kind: tokName, value: word}
}

// readNumber reads all characters that could belong to a numeral, as Lua does, and then checks whether it is one.
func (lx *lexer) readNumber() token {
	start := lx.pos
	lx.skipWhile(func(c byte) bool { return isDigit(c) || c == '.' })
	if c := lx.peek(0); c == 'e' || c == 'E' {
		lx.pos++
		if c := lx.peek(0); c == '+' || c == '-' {
			lx.pos++
		}
	}
	lx.skipWhile(isNamePart)
	text := lx.src[start:lx.pos]
	value, ok := parseNumeral(text)
	if !ok {
		lx.fail("malformed number", text)
	}
	return token{kind: tokNumber, value: value}
}

// skipWhile skips the bytes that keep accepts.
func (lx *lexer) skipWhile(keep func(byte) bool) {
	for lx.pos < len(lx.src) && keep(lx.src[lx.pos]) {
		lx.pos++
	}
}

// parseNumeral reads a numeral as strtod does (decimal, or hexadecimal with an optional binary exponent; too large is
// infinite) and formats it for gopher-lua.
func parseNumeral(text string) (string, bool) {
	if strings.IndexByte(text, '_') >= 0 {
		return "", false // Go would skip it
	}
	spelling := text
	if len(text) > 1 && (text[1] == 'x' || text[1] == 'X') && !strings.ContainsAny(text, "pP") {
		spelling += "p0"
	}
	value, err := strconv.ParseFloat(spelling, 64)
	if err != nil && !math.IsInf(value, 0) {
		return "", false
	}
	return numeral(value), true
}

// fail raises a SyntaxError at the current line. near is the token that the message shows; "" shows none.
func (lx *lexer) fail(message, near string) {
	panic(newSyntaxError(lx.chunk, lx.line, message, near))
}

func isSpace(c byte) bool { return c == ' ' || c >= '\t' && c <= '\r' }
func isDigit(c byte) bool { return c >= '0' && c <= '9' }
func isNameStart(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_'
}
func isNamePart(c byte) bool { return isNameStart(c) || isDigit(c) }
func itoa(n int) string      { return strconv.Itoa(n) }
