package server

import (
	"net"
	"syscall"

	"github.com/minilockd/minilockd/internal/lockrank"
)

// socket is the part of a connection that other goroutines than the one that serves it may use, in addition to the
// outbox: the descriptor, its loop, and signals. All methods are safe for concurrent use.
type socket struct {
	driver *epollDriver

	mu       lockrank.Mutex[lockrank.Socket] // guards what follows
	fd       int                             // -1 once closed
	loop     *loop
	watched  uint32 // the events registered for; while detached, those to register for afterwards
	signals  signal // signals to serve
	queued   bool   // it is in loop.queue
	detached bool   // a goroutine that no longer runs the loop serves it
}

// signal is a set of requests to the goroutine that serves a connection.
type signal uint8

const (
	signalWake  signal = 1 << iota // see conn.resume
	signalWrite                    // the outbox has a writer: the loop
	signalKill                     // close it
	signalReady                    // transfer allows more than before
)

// signal makes the loop serve the connection. It may be called under any lock.
func (s *socket) signal(what signal) {
	s.mu.Lock()
	s.signals |= what
	enqueue, l := !s.queued, s.loop
	s.queued = true
	s.mu.Unlock()
	if enqueue {
		l.enqueue(s.driver) // the loop can't change until it has taken the signals
	}
}

// takeSignals returns the signals to serve: none while the connection is detached, see attach.
func (s *socket) takeSignals() (what signal) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.queued = false
	if s.detached {
		return 0
	}
	what, s.signals = s.signals, 0
	return what
}

// watch registers for other events.
func (s *socket) watch(events uint32) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.watched == events {
		return true
	}
	s.watched = events
	return s.detached || s.loop.control(syscall.EPOLL_CTL_MOD, s.fd, events) == nil
}

// hasSignal reports whether a signal is waiting.
func (s *socket) hasSignal(what signal) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.signals&what != 0
}

// detach removes the connection from its loop if the loop still serves it.
func (s *socket) detach() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.loop.current.CompareAndSwap(s.driver, nil) {
		return false
	}
	s.detached = true
	if s.fd >= 0 {
		_ = s.loop.control(syscall.EPOLL_CTL_DEL, s.fd, 0) // else EPOLLHUP would be reported again and again
		s.loop.forget(s.fd)
	}
	return true
}

// attach returns the connection to its loop, with the signals since detach. It reports false if the loop is closed.
func (s *socket) attach() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	ok := s.loop.add(s.driver, s.fd, s.watched)
	s.detached = !ok
	if ok && s.signals != 0 && !s.queued {
		s.queued = true
		s.loop.enqueue(s.driver)
	}
	return ok
}

// moveTo makes another loop serve the connection, unless it has signals.
func (s *socket) moveTo(other *loop) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.queued || s.detached || s.fd < 0 {
		return
	}
	own := s.loop
	_ = own.control(syscall.EPOLL_CTL_DEL, s.fd, 0)
	own.forget(s.fd)
	s.loop = other
	if !other.add(s.driver, s.fd, s.watched) {
		s.loop = own
		_ = own.add(s.driver, s.fd, s.watched)
	}
}

// tryWrite writes what the socket takes. Any goroutine may call it.
func (s *socket) tryWrite(list [][]byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.fd < 0 {
		return 0, syscall.EBADF
	}
	return sendAll(s.fd, list)
}

// close closes the descriptor, once.
func (s *socket) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.fd < 0 {
		return
	}
	s.loop.forget(s.fd)
	_ = syscall.Close(s.fd)
	s.fd = -1
}

// takeDescriptor duplicates the descriptor of a connection; the duplicate is non-blocking as the original is.
func takeDescriptor(nc net.Conn) (fd int, ok bool) {
	sc, ok := nc.(syscall.Conn)
	if !ok {
		return 0, false
	}
	raw, err := sc.SyscallConn()
	if err != nil {
		return 0, false
	}
	var errno syscall.Errno
	err = raw.Control(func(old uintptr) {
		var dup uintptr
		dup, _, errno = syscall.RawSyscall(syscall.SYS_FCNTL, old, syscall.F_DUPFD_CLOEXEC, 0)
		fd = int(dup)
	})
	return fd, err == nil && errno == 0
}
