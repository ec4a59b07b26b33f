//go:build linux

package server

import (
	"maps"
	"os"
	"runtime"
	"slices"
)

// A server begins with one loop: it serves requests nearly always in the order in which they come, on whatever connection, as
// Redis does, and the more of them are ready at a time the less each costs. Only when it has no moment of rest any more, another
// loop may take over half of its connections, up to a loop for each core: see balance.

// maxLoops bounds the number of loops.
const maxLoops = 4

// pickLoop returns the loop for the next connection: the one with the fewest, of those that have some.
func (s *Server) pickLoop() (*loop, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.loops) == 0 {
		return s.addLoop()
	}
	least := s.loops[0]
	for _, l := range s.loops[1:] {
		if load := l.load(); load > 0 && load < least.load() {
			least = l
		}
	}
	return least, nil
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

// relieve has a loop give half of its connections to one with far fewer, or to a new one. It reports whether there is one.
func (s *Server) relieve(busy *loop) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed || busy.load() < 2 {
		return false
	}
	for _, l := range s.loops {
		if 2*l.load() < busy.load() {
			busy.handoff.Store(&handoff{target: l})
			return true
		}
	}
	if len(s.loops) >= loopLimit() {
		return false
	}
	l, err := s.addLoop()
	if err == nil {
		busy.handoff.Store(&handoff{target: l})
	}
	return err == nil
}

// loopLimit is how many loops there may be.
func loopLimit() int { return min(maxLoops, runtime.GOMAXPROCS(0), runtime.NumCPU()) }

// load is the number of connections.
func (l *loop) load() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.conns)
}

// handoff is what a loop is to give away: half of its connections, or all.
type handoff struct {
	target *loop
	all    bool
}

// giveConns gives connections to another loop. It runs between two rounds, when none of them is being served.
func (l *loop) giveConns(h *handoff) {
	l.mu.Lock()
	conns := slices.Collect(maps.Values(l.conns))
	l.mu.Unlock()
	if !h.all {
		conns = conns[:len(conns)/2]
	}
	for _, d := range conns {
		d.socket.moveTo(h.target)
	}
}
