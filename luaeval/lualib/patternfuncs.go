package lualib

import (
	"strings"

	lua "github.com/yuin/gopher-lua"

	"github.com/minilockd/minilockd/luaeval/luafront"
)

// find with a pattern that has no magic characters is a plain search, which is much faster. All others try the pattern
// at one position after the other, unless it is anchored. The buffer of gsub is that of the library: a replacement
// function that calls gsub gets another one.

// patternSpecials are the characters without which a pattern is plain text.
const patternSpecials = "^$*+?.([%-"

// find is string.find(s, pattern, init, plain): the first and the last position of a match, and the captures.
func (l *library) find(L *lua.LState) int { return l.search(L, true) }

// match is string.match(s, pattern, init): the captures of a match, or all of it if there are none.
func (l *library) match(L *lua.LState) int { return l.search(L, false) }

// search is find and match: nil without a match. init may count from the end of the subject, and is limited to it.
func (l *library) search(L *lua.LState, find bool) int {
	subject, pattern := CheckString(L, 1), CheckString(L, 2)
	s := min(max(position(optInteger(L, 3, 1), len(subject))-1, 0), len(subject))
	if find && (isTrue(L.Get(4)) || !strings.ContainsAny(cString(pattern), patternSpecials)) {
		return findPlain(L, subject, pattern, s)
	}
	var m matcher
	m.prepare(l, L, subject, pattern, true)
	for ; s <= len(subject); s++ {
		if end := m.start(s); end >= 0 {
			if !find {
				return m.push(s, end, true)
			}
			pushInt(L, s+1)
			pushInt(L, end)
			return m.push(s, end, false) + 2
		}
		if m.anchored {
			break
		}
	}
	L.Push(lua.LNil)
	return 1
}

// findPlain finds a text that is no pattern. It may contain NULs.
func findPlain(L *lua.LState, subject, text string, s int) int {
	i := strings.Index(subject[s:], text)
	if i < 0 {
		L.Push(lua.LNil)
		return 1
	}
	pushInt(L, s+i+1)
	pushInt(L, s+i+len(text))
	return 2
}

// gmatch is string.gmatch(s, pattern): an iterator over the matches, which returns their captures. In Lua 5.1 it does
// not support the anchor: ^ is a character. After an empty match it moves one character further.
func (l *library) gmatch(L *lua.LState) int {
	subject, pattern := CheckString(L, 1), CheckString(L, 2)
	next := 0
	L.Push(L.NewFunction(func(L *lua.LState) int {
		var m matcher
		m.prepare(l, L, subject, pattern, false)
		for s := next; s <= len(subject); s++ {
			if end := m.start(s); end >= 0 {
				next = end
				if end == s {
					next++
				}
				return m.push(s, end, true)
			}
		}
		next = len(subject) + 1
		return 0
	}))
	return 1
}

// gsub is string.gsub(s, pattern, replacement, n): the text with up to n matches replaced, by default all, and how many
// there were. An empty match is replaced, too; then the next character is copied.
func (l *library) gsub(L *lua.LState) int {
	subject, pattern := CheckString(L, 1), CheckString(L, 2)
	replacement := L.Get(3)
	limit := optInt(L, 4, len(subject)+1)
	switch replacement.(type) {
	case lua.LNumber, lua.LString, *lua.LFunction, *lua.LTable:
	default:
		argError(L, 3, "string/function/table expected")
	}
	var m matcher
	m.prepare(l, L, subject, pattern, true)
	out := l.takeBuffer()
	s, n := 0, 0
	for n < limit {
		l.tick(L)
		end := m.start(s)
		if end >= 0 {
			n++
			out = m.replace(out, replacement, s, end)
			l.checkLength(L, len(out))
		}
		if end > s {
			s = end
		} else if s < len(subject) {
			out = append(out, subject[s])
			s++
		} else {
			break
		}
		if m.anchored {
			break
		}
	}
	l.pushBuffer(L, append(out, subject[s:]...))
	pushInt(L, n)
	return 2
}

// replace appends the replacement for the match from start to end: a string or number is expanded, a function gets the
// captures, a table is indexed by the first of them. If they give nil or false the match stays.
func (m *matcher) replace(out []byte, replacement lua.LValue, start, end int) []byte {
	var v lua.LValue
	switch r := replacement.(type) {
	case *lua.LFunction:
		m.L.Push(r)
		m.L.Call(m.push(start, end, true), 1)
		v = m.L.Get(-1)
		m.L.Pop(1)
	case *lua.LTable:
		v, _ = luafront.Index(m.L, r, m.value(0, start, end))
	case lua.LNumber:
		return m.expand(out, FormatNumber(float64(r)), start, end)
	case lua.LString:
		return m.expand(out, string(r), start, end)
	}
	if !isTrue(v) {
		return append(out, m.subject[start:end]...)
	}
	return m.appendValue(out, v)
}

// appendValue appends a capture, or the result of a replacement table or function, which must be a string or a number.
func (m *matcher) appendValue(out []byte, v lua.LValue) []byte {
	switch v := v.(type) {
	case lua.LString:
		return append(out, v...)
	case lua.LNumber:
		return AppendNumber(out, float64(v))
	}
	raise(m.L, "invalid replacement value (a %s)", v.Type().String())
	return out
}

// expand appends a replacement text: %0 is the match, %1 to %9 are captures, and any other character behind % stands
// for itself.
func (m *matcher) expand(out []byte, text string, start, end int) []byte {
	for i := 0; i < len(text); i++ {
		if text[i] != patternEscape {
			out = append(out, text[i])
			continue
		}
		i++
		switch {
		case i == len(text):
			out = append(out, 0) // the NUL at the end of a C string
		case !isDigit(text[i]):
			out = append(out, text[i])
		case text[i] == '0':
			out = append(out, m.subject[start:end]...)
		default:
			out = m.appendValue(out, m.value(int(text[i]-'1'), start, end))
		}
	}
	return out
}
