package lualib

import (
	"strings"

	lua "github.com/yuin/gopher-lua"

	"github.com/minilockd/minilockd/internal/num"
)

// The checks of a format are those of Lua: five flags at most, and two digits for the width and the precision. So no
// conversion of a number writes more than a few hundred bytes. A long string is copied by %s as it is.

const (
	// formatFlags are the flags of a conversion, which may have as many as there are here, repeated or not.
	formatFlags = "-+ #0"
	// longString is the length in bytes from which %s without a precision passes a string on as it is, NULs and all.
	longString = 100
)

// format is string.format(format, …): printf with the checks of Lua. A missing argument is an error, one too many is
// ignored.
func (l *library) format(L *lua.LState) int {
	f := CheckString(L, 1)
	out := l.takeBuffer()
	arg := 1
	for i := 0; i < len(f); {
		if next := strings.IndexByte(f[i:], '%'); next != 0 {
			if next < 0 {
				next = len(f) - i
			}
			out = append(out, f[i:i+next]...)
			i += next
			continue
		}
		i++
		if i < len(f) && f[i] == '%' {
			out = append(out, '%')
			i++
			continue
		}
		// An argument that is nil is there, but most verbs reject it.
		arg++
		if isNone(L, arg) {
			argError(L, arg, "no value")
		}
		c, end := scanConversion(L, f, i)
		out = appendArgument(L, out, &c, arg)
		l.checkLength(L, len(out))
		i = end
	}
	return l.pushBuffer(L, out)
}

// scanConversion reads the conversion that starts at i, behind the %, and returns the index behind it. The verb is 0 if
// the format ends before it.
func scanConversion(L *lua.LState, f string, i int) (c conversion, end int) {
	start := i
	for ; i < len(f) && strings.IndexByte(formatFlags, f[i]) >= 0; i++ {
		c.setFlag(f[i])
	}
	if i-start > len(formatFlags) {
		raise(L, "invalid format (repeated flags)")
	}
	c.width, i = scanTwoDigits(f, i)
	c.precision = -1
	if i < len(f) && f[i] == '.' {
		c.precision, i = scanTwoDigits(f, i+1)
	}
	if i < len(f) && isDigit(f[i]) {
		raise(L, "invalid format (width or precision too long)")
	}
	if i < len(f) {
		c.verb = f[i]
	}
	return c, i + 1
}

// setFlag sets one flag; setting it twice has no effect.
func (c *conversion) setFlag(flag byte) {
	switch flag {
	case '-':
		c.minus = true
	case '+':
		c.plus = true
	case ' ':
		c.space = true
	case '#':
		c.alternate = true
	case '0':
		c.zero = true
	}
}

// scanTwoDigits reads up to two digits, 0 if there is none.
func scanTwoDigits(f string, i int) (n, end int) {
	for end = i; end < len(f) && end < i+2 && isDigit(f[end]); end++ {
		n = n*10 + int(f[end]-'0')
	}
	return n, end
}

// appendArgument writes argument n by its conversion. Verbs that C has but Lua does not, such as p, are errors.
func appendArgument(L *lua.LState, out []byte, c *conversion, n int) []byte {
	switch c.verb {
	case 'c':
		return appendChar(out, c, byte(toCInt(CheckNumber(L, n))))
	case 'd', 'i':
		return c.appendInteger(out, num.Int64(CheckNumber(L, n)))
	case 'o', 'u', 'x', 'X':
		return c.appendUnsigned(out, num.Uint64(CheckNumber(L, n)))
	case 'e', 'E', 'f', 'g', 'G':
		return c.appendFloat(out, CheckNumber(L, n))
	case 'q':
		return appendQuoted(out, CheckString(L, n))
	case 's':
		s := CheckString(L, n)
		if c.precision < 0 && len(s) >= longString {
			return append(out, s...)
		}
		return c.appendString(out, cString(s))
	case 0:
		raise(L, "invalid option '%s' to 'format'", "%")
	}
	raise(L, "invalid option '%%%c' to 'format'", c.verb)
	return out
}

// appendChar writes %c. Lua takes what C has written up to its first NUL, so that character 0 writes only the padding
// before it.
func appendChar(out []byte, c *conversion, char byte) []byte {
	if char == 0 {
		if c.minus {
			return out
		}
		return appendRepeated(out, ' ', c.width-1)
	}
	c.precision = -1
	return c.appendString(out, string([]byte{char}))
}

// appendQuoted writes %q: a literal that Lua reads back. Width and precision have no effect.
func appendQuoted(out []byte, s string) []byte {
	out = append(out, '"')
	for i := range len(s) {
		switch c := s[i]; c {
		case '"', '\\', '\n':
			out = append(out, '\\', c)
		case '\r':
			out = append(out, `\r`...)
		case 0:
			out = append(out, `\000`...)
		default:
			out = append(out, c)
		}
	}
	return append(out, '"')
}
