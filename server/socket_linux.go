package server

import (
	"net"
	"sync"
	"syscall"
)

// socket is what goroutines other than the one that serves a connection may touch of it, besides its outbox: the descriptor, the loop
// it belongs to, and the signals for the one that serves it. All methods are safe for concurrent use.
type socket struct {
	driver *epollDriver

	mu       sync.Mutex // guards what follows
	fd       int        // -1 once closed
	loop     *loop
	armed    uint32 // the events asked for; while detached, those to ask for afterwards
	asked    signal // what the loop is to do for the connection
	queued   bool   // the loop has it in its queue
	detached bool   // a goroutine that has lost the loop serves it
}

// signal is a set of things to be done for a connection.
type signal uint8

const (
	signalWake  signal = 1 << iota // see conn.resume
	signalWrite                    // there is something in the outbox, and nobody writes it
	signalKill                     // close it
)

// signal makes the loop serve the connection. It may be called under any lock.
func (s *socket) signal(what signal) {
	s.mu.Lock()
	s.asked |= what
	enqueue, l := !s.queued, s.loop
	s.queued = true
	s.mu.Unlock()
	if enqueue {
		l.enqueue(s.driver) // it keeps the connection until it has taken the signals
	}
}

// takeSignals returns what the loop is to do. While the connection is detached that is nothing: see attach.
func (s *socket) takeSignals() (what signal) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.queued = false
	if s.detached {
		return 0
	}
	what, s.asked = s.asked, 0
	return what
}

// arm asks for other events than before.
func (s *socket) arm(events uint32) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.armed == events {
		return true
	}
	s.armed = events
	return s.detached || s.loop.control(syscall.EPOLL_CTL_MOD, s.fd, events) == nil
}

// asks reports whether a signal has still to be served.
func (s *socket) asks(what signal) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.asked&what != 0
}

// detach takes the connection from its loop if that still serves it.
func (s *socket) detach() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.loop.current.CompareAndSwap(s.driver, nil) {
		return false
	}
	s.detached = true
	if s.fd >= 0 {
		_ = s.loop.control(syscall.EPOLL_CTL_DEL, s.fd, 0) // else a hang-up would keep the loop awake
		s.loop.forget(s.fd)
	}
	return true
}

// attach gives the connection back to its loop, with the signals that have come meanwhile. It reports false if the loop has been closed.
func (s *socket) attach() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	ok := s.loop.add(s.driver, s.fd, s.armed)
	s.detached = !ok
	if ok && s.asked != 0 && !s.queued {
		s.queued = true
		s.loop.enqueue(s.driver)
	}
	return ok
}

// moveTo makes another loop serve the connection, unless this one has still something to do for it.
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
	if !other.add(s.driver, s.fd, s.armed) {
		s.loop = own
		_ = own.add(s.driver, s.fd, s.armed)
	}
}

// tryWrite writes what the socket takes. The goroutine that calls it need not be the one that serves the connection.
func (s *socket) tryWrite(list [][]byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.fd < 0 {
		return 0, syscall.EBADF
	}
	return transmitAll(s.fd, list)
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
