//go:build linux

package server

import (
	"os"
	"slices"
)

// A server has one loop unless io-threads asks for more: it serves requests nearly always in the order in which they come, on whatever
// connection, as Redis does, and the more of them are ready at a time the less each costs.

// pickLoop returns the loop for the next connection: a new one while there may be more, then the one that has the fewest.
func (s *Server) pickLoop() (*loop, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if int64(len(s.loops)) < s.env.Config.IOThreads() {
		return s.addLoop()
	}
	return slices.MinFunc(s.loops, func(a, b *loop) int { return a.load() - b.load() }), nil
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
	s.spawn(l.run)
	return l, nil
}

// dropLoop gives no more connections to a loop that ends.
func (s *Server) dropLoop(l *loop) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.loops = slices.DeleteFunc(s.loops, func(other *loop) bool { return other == l })
}

// load is the number of connections.
func (l *loop) load() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.conns)
}
