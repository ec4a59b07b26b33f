package server

import (
	"sync"
	"time"

	"github.com/minilockd/minilockd/internal/clock"
)

// watchdog looks at the server every few milliseconds while it is at work: a loop that is held up by one connection is
// handed over, and scripts that run too long are told of. It rests when nothing happens, so an idle server costs nothing.
type watchdog struct {
	server *Server

	mu      sync.Mutex // guards what follows
	timer   clock.Timer
	running bool
	closed  bool
	quiet   int // rounds without anything going on
	work    sync.WaitGroup
	stuck   []loopSnapshot // what each loop was doing at the last round
}

// The watchdog rests after some quiet rounds: more than one, since a round may have looked before somebody woke up, and not many,
// since they are most of what a server costs that has little to do.
const (
	watchPeriod = 5 * time.Millisecond
	quietRounds = 4
)

// watch starts the watchdog unless it runs. It is called whenever there may be something to see.
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

// round looks once, and again after a while unless all has been quiet for some time.
func (w *watchdog) round() {
	w.mu.Lock()
	if w.closed {
		w.mu.Unlock()
		return
	}
	w.work.Add(1)
	w.mu.Unlock()
	defer w.work.Done()

	active := w.look()
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

// look reports whether anything is going on.
func (w *watchdog) look() bool {
	defer w.server.rescue() // the rounds go on
	busy := w.lookAtLoops() || w.server.awake.Load() > 0
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
