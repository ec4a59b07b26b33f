package lualib

// The character classes of ctype.h in the locale "C", in which Redis runs: bytes from 128 on belong to none.
// Differences of bytes wrap around, so one comparison checks both ends of a range.

func isDigit(c byte) bool { return c-'0' < 10 }

func isLower(c byte) bool { return c-'a' < 26 }

func isUpper(c byte) bool { return c-'A' < 26 }

func isAlpha(c byte) bool { return isLower(c | 0x20) }

func isAlnum(c byte) bool { return isAlpha(c) || isDigit(c) }

func isHexDigit(c byte) bool { return isDigit(c) || c|0x20-'a' < 6 }

func isSpace(c byte) bool { return c == ' ' || c-'\t' < 5 }

func isControl(c byte) bool { return c < ' ' || c == 127 }

func isPunct(c byte) bool { return c > ' ' && c < 127 && !isAlnum(c) }

// toLower and toUpper change the ASCII letters only.
func toLower(c byte) byte {
	if isUpper(c) {
		return c + 'a' - 'A'
	}
	return c
}

func toUpper(c byte) byte {
	if isLower(c) {
		return c - 'a' + 'A'
	}
	return c
}
