//go:build linux

package server

import (
	"os"
	"runtime"
	"syscall"
)

// A server begins with one loop: it serves requests in the order in which they come, on whatever connection, and the more of them
// are ready at a time the less each costs. Only when it has no moment of rest any more, another loop takes over half of its
// connections, up to a loop for each core.

// maxLoops bounds the number of loops.
const maxLoops = 4

// pickLoop returns the loop for the next connection: the one with the fewest.
func (s *Server) pickLoop() (*loop, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var least *loop
	for _, l := range s.loops {
		if least == nil || l.load() < least.load() {
			least = l
		}
	}
	if least != nil {
		return least, nil
	}
	return s.addLoop()
}

// addLoop starts another loop. It is called with mu held.
func (s *Server) addLoop() (*loop, error) {
	if s.closed {
		return nil, os.ErrClosed
	}
	l, err := newLoop(s)
	if err != nil {
		return nil, err
	}
	s.loops = append(s.loops, l)
	s.work.Go(l.run)
	return l, nil
}

// relieve has a loop that can't keep up give half of its connections to one with far fewer, or to a new one.
func (s *Server) relieve(busy *loop) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed || busy.load() < 2 {
		return
	}
	for _, l := range s.loops {
		if 2*l.load() < busy.load() {
			busy.heir.Store(l)
			return
		}
	}
	if len(s.loops) >= loopLimit() {
		return
	}
	if l, err := s.addLoop(); err == nil {
		busy.heir.Store(l)
	}
}

// loopLimit is how many loops there may be.
func loopLimit() int { return min(maxLoops, runtime.GOMAXPROCS(0), runtime.NumCPU()) }

// load is the number of connections.
func (l *loop) load() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.conns)
}

// share gives half of the connections to another loop. It runs between two rounds, when none of them is being served.
func (l *loop) share(heir *loop) {
	l.mu.Lock()
	half := make([]*epollDriver, 0, len(l.conns)/2)
	for _, d := range l.conns {
		if len(half) == cap(half) {
			break
		}
		half = append(half, d)
	}
	l.mu.Unlock()
	for _, d := range half {
		d.moveTo(heir)
	}
}

// moveTo makes another loop serve the connection, unless this one is still asked to do something for it.
func (d *epollDriver) moveTo(other *loop) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.queued || d.away.Load() || d.fd < 0 {
		return
	}
	own := d.loop
	_ = own.control(syscall.EPOLL_CTL_DEL, d.fd, 0)
	own.forget(d.fd)
	d.loop = other
	if !other.add(d) {
		d.loop = own
		_ = own.add(d)
	}
}
