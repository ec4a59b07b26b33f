package lualib

import (
	"strings"

	lua "github.com/yuin/gopher-lua"
)

// Patterns of Lua 5.1, by backtracking as in lstrlib.c. A pattern is not compiled: p is an index into it, s one into
// the subject, and the functions that match return the index behind the match, or -1. Faults of a pattern are found
// when the matcher comes to them, so a pattern with a fault may match before.

const (
	// maxCaptures is LUA_MAXCAPTURES.
	maxCaptures = 32
	// maxMatchDepth bounds recursion: one level for each item of the pattern that may have to be retried. C would overflow
	// its stack long before.
	maxMatchDepth = 200_000
	// patternEscape is L_ESC.
	patternEscape = '%'
)

// Lengths of captures that are no lengths: of one that is not closed yet, and of a position capture, ().
const (
	captureOpen     = -1
	capturePosition = -2
)

// capture is a part of the subject, or a position in it.
type capture struct {
	start, length int
}

// matcher matches one pattern against one subject, both as bytes. Patterns are Lua 5.1's: classes, sets, * + - ?, %b,
// %f, captures, back references. It backtracks, so that time may grow exponentially: each step is counted by
// library.tick.
type matcher struct {
	library  *library
	L        *lua.LState
	subject  string
	pattern  string // without its anchor, up to its first NUL
	anchored bool
	captures [maxCaptures]capture
	level    int // how many captures are in use
	depth    int
}

// prepare fills m. It removes an anchor only for functions that support anchors (gmatch does not). The pattern ends at
// a NUL, the subject does not.
func (m *matcher) prepare(l *library, L *lua.LState, subject, pattern string, anchors bool) {
	m.library, m.L, m.subject, m.pattern = l, L, subject, cString(pattern)
	if anchors && strings.HasPrefix(m.pattern, "^") {
		m.pattern, m.anchored = m.pattern[1:], true
	}
}

// start matches at s, forgetting all captures, and returns the end of the match or -1.
func (m *matcher) start(s int) int {
	m.level, m.depth = 0, 0
	return m.match(s, 0)
}

// at returns the byte p of the pattern, 0 behind its end.
func (m *matcher) at(p int) byte {
	if p < len(m.pattern) {
		return m.pattern[p]
	}
	return 0
}

// match matches the pattern from p on at s and returns the end of the match or -1. It bounds the recursion.
func (m *matcher) match(s, p int) int {
	if m.depth++; m.depth > maxMatchDepth {
		raise(m.L, "pattern too complex")
	}
	end := m.matchItems(s, p)
	m.depth--
	return end
}

// matchItems matches item after item. It calls match, and so recurses, only where the rest may have to be tried again.
// A $ is special at the end of the pattern only.
func (m *matcher) matchItems(s, p int) int {
	for p < len(m.pattern) {
		m.library.tick(m.L)
		switch c := m.pattern[p]; {
		case c == '(':
			return m.openCapture(s, p)
		case c == ')':
			return m.closeCapture(s, p+1)
		case c == '$' && p+1 == len(m.pattern):
			if s == len(m.subject) {
				return s
			}
			return -1
		case c == patternEscape && m.at(p+1) == 'b':
			s, p = m.matchBalance(s, p+2), p+4
		case c == patternEscape && m.at(p+1) == 'f':
			s, p = m.matchFrontier(s, p+2)
		case c == patternEscape && isDigit(m.at(p+1)):
			s, p = m.matchReference(s, m.pattern[p+1]), p+2
		default:
			var done bool
			if s, p, done = m.matchItem(s, p); done {
				return s
			}
		}
		if s < 0 {
			return -1
		}
	}
	return s
}

// matchItem matches a single character with its repetition. It is done when it has matched the rest of the pattern too,
// or nothing can: then newS is the result.
func (m *matcher) matchItem(s, p int) (newS, newP int, done bool) {
	end := m.itemEnd(p)
	// Checking a set takes time by its length, so each check counts for as many steps.
	m.library.ticks(m.L, end-p)
	hit := s < len(m.subject) && m.matchSingle(m.subject[s], p, end)
	switch m.at(end) {
	case '?':
		if hit {
			if result := m.match(s+1, end+1); result >= 0 {
				return result, 0, true
			}
		}
		return s, end + 1, false
	case '*':
		return m.matchMost(s, p, end), 0, true
	case '+':
		if !hit {
			return -1, 0, true
		}
		return m.matchMost(s+1, p, end), 0, true
	case '-':
		return m.matchLeast(s, p, end), 0, true
	}
	if !hit {
		return -1, 0, true
	}
	return s + 1, end, false
}

// matchMost repeats the item as often as it matches, but at least up to least, and then tries the rest of the pattern
// with one less each time.
func (m *matcher) matchMost(least, p, end int) int {
	s := least
	for s < len(m.subject) && m.matchSingle(m.subject[s], p, end) {
		m.library.ticks(m.L, end-p)
		s++
	}
	for ; s >= least; s-- {
		if result := m.match(s, end+1); result >= 0 {
			return result
		}
	}
	return -1
}

// matchLeast repeats the item no more often than the rest of the pattern needs.
func (m *matcher) matchLeast(s, p, end int) int {
	for {
		if result := m.match(s, end+1); result >= 0 {
			return result
		}
		if s >= len(m.subject) || !m.matchSingle(m.subject[s], p, end) {
			return -1
		}
		m.library.ticks(m.L, end-p)
		s++
	}
}

// matchBalance matches %bxy, x and y being at p: a part that starts with x and ends with y, and has as many of either.
func (m *matcher) matchBalance(s, p int) int {
	if p+1 >= len(m.pattern) {
		raise(m.L, "unbalanced pattern")
	}
	opening, closing := m.pattern[p], m.pattern[p+1]
	if s >= len(m.subject) || m.subject[s] != opening {
		return -1
	}
	open := 1
	for i := s + 1; i < len(m.subject); i++ {
		m.library.tick(m.L)
		switch m.subject[i] {
		case closing:
			if open--; open == 0 {
				return i + 1
			}
		case opening:
			open++
		}
	}
	return -1
}

// matchFrontier matches %f[set], the set being at p: the border between a character outside the set and one inside.
// Before and behind the subject there is a NUL.
func (m *matcher) matchFrontier(s, p int) (newS, newP int) {
	if m.at(p) != '[' {
		raise(m.L, "missing '[' after '%s' in pattern", "%f")
	}
	end := m.itemEnd(p)
	var before, after byte
	if s > 0 {
		before = m.subject[s-1]
	}
	if s < len(m.subject) {
		after = m.subject[s]
	}
	m.library.ticks(m.L, end-p)
	if m.matchSet(before, p, end-1) || !m.matchSet(after, p, end-1) {
		return -1, end
	}
	return s, end
}
