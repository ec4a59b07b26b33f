package lualib

import "unicode/utf8"

// Strings are read by the rules of cjson, which are not quite those of JSON: control characters other than NUL pass
// unescaped, and bytes need not be UTF-8.

// string reads the string whose quote is next. Without escapes it is a part of the text and costs no copy. A string
// that is not closed is an error.
func (s *jsonScanner) string() token {
	first := s.at
	s.at++
	start := s.at
	s.unescaped = s.unescaped[:0]
	for {
		switch c := s.peek(s.at); c {
		case '"':
			text := s.text[start:s.at]
			if len(s.unescaped) > 0 {
				text = string(append(s.unescaped, text...))
			}
			s.at++
			return token{kind: tokenString, at: first, text: text}
		case 0:
			return s.fault("unexpected end of string")
		case '\\':
			s.unescaped = append(s.unescaped, s.text[start:s.at]...)
			if fault := s.escape(); fault != "" {
				return s.fault(fault)
			}
			start = s.at
		default:
			s.at++
		}
	}
}

// escape appends what the escape at the current place stands for. If that is nothing, it returns the fault and stays
// there.
func (s *jsonScanner) escape() (fault string) {
	c := s.peek(s.at + 1)
	switch c {
	case 'u':
		return s.unicodeEscape()
	case '"', '\\', '/':
	case 'b':
		c = '\b'
	case 't':
		c = '\t'
	case 'n':
		c = '\n'
	case 'f':
		c = '\f'
	case 'r':
		c = '\r'
	default:
		return "invalid escape code"
	}
	s.unescaped = append(s.unescaped, c)
	s.at += 2
	return ""
}

// unicodeEscape reads \uXXXX, or two of them that are a surrogate pair, and appends the character in UTF-8. Half a pair
// is a fault.
func (s *jsonScanner) unicodeEscape() (fault string) {
	const invalid = "invalid unicode escape code"
	code, ok := s.hex4(s.at + 2)
	if !ok {
		return invalid
	}
	length := 6
	if code&0xf800 == 0xd800 {
		low, ok := s.hex4(s.at + 8)
		if code&0x400 != 0 || s.peek(s.at+6) != '\\' || s.peek(s.at+7) != 'u' || !ok || low&0xfc00 != 0xdc00 {
			return invalid
		}
		code = code&0x3ff<<10 | low&0x3ff
		code += 0x10000
		length = 12
	}
	s.unescaped = utf8.AppendRune(s.unescaped, code)
	s.at += length
	return ""
}

// hex4 reads four hexadecimal digits.
func (s *jsonScanner) hex4(at int) (code rune, ok bool) {
	for i := range 4 {
		c := s.peek(at + i)
		if !isHexDigit(c) {
			return 0, false
		}
		code = code<<4 | rune(digitValue(c))
	}
	return code, true
}
