package lualib

// The character classes of C's ctype.h in the "C" locale: bytes from 128 belong to none.

func isDigit(c byte) bool { return c-'0' < 10 }

func isLower(c byte) bool { return c-'a' < 26 }

func isUpper(c byte) bool { return c-'A' < 26 }

func isAlpha(c byte) bool { return isLower(c | 0x20) }

func isAlnum(c byte) bool { return isAlpha(c) || isDigit(c) }

func isHexDigit(c byte) bool { return isDigit(c) || c|0x20-'a' < 6 }

func isSpace(c byte) bool { return c == ' ' || c-'\t' < 5 }

func isControl(c byte) bool { return c < ' ' || c == 127 }

func isPunct(c byte) bool { return c > ' ' && c < 127 && !isAlnum(c) }

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
