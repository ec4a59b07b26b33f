//go:build linux

package server

import (
	"maps"
	"os"
	"runtime"
	"slices"
	"time"
)

// A server starts with one loop, or with io-threads of them. One loop serves requests almost always in the order in
// which they are received, across connections, as Redis does, and the more requests are ready at a time the less each
// costs. So another loop takes half of the connections only if a loop is always busy and serving a connection takes
// long: with slow scripts or batches of them. For short requests more threads would only compete for cores and caches.
// What we gave up: the order across connections, once there is a second loop.

const (
	maxLoops    = 4                      // unless io-threads is larger
	fullTime    = 100 * time.Millisecond // how long a loop must have been full
	longService = 75 * time.Microsecond  // average time to serve a connection in a full loop
	idleShare   = 32                     // a full loop has nothing to do less than once in this many
)

// loopLoad counts what a loop has done until a time.
type loopLoad struct {
	at         time.Time
	served     uint64 // connections
	idleRounds uint64
}

// advance restarts the counts if the loop sleeps or they cover fullTime. It then reports whether
// the loop was full, with connections that were each served for long.
func (l *loopLoad) advance(now loopLoad, sleeping bool) (needsHelp bool) {
	before := *l
	passed, served := now.at.Sub(before.at), now.served-before.served
	if !sleeping && passed < fullTime {
		return false
	}
	*l = now
	return !sleeping && passed < 2*fullTime && // else the watchdog was stopped in between
		served > 0 && idleShare*(now.idleRounds-before.idleRounds) < served && passed > time.Duration(served)*longService
}

// pickLoop returns the loop for the next connection: a new one while there are fewer than io-threads, else the one with
// the smallest number of connections. A loop beyond io-threads that has no connections gets no new ones.
func (s *Server) pickLoop() (*loop, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	threads := int(s.env.Config.IOThreads())
	if len(s.loops) < threads {
		return s.addLoopLocked()
	}
	least := s.loops[0]
	for i, l := range s.loops {
		if load := l.load(); load < least.load() && (load > 0 || i < threads) {
			least = l
		}
	}
	return least, nil
}

// addLoopLocked starts another loop.
func (s *Server) addLoopLocked() (*loop, error) {
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

// dropLoop makes sure that a loop which ends gets no more connections.
func (s *Server) dropLoop(l *loop) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.loops = slices.DeleteFunc(s.loops, func(other *loop) bool { return other == l })
}

// splitLoop makes a loop give half of its connections to one with less than half as many, or to a new one while there
// are fewer than maxLoops.
func (s *Server) splitLoop(busy *loop) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed || busy.load() < 2 {
		return
	}
	for _, l := range s.loops {
		if 2*l.load() < busy.load() {
			busy.giveTo.Store(l)
			return
		}
	}
	if len(s.loops) < min(maxLoops, runtime.GOMAXPROCS(0)) {
		if l, err := s.addLoopLocked(); err == nil {
			busy.giveTo.Store(l)
		}
	}
}

// load returns the number of connections.
func (l *loop) load() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.conns)
}

// giveConns moves half of the connections to another loop. It runs between two rounds, when none of them is being
// served.
func (l *loop) giveConns(target *loop) {
	l.mu.Lock()
	conns := slices.Collect(maps.Values(l.conns))
	l.mu.Unlock()
	for _, d := range conns[:len(conns)/2] {
		d.socket.moveTo(target)
	}
}
