package server

import (
	"sync"
	"time"

	"github.com/minilockd/minilockd/internal/clock"
	"github.com/minilockd/minilockd/internal/lockrank"
)

// watchdog checks the server every 5 ms while it is busy: a loop that one connection keeps busy gets a new goroutine,
// and a script that has run for too long makes the server reply BUSY. It stops when nothing happens, so an idle server
// costs nothing. A loop need not report anything for it: the watchdog compares snapshots, so serving a connection costs
// a few atomic operations and no clock reading.
type watchdog struct {
	server *Server

	mu        lockrank.Mutex[lockrank.Watchdog] // guards what follows
	timer     clock.Timer
	running   bool
	closed    bool
	quiet     int // consecutive rounds without activity
	work      sync.WaitGroup
	snapshots []loopSnapshot // of each loop, at the last round
}

// The watchdog stops after quietRounds: more than one, since a goroutine may wake up right after a round, and not many,
// since they are most of the cost of a server that has little to do.
const (
	watchPeriod = 5 * time.Millisecond
	quietRounds = 4
)

// watch starts the watchdog unless it runs. It is called before any work.
func (s *Server) watch() {
	w := &s.watchdog
	w.mu.Lock()
	defer w.mu.Unlock()
	w.quiet = 0
	if w.running || w.closed {
		return
	}
	w.running, w.server = true, s
	if w.timer == nil {
		w.timer = clock.Real{}.AfterFunc(watchPeriod, w.round)
		return
	}
	w.timer.Reset(watchPeriod)
}

// round checks once, and sets the timer for the next round unless quietRounds have passed.
func (w *watchdog) round() {
	w.mu.Lock()
	if w.closed {
		w.mu.Unlock()
		return
	}
	w.work.Add(1)
	w.mu.Unlock()
	defer w.work.Done()

	active := w.check()
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.quiet++; active {
		w.quiet = 0
	}
	if w.quiet >= quietRounds || w.closed {
		w.running = false
		return
	}
	w.timer.Reset(watchPeriod)
}

// check reports whether the server is busy.
func (w *watchdog) check() bool {
	defer w.server.recoverPanic() // a panic must not end the rounds
	busy := w.checkLoops() || w.server.busy.Load() > 0
	return w.server.env.Scripts.Watch(clock.Real{}.Now(), w.server.env.Config.BusyAfter()) || busy
}

func (w *watchdog) close() {
	w.mu.Lock()
	w.closed = true
	if w.timer != nil {
		w.timer.Stop()
	}
	w.mu.Unlock()
	w.work.Wait()
}
