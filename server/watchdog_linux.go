package server

import "slices"

// suspect is a loop's state at one round: if it serves the same at the next, it is held up.
type suspect struct {
	serves *epollDriver
	rounds uint64
	rests  uint64
	full   int // rounds in a row without a rest
}

// A loop is relieved that has hardly rested for some rounds: once for so many services. There must have been that many in each
// round: where it is few that take long, another loop would not help.
const (
	fullRounds = 4
	fullShare  = 32
)

// lookAtLoops hands over the loops that have served one connection since the last round, and relieves those that don't keep up.
// It reports whether any serves one.
func (w *watchdog) lookAtLoops() (busy bool) {
	w.server.mu.Lock()
	loops := slices.Clone(w.server.loops)
	w.server.mu.Unlock()
	if len(w.stuck) < len(loops) {
		w.stuck = append(w.stuck, make([]suspect, len(loops)-len(w.stuck))...)
	}
	for i, l := range loops {
		last, now := w.stuck[i], suspect{serves: l.serves.Load(), rounds: l.rounds.Load(), rests: l.rests.Load()}
		busy = busy || now.rounds != last.rounds || now.serves != last.serves
		if now.serves != nil && now.serves == last.serves && now.rounds == last.rounds {
			l.handOver(now.serves)
			busy = true
		}
		if served := now.rounds - last.rounds; served >= fullShare && fullShare*(now.rests-last.rests) <= served {
			now.full = last.full + 1
		}
		if now.full >= fullRounds {
			w.server.relieve(l)
			now.full = 0
		}
		w.stuck[i] = now
	}
	return busy
}
