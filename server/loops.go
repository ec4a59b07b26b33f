//go:build linux

package server

import (
	"maps"
	"os"
	"runtime"
	"slices"
	"time"
)

// A server begins with one loop, or with as many as io-threads asks for. One serves requests nearly always in the order
// in which they come, on whatever connection, as Redis does, and the more of them are ready at a time the less each
// costs. So another one takes over half of a loop's connections only where the loop never rests and serves each
// connection long: with batches of scripts, or slow ones. For short requests the threads would only compete for cores
// and caches.

const (
	maxLoops    = 4                      // that there may be unless io-threads asks for more
	fullTime    = 100 * time.Millisecond // for which a loop must have been full
	longService = 75 * time.Microsecond  // that serving a connection once takes on average then
	restShare   = 32                     // a full loop rests less than once for so many services
)

// loopLoad is what a loop has done up to a moment.
type loopLoad struct {
	at     time.Time
	served uint64 // connections
	rests  uint64
}

// advance watches from now on if the loop sleeps, or once it has been watched long enough. Then it reports whether the
// loop has been full, with services that took long.
func (l *loopLoad) advance(now loopLoad, asleep bool) (needsHelp bool) {
	before := *l
	passed, served := now.at.Sub(before.at), now.served-before.served
	if !asleep && passed < fullTime {
		return false
	}
	*l = now
	return !asleep && passed < 2*fullTime && // else the watchdog has rested, too
		served > 0 && restShare*(now.rests-before.rests) < served && passed > time.Duration(served)*longService
}

// pickLoop returns the loop for the next connection: a new one while io-threads asks for more, else the one with the
// fewest connections. A loop beyond those gets none any more once it has lost all.
func (s *Server) pickLoop() (*loop, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	threads := int(s.env.Config.IOThreads())
	if len(s.loops) < threads {
		return s.addLoop()
	}
	least := s.loops[0]
	for i, l := range s.loops {
		if load := l.load(); load < least.load() && (load > 0 || i < threads) {
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

// relieve has a loop give half of its connections to one with far fewer, or to a new one if there may be another.
func (s *Server) relieve(busy *loop) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed || busy.load() < 2 {
		return
	}
	for _, l := range s.loops {
		if 2*l.load() < busy.load() {
			busy.handoff.Store(l)
			return
		}
	}
	if len(s.loops) < min(maxLoops, runtime.GOMAXPROCS(0)) {
		if l, err := s.addLoop(); err == nil {
			busy.handoff.Store(l)
		}
	}
}

// load is the number of connections.
func (l *loop) load() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.conns)
}

// giveConns gives half of the connections to another loop. It runs between two rounds, when none of them is being
// served.
func (l *loop) giveConns(target *loop) {
	l.mu.Lock()
	conns := slices.Collect(maps.Values(l.conns))
	l.mu.Unlock()
	for _, d := range conns[:len(conns)/2] {
		d.socket.moveTo(target)
	}
}
