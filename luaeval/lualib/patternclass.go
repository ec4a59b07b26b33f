package lualib

// itemEnd returns the index behind the single character, class or set at p.
func (m *matcher) itemEnd(p int) int {
	switch m.pattern[p] {
	case patternEscape:
		if p+1 == len(m.pattern) {
			raise(m.L, "malformed pattern (ends with '%s')", "%")
		}
		return p + 2
	case '[':
		return m.setEnd(p + 1)
	}
	return p + 1
}

// setEnd returns the index behind the ] of the set that begins before p. A ] right at its beginning is a member.
func (m *matcher) setEnd(p int) int {
	if m.at(p) == '^' {
		p++
	}
	for first := p; p == first || m.at(p) != ']'; p++ {
		if p >= len(m.pattern) {
			raise(m.L, "malformed pattern (missing ']')")
		}
		if m.pattern[p] == patternEscape && p+1 < len(m.pattern) {
			p++
		}
	}
	return p + 1
}

// matchSingle reports whether the item from p to end matches the character c.
func (m *matcher) matchSingle(c byte, p, end int) bool {
	switch m.pattern[p] {
	case '.':
		return true
	case patternEscape:
		return matchClass(c, m.pattern[p+1])
	case '[':
		return m.matchSet(c, p, end-1)
	}
	return m.pattern[p] == c
}

// matchSet reports whether c is in the set whose brackets are at p and last: characters, classes and ranges such as
// a-z, or after ^ all others. A - at either end is a character.
func (m *matcher) matchSet(c byte, p, last int) bool {
	inside := true
	if p++; m.at(p) == '^' {
		inside = false
		p++
	}
	for ; p < last; p++ {
		switch {
		case m.pattern[p] == patternEscape:
			p++
			if matchClass(c, m.at(p)) {
				return inside
			}
		case m.pattern[p+1] == '-' && p+2 < last:
			if m.pattern[p] <= c && c <= m.pattern[p+2] {
				return inside
			}
			p += 2
		case m.pattern[p] == c:
			return inside
		}
	}
	return !inside
}

// matchClass reports whether c is in the class that a letter behind % names; an upper-case letter names the complement.
// Any other character behind % stands for itself, magic or not.
func matchClass(c, class byte) bool {
	var in bool
	switch class | 0x20 {
	case 'a':
		in = isAlpha(c)
	case 'c':
		in = isControl(c)
	case 'd':
		in = isDigit(c)
	case 'l':
		in = isLower(c)
	case 'p':
		in = isPunct(c)
	case 's':
		in = isSpace(c)
	case 'u':
		in = isUpper(c)
	case 'w':
		in = isAlnum(c)
	case 'x':
		in = isHexDigit(c)
	case 'z':
		in = c == 0
	default:
		return class == c
	}
	if !isAlpha(class) { // with bit 0x20 set it was taken for a letter
		return class == c
	}
	return in != isUpper(class)
}
