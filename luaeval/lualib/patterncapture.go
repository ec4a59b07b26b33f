package lualib

import lua "github.com/yuin/gopher-lua"

// Captures are numbered by their opening parentheses. Each of the functions that open or close one matches the rest of
// the pattern itself, and takes the change back if that fails.

// openCapture matches the ( at p, or the position capture (), and the rest of the pattern.
func (m *matcher) openCapture(s, p int) int {
	length := captureOpen
	if p++; m.at(p) == ')' {
		length = capturePosition
		p++
	}
	if m.level >= maxCaptures {
		raise(m.L, "too many captures")
	}
	m.captures[m.level] = capture{s, length}
	m.level++
	end := m.match(s, p)
	if end < 0 {
		m.level--
	}
	return end
}

// closeCapture ends the last open capture at s and matches the rest of the pattern from p.
func (m *matcher) closeCapture(s, p int) int {
	i := m.lastOpen()
	m.captures[i].length = s - m.captures[i].start
	end := m.match(s, p)
	if end < 0 {
		m.captures[i].length = captureOpen
	}
	return end
}

// lastOpen returns the capture that a ) belongs to.
func (m *matcher) lastOpen() int {
	for i := m.level - 1; i >= 0; i-- {
		if m.captures[i].length == captureOpen {
			return i
		}
	}
	raise(m.L, "invalid pattern capture")
	return 0
}

// matchReference matches %1 to %9: once more what the capture with that digit has matched. The capture must be closed.
func (m *matcher) matchReference(s int, digit byte) int {
	i := int(digit) - '1'
	if i < 0 || i >= m.level || m.captures[i].length == captureOpen {
		raise(m.L, "invalid capture index")
	}
	c := m.captures[i]
	if c.length < 0 || len(m.subject)-s < c.length {
		return -1 // C compares with a position capture's length as a huge one
	}
	m.library.ticks(m.L, c.length)
	if m.subject[s:s+c.length] != m.subject[c.start:c.start+c.length] {
		return -1
	}
	return s + c.length
}

// value returns capture i of a match from start to end; a pattern without captures has the whole match as its first. A
// position counts from 1.
func (m *matcher) value(i, start, end int) lua.LValue {
	if i >= m.level {
		if i != 0 {
			raise(m.L, "invalid capture index")
		}
		return stringValue(m.subject[start:end])
	}
	switch c := m.captures[i]; c.length {
	case capturePosition:
		return number(float64(c.start + 1))
	case captureOpen:
		raise(m.L, "unfinished capture")
		return lua.LNil
	default:
		return stringValue(m.subject[c.start : c.start+c.length])
	}
}

// push pushes all captures, or the whole match when whole is set and there are none, and returns how many.
func (m *matcher) push(start, end int, whole bool) int {
	n := m.level
	if n == 0 && whole {
		n = 1
	}
	for i := range n {
		m.L.Push(m.value(i, start, end))
	}
	return n
}
