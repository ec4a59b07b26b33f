package server

// maxQuickWords bounds the number of arguments that quick parses in vain if they were not received in one piece.
const maxQuickWords = 64

// quick is the fast path of next for almost every request: an array of short arguments that was received as a whole.
// For anything else it returns nil and consumes nothing.
func (r *request) quick() [][]byte {
	rest := r.buf[r.pos:]
	count, at := shortHeader(rest, '*')
	if at == 0 || count == 0 || count > maxQuickWords || count > maxUnauthedWords && !r.authenticated() {
		return nil
	}
	args := r.args[:0]
	if r.endsChecked && rest[at-1] != '\n' {
		return nil
	}
	for range count {
		size, width := shortHeader(rest[at:], '$')
		end := at + width + size
		if width == 0 || end+2 > len(rest) {
			return nil
		}
		if r.endsChecked && (rest[at+width-1] != '\n' || rest[end] != '\r' || rest[end+1] != '\n') {
			return nil
		}
		args = append(args, rest[at+width:end:end])
		at = end + 2
	}
	r.pos += at
	r.args = args
	return args
}

// shortHeader reads a type byte, a number of up to four digits without leading zeros, and CR LF. It returns the number
// and the width of all three, or width 0 for anything else.
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
