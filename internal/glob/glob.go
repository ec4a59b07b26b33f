// Package glob matches strings with the patterns of KEYS, SCAN and PSUBSCRIBE: * ? [abc] [^a-z] and \ before a
// character that is meant literally (KEYS command page). It works on bytes.
package glob

// maxStars bounds the recursion of Redis. Stars in a row count once.
const maxStars = 1000

// Match reports whether s matches pattern. It needs no memory, and time in the product of both lengths at worst: if the
// text behind a star does not match, the star takes one byte more and the rest is tried again. Only the last star is
// ever tried again: what matched before it matches as well however many bytes an earlier star takes, so an earlier one
// cannot help. As in Redis nothing matches more than maxStars stars, but for one at the end.
func Match(pattern, s string) bool {
	p, i := 0, 0
	star, mark := -1, 0 // position of the last star, and up to where in s it matches so far
	for stars := 0; i < len(s); {
		if p < len(pattern) && pattern[p] == '*' {
			if star < 0 || p > star+1 {
				stars++
			}
			star, mark = p, i
			p++
			if stars > maxStars && p < len(pattern) && pattern[p] != '*' {
				return false
			}
			continue
		}
		if p < len(pattern) {
			if ok, width := matchOne(pattern[p:], s[i]); ok {
				p += width
				i++
				continue
			}
		}
		if star < 0 {
			return false
		}
		mark++
		p, i = star+1, mark
	}
	for p < len(pattern) && pattern[p] == '*' {
		p++
	}
	return p == len(pattern)
}

// matchOne matches one byte with the first unit of the pattern and returns the unit's width.
func matchOne(pattern string, c byte) (ok bool, width int) {
	switch {
	case pattern[0] == '?':
		return true, 1
	case pattern[0] == '[':
		return matchClass(pattern, c)
	case pattern[0] == '\\' && len(pattern) > 1:
		return pattern[1] == c, 2
	}
	return pattern[0] == c, 1
}

// matchClass matches [...]; a class that is not closed ends with the pattern. The ends of a range may be in either
// order. Upper and lower case differ, and a backslash makes ] a character of the class.
func matchClass(pattern string, c byte) (ok bool, width int) {
	p := 1
	negated := p < len(pattern) && pattern[p] == '^'
	if negated {
		p++
	}
	found := false
	for p < len(pattern) && pattern[p] != ']' {
		switch {
		case pattern[p] == '\\' && p+1 < len(pattern):
			p++
			found = found || pattern[p] == c
		case p+2 < len(pattern) && pattern[p+1] == '-':
			low, high := min(pattern[p], pattern[p+2]), max(pattern[p], pattern[p+2])
			p += 2
			found = found || (low <= c && c <= high)
		default:
			found = found || pattern[p] == c
		}
		p++
	}
	return found != negated, min(p+1, len(pattern))
}
