package server

// maxQuickWords bounds how many words quick looks at again when they did not arrive in one piece.
const maxQuickWords = 64

// quick is next for what nearly every request is: an array of short words that has arrived as a whole. Anything else it leaves
// as it is, and returns nil.
func (r *request) quick() [][]byte {
	rest := r.buf[r.pos:]
	count, at := shortHeader(rest, '*')
	if at == 0 || count == 0 || count > maxQuickWords || count > maxUnauthedWords && !r.authed() {
		return nil
	}
	args := r.args[:0]
	for range count {
		size, width := shortHeader(rest[at:], '$')
		end := at + width + size
		if width == 0 || end+2 > len(rest) {
			return nil
		}
		args = append(args, rest[at+width:end:end])
		at = end + 2
	}
	r.pos += at
	r.args = args
	return args
}

// shortHeader reads a mark, a number of up to four digits without zeros before it, and CR LF. The width is that of all of it, 0 if there is anything else.
func shortHeader(b []byte, mark byte) (n, width int) {
	if len(b) == 0 || b[0] != mark {
		return 0, 0
	}
	for i := 1; i < len(b) && i < 6; i++ {
		digit := b[i] - '0'
		switch {
		case digit <= 9:
			n = n*10 + int(digit)
		case b[i] == '\r' && i > 1 && i+1 < len(b) && (b[1] != '0' || i == 2):
			return n, i + 2
		default:
			return 0, 0
		}
	}
	return 0, 0
}
