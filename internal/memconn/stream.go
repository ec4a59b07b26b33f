package memconn

import (
	"io"
	"sync"
	"time"

	"github.com/minilockd/minilockd/internal/clock"
	"github.com/minilockd/minilockd/internal/lockrank"
)

// room is the largest number of bytes that wait to be read: about as many as a socket of the loopback interface keeps.
const room = 64 << 10

// stream is one direction of a connection.
type stream struct {
	mu      lockrank.Mutex[lockrank.MemoryConn] // guards all fields
	buf     []byte
	from    int  // of the first byte in buf that was not read
	writing bool // a write has begun, and others wait for their turn
	reader  end
	writer  end
}

// end is what a stream keeps for the reader or for the writer.
type end struct {
	look   sync.Cond // tells who waits to look again
	closed bool
	by     deadline
}

func newStream() *stream {
	s := new(stream)
	s.reader.look.L, s.writer.look.L = &s.mu, &s.mu
	return s
}

func (s *stream) read(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for {
		switch {
		case s.reader.closed:
			return 0, errClosed
		case s.reader.by.passed():
			return 0, errTooLate
		case s.from < len(s.buf):
			return s.takeLocked(b), nil
		case len(b) == 0:
			return 0, nil
		case s.writer.closed:
			return 0, io.EOF
		}
		s.waitLocked(&s.reader)
	}
}

// takeLocked moves bytes from the buffer to b.
func (s *stream) takeLocked(b []byte) int {
	full := len(s.buf)-s.from >= room
	n := copy(b, s.buf[s.from:])
	if s.from += n; s.from == len(s.buf) {
		s.buf, s.from = s.buf[:0], 0
	}
	if full && n > 0 {
		s.writer.look.Broadcast()
	}
	return n
}

func (s *stream) write(b []byte) (n int, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for s.writing {
		if err := s.writableLocked(); err != nil {
			return 0, err
		}
		s.waitLocked(&s.writer)
	}
	s.writing = true
	defer func() {
		s.writing = false
		s.writer.look.Broadcast()
		s.reader.look.Broadcast()
	}()
	for {
		if err := s.writableLocked(); err != nil {
			return n, err
		}
		n += s.putLocked(b[n:])
		if n == len(b) {
			return n, nil
		}
		s.reader.look.Broadcast()
		s.waitLocked(&s.writer)
	}
}

// writableLocked returns the error of a write that would begin now.
func (s *stream) writableLocked() error {
	switch {
	case s.writer.closed:
		return errClosed
	case s.writer.by.passed():
		return errTooLate
	case s.reader.closed:
		return errNoReader
	}
	return nil
}

// putLocked adds as much of b to the buffer as there is room for.
func (s *stream) putLocked(b []byte) int {
	n := min(len(b), room-(len(s.buf)-s.from))
	if s.from > 0 && len(s.buf)+n > cap(s.buf) {
		s.buf = s.buf[:copy(s.buf, s.buf[s.from:])]
		s.from = 0
	}
	s.buf = append(s.buf, b[:n]...)
	return n
}

// waitLocked waits until there is something to look at, or the deadline has passed.
func (s *stream) waitLocked(e *end) {
	if !e.by.at.IsZero() {
		e.by.schedule(e)
	}
	e.look.Wait()
}

func (s *stream) closeReader() { s.close(&s.reader) }
func (s *stream) closeWriter() { s.close(&s.writer) }

func (s *stream) close(e *end) {
	s.mu.Lock()
	defer s.mu.Unlock()
	e.closed = true
	e.by.stop()
	s.reader.look.Broadcast()
	s.writer.look.Broadcast()
}

// setDeadline sets the deadline of the reader or the writer.
func (s *stream) setDeadline(e *end, t time.Time) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if e.closed {
		return errClosed
	}
	e.by.at = t
	e.look.Broadcast()
	return nil
}

// deadline is when reads or writes end; the mutex of the stream guards it. Clients set one for each command, which
// needs no timer: only a goroutine that waits sets the timer, and sets it again if it fires too early.
type deadline struct {
	at    time.Time   // zero if there is none
	timer clock.Timer // nil until it is first used
	fires time.Time   // zero if the timer is not set
}

func (d *deadline) passed() bool { return !d.at.IsZero() && !clock.Real{}.Now().Before(d.at) }

// schedule makes the timer fire at the deadline, or before.
func (d *deadline) schedule(e *end) {
	if !d.fires.IsZero() && !d.at.Before(d.fires) {
		return
	}
	d.fires = d.at
	after := d.at.Sub(clock.Real{}.Now())
	if d.timer != nil {
		d.timer.Reset(after)
		return
	}
	d.timer = clock.Real{}.AfterFunc(after, func() {
		e.look.L.Lock()
		defer e.look.L.Unlock()
		d.fires = time.Time{}
		e.look.Broadcast()
	})
}

func (d *deadline) stop() {
	if d.timer != nil {
		d.timer.Stop()
	}
}
