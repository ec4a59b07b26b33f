package server

import (
	"bytes"
	"errors"
	"fmt"
	"math"

	"github.com/minilockd/minilockd/internal/buffer"
	"github.com/minilockd/minilockd/internal/num"
)

// Limits of the protocol, as Redis has them.
const (
	maxInlineSize = 64 << 10 // of an inline request, and of the line of a count
	// What a client may send before it has authenticated.
	maxUnauthedWords = 10
	maxUnauthedBulk  = 16384
)

// request splits a stream of bytes into commands (RESP specification, and inline commands). It keeps its position in an
// incomplete command, so that each byte of a large command is parsed once, no matter in how many pieces it is received.
//
// It replaces redcon.ReadNextCommand, which panics on a negative length, starts over with each piece, and does not
// return Redis' errors.
type request struct {
	buf           []byte
	pos           int    // of the first byte not consumed
	missing       int    // arguments of a multibulk command not read yet; 0 between commands
	bulk          int    // length of the argument being read, -1 before its header
	words         []span // arguments of the command being read
	args          [][]byte
	inLoopBuffer  bool // buf belongs to the loop
	authenticated func() bool
	endsChecked   bool         // each line must end with CR LF, not only with CR and one more byte
	split         splitter     // of an inline command
	maxBulk       func() int64 // largest length of an argument (proto-max-bulk-len)
}

type span struct{ from, to int }

// splitter splits a line into words; ok is false if its quotes are not balanced.
type splitter func(line []byte) (words [][]byte, ok bool)

var (
	errUnbalancedQuotes = errors.New("unbalanced quotes in request")
	errLineEnd          = errors.New("invalid CRLF in request")
)

// space returns a buffer to read into; the caller reports the number of bytes with added.
func (r *request) space() []byte {
	if !r.partial() {
		r.buf, r.pos = r.buf[:0], 0
		if cap(r.buf) > buffer.Large && !r.inLoopBuffer {
			buffer.Drop(r.buf)
			r.buf = nil
		}
	}
	if cap(r.buf)-len(r.buf) < minRead {
		r.makeRoom(false)
	}
	return r.buf[len(r.buf):cap(r.buf)]
}

const minRead = 2 << 10

// makeRoom drops what was consumed and, if that is little or with move, allocates a new buffer, large enough for the
// argument being read if its size is known.
func (r *request) makeRoom(move bool) {
	start := r.pos
	if r.missing > 0 && len(r.words) > 0 {
		start = r.words[0].from
	}
	rest := r.buf[start:]
	if move || start < len(r.buf)/2 || start == 0 {
		old := r.buf
		r.buf = append(buffer.New(len(rest)+r.roomFor(len(rest))), rest...)
		if !move && !r.inLoopBuffer {
			buffer.Drop(old)
		}
	} else {
		r.buf = r.buf[:copy(r.buf, rest)]
	}
	r.pos -= start
	for i := range r.words {
		r.words[i].from -= start
		r.words[i].to -= start
	}
}

// maxAhead is the largest buffer that is allocated before its bytes are received.
const maxAhead = 1 << 20

// roomFor returns how much free space to allocate after kept bytes: the same size, so that growing is cheap, but no
// more than the argument being read needs.
func (r *request) roomFor(kept int) int {
	if r.bulk < 0 {
		return kept + 2*minRead
	}
	missing := max(r.bulk-(len(r.buf)-r.pos), 0)
	return min(missing, kept+maxAhead) + 2*minRead
}

// useBuffer makes the request read into the buffer of the loop until releaseBuffer, unless it keeps an incomplete
// command.
func (r *request) useBuffer(buf []byte) {
	if !r.partial() {
		r.buf, r.pos, r.inLoopBuffer = buf[:0], 0, true
	}
}

// releaseBuffer ends the use of the buffer of the loop: an incomplete command is copied. If there is none, the request
// keeps no buffer.
func (r *request) releaseBuffer() {
	inLoopBuffer := r.inLoopBuffer
	r.inLoopBuffer = false
	switch {
	case !r.partial():
		if !inLoopBuffer {
			buffer.Drop(r.buf)
		}
		r.buf, r.pos = nil, 0
	case inLoopBuffer:
		r.makeRoom(true)
	}
}

// partial reports whether there is an incomplete command.
func (r *request) partial() bool { return r.missing > 0 || r.pos < len(r.buf) }

func (r *request) added(n int) { r.buf = r.buf[:len(r.buf)+n] }

// next returns the arguments of the next complete command, or nil if more bytes are needed. They are valid until space
// is called. After an error the stream can't be parsed further.
func (r *request) next() ([][]byte, error) {
	for {
		if r.missing == 0 {
			if r.pos == len(r.buf) {
				return nil, nil
			}
			if r.buf[r.pos] != '*' {
				args, complete, err := r.inline()
				if err != nil || !complete || len(args) > 0 {
					return args, err
				}
				continue
			}
			if args := r.quick(); args != nil {
				return args, nil
			}
			more, err := r.begin()
			if err != nil || !more {
				return nil, err
			}
			continue
		}
		complete, err := r.word()
		if err != nil || !complete {
			return nil, err
		}
		if r.missing == 0 {
			return r.collect(), nil
		}
	}
}

// line consumes and returns the next line without its CR LF, or nil if it is incomplete.
func (r *request) line(what string) ([]byte, error) {
	rest := r.buf[r.pos:]
	cr := lineEnd(rest, '\r')
	if cr < 0 {
		if len(rest) > maxInlineSize {
			return nil, errors.New(what)
		}
		return nil, nil
	}
	if cr+1 >= len(rest) {
		return nil, nil
	}
	if r.endsChecked && rest[cr+1] != '\n' {
		return nil, errLineEnd
	}
	r.pos += cr + 2
	return rest[:cr:cr], nil
}

// lineEnd returns the index of the end of a line, or -1. Redis searches a C string, so nothing is found after a NUL.
func lineEnd(b []byte, end byte) int {
	at := bytes.IndexByte(b, end)
	if at >= 0 && bytes.IndexByte(b[:at], 0) >= 0 {
		return -1
	}
	return at
}

// begin reads "*count". It reports whether the line was complete; a count of 0 or less is an empty command, which is
// skipped.
func (r *request) begin() (bool, error) {
	line, err := r.line("too big mbulk count string")
	if line == nil {
		return false, err
	}
	n, ok := num.ParseInt(line[1:])
	switch {
	case !ok || n > math.MaxInt32:
		return false, errors.New("invalid multibulk length")
	case n > maxUnauthedWords && !r.authenticated():
		return false, errors.New("unauthenticated multibulk length")
	}
	r.missing, r.bulk, r.words = int(max(n, 0)), -1, r.words[:0]
	return true, nil
}

// word reads "$length" and the bytes of one argument. It reports whether they were complete.
func (r *request) word() (bool, error) {
	if r.bulk < 0 {
		if err := r.bulkHeader(); err != nil || r.bulk < 0 {
			return false, err
		}
	}
	if len(r.buf)-r.pos-2 < r.bulk {
		return false, nil
	}
	if end := r.pos + r.bulk; r.endsChecked && (r.buf[end] != '\r' || r.buf[end+1] != '\n') {
		return false, errLineEnd
	}
	r.words = append(r.words, span{r.pos, r.pos + r.bulk})
	r.pos += r.bulk + 2
	r.missing, r.bulk = r.missing-1, -1
	return true, nil
}

func (r *request) bulkHeader() error {
	line, err := r.line("too big bulk count string")
	if line == nil {
		return err
	}
	if len(line) == 0 || line[0] != '$' {
		got := byte('\r')
		if len(line) > 0 {
			got = line[0]
		}
		return fmt.Errorf("expected '$', got '%c'", got)
	}
	n, ok := num.ParseInt(line[1:])
	switch {
	case !ok || n < 0 || n > r.maxBulk() || n > math.MaxInt-2:
		return errors.New("invalid bulk length")
	case n > maxUnauthedBulk && !r.authenticated():
		return errors.New("unauthenticated bulk length")
	}
	r.bulk = int(n)
	return nil
}

func (r *request) collect() [][]byte {
	r.args = r.args[:0]
	for _, w := range r.words {
		r.args = append(r.args, r.buf[w.from:w.to:w.to])
	}
	r.words = r.words[:0]
	return r.args
}

// inline reads an inline command. It reports whether the line, which may be empty, was complete.
func (r *request) inline() (args [][]byte, complete bool, err error) {
	rest := r.buf[r.pos:]
	end := lineEnd(rest, '\n')
	switch {
	case max(end, 0) > maxInlineSize, end < 0 && len(rest) > maxInlineSize:
		return nil, false, errors.New("too big inline request")
	case end < 0:
		return nil, false, nil
	}
	r.pos += end + 1
	args, ok := r.split(bytes.TrimSuffix(rest[:end], []byte("\r")))
	if !ok {
		return nil, true, errUnbalancedQuotes
	}
	return args, true, nil
}
