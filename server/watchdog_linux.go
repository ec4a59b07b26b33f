package server

import (
	"slices"

	"github.com/minilockd/minilockd/internal/clock"
)

// loopSnapshot is a loop's state at one round. A loop that serves the same connection at the next round is held up.
type loopSnapshot struct {
	current *epollDriver
	served  uint64
	load    loopLoad // the counts to compare with
}

// checkLoops hands over the loops that are held up since the last round, and splits those that are full. It reports
// whether any is not asleep.
func (w *watchdog) checkLoops() (busy bool) {
	w.server.mu.Lock()
	loops := slices.Clone(w.server.loops)
	w.server.mu.Unlock()
	if len(w.snapshots) < len(loops) {
		w.snapshots = append(w.snapshots, make([]loopSnapshot, len(loops)-len(w.snapshots))...)
	}
	at := clock.Real{}.Now()
	for i, l := range loops {
		last, current := &w.snapshots[i], l.current.Load()
		now, sleeping := loopLoad{at, l.served.Load(), l.idleRounds.Load()}, l.sleeping.Load()
		busy = busy || !sleeping || now.served != last.served
		if current != nil && current == last.current && now.served == last.served {
			l.replaceGoroutine(current)
		}
		last.current, last.served = current, now.served
		if last.load.advance(now, sleeping) {
			w.server.splitLoop(l)
		}
	}
	return busy
}
