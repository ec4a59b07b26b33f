package server

import (
	"slices"

	"github.com/minilockd/minilockd/internal/clock"
)

// loopSnapshot is a loop's state at one round: if it serves the same at the next, it is held up.
type loopSnapshot struct {
	current *epollDriver
	served  uint64
	load    loopLoad // since when it is watched for being full
}

// lookAtLoops hands over the loops that have served one connection since the last round, and relieves those that need
// help. It reports whether any is awake.
func (w *watchdog) lookAtLoops() (busy bool) {
	w.server.mu.Lock()
	loops := slices.Clone(w.server.loops)
	w.server.mu.Unlock()
	if len(w.stuck) < len(loops) {
		w.stuck = append(w.stuck, make([]loopSnapshot, len(loops)-len(w.stuck))...)
	}
	at := clock.Real{}.Now()
	for i, l := range loops {
		last, current := &w.stuck[i], l.current.Load()
		now, asleep := loopLoad{at, l.served.Load(), l.rests.Load()}, l.asleep.Load()
		busy = busy || !asleep || now.served != last.served
		if current != nil && current == last.current && now.served == last.served {
			l.handOver(current)
		}
		last.current, last.served = current, now.served
		if last.load.advance(now, asleep) {
			w.server.relieve(l)
		}
	}
	return busy
}
