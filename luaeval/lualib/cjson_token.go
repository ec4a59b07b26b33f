package lualib

import "strings"

// The scanner accepts what that of cjson does, byte for byte, since an error names the token and the position at which
// it gave up. decode_invalid_numbers, which is on by default, makes it read every number that strtod reads.

// tokenKind is the kind of a token of JSON. Faults are tokens, too, so that the decoder reports them by their position.
type tokenKind int

const (
	tokenObjectBegin tokenKind = iota
	tokenObjectEnd
	tokenArrayBegin
	tokenArrayEnd
	tokenString
	tokenNumber
	tokenBoolean
	tokenNull
	tokenColon
	tokenComma
	tokenEnd
	tokenError
)

// tokenNames are the names that cjson's errors use.
var tokenNames = [...]string{
	tokenObjectBegin: "T_OBJ_BEGIN", tokenObjectEnd: "T_OBJ_END",
	tokenArrayBegin: "T_ARR_BEGIN", tokenArrayEnd: "T_ARR_END",
	tokenString: "T_STRING", tokenNumber: "T_NUMBER", tokenBoolean: "T_BOOLEAN", tokenNull: "T_NULL",
	tokenColon: "T_COLON", tokenComma: "T_COMMA", tokenEnd: "T_END",
}

// token is one token of a JSON text.
type token struct {
	kind   tokenKind
	at     int    // index of its beginning, or of the fault
	text   string // of a string; of an error, what was found
	number float64
	truth  bool
}

// jsonScanner splits a text into tokens. Like cjson, which reads C strings, it takes a NUL for the end.
type jsonScanner struct {
	text      string
	at        int
	anyNumber bool // decode_invalid_numbers is on: inf, nan, hexadecimal, leading zeros and + are numbers too
	unescaped []byte
}

// peek returns the byte at i, 0 behind the end.
func (s *jsonScanner) peek(i int) byte {
	if i < len(s.text) {
		return s.text[i]
	}
	return 0
}

// next reads a token, after white space. An error and the end are not consumed.
func (s *jsonScanner) next() token {
	for c := s.peek(s.at); c == ' ' || c == '\t' || c == '\n' || c == '\r'; c = s.peek(s.at) {
		s.at++
	}
	c := s.peek(s.at)
	switch c {
	case 0:
		return token{kind: tokenEnd, at: s.at}
	case '{':
		return s.single(tokenObjectBegin)
	case '}':
		return s.single(tokenObjectEnd)
	case '[':
		return s.single(tokenArrayBegin)
	case ']':
		return s.single(tokenArrayEnd)
	case ',':
		return s.single(tokenComma)
	case ':':
		return s.single(tokenColon)
	case '"':
		return s.string()
	}
	if c == '-' || isDigit(c) {
		return s.plainNumber()
	}
	return s.word()
}

// single reads a token of one character.
func (s *jsonScanner) single(kind tokenKind) token {
	s.at++
	return token{kind: kind, at: s.at - 1}
}

// fault returns the token for an error at the current place.
func (s *jsonScanner) fault(found string) token {
	return token{kind: tokenError, at: s.at, text: found}
}

// word reads true, false, null and, if allowed, the numbers that JSON does not know.
func (s *jsonScanner) word() token {
	rest := s.text[s.at:]
	start := s.at
	switch {
	case strings.HasPrefix(rest, "true"):
		s.at += len("true")
		return token{kind: tokenBoolean, at: start, truth: true}
	case strings.HasPrefix(rest, "false"):
		s.at += len("false")
		return token{kind: tokenBoolean, at: start}
	case strings.HasPrefix(rest, "null"):
		s.at += len("null")
		return token{kind: tokenNull, at: start}
	case s.anyNumber && (rest[0] == '+' || hasFold(rest, "inf") || hasFold(rest, "nan")):
		return s.number()
	}
	return s.fault("invalid token")
}

// plainNumber reads what begins like a number of JSON: a minus sign or a digit.
func (s *jsonScanner) plainNumber() token {
	if !s.anyNumber && isNotJSONNumber(s.text[s.at:]) {
		return s.fault("invalid number")
	}
	return s.number()
}

// isNotJSONNumber reports whether a text begins with a number that strtod reads but JSON does not allow: 0x, leading
// zeros, -inf, -nan.
func isNotJSONNumber(text string) bool {
	text = strings.TrimPrefix(text, "-")
	if len(text) > 1 && text[0] == '0' {
		return isDigit(text[1]) || text[1]|0x20 == 'x'
	}
	return hasFold(text, "inf") || hasFold(text, "nan")
}

// number reads as much as strtod does, which may end in the middle of a word: the rest is the next token.
func (s *jsonScanner) number() token {
	f, n := scanNumber(s.text[s.at:])
	if n == 0 {
		return s.fault("invalid number")
	}
	s.at += n
	return token{kind: tokenNumber, at: s.at - n, number: f}
}
