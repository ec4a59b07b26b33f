package server

import "slices"

// loopSnapshot is a loop's state at one round: if it serves the same at the next, it is held up.
type loopSnapshot struct {
	current *epollDriver
	rounds  uint64
	rests   uint64
	full    int    // rounds in a row without a rest
	since   sample // when it last had one
}

// lookAtLoops hands over the loops that have served one connection since the last round, and sees to it that there are as many as
// are useful. It reports whether any is awake.
func (w *watchdog) lookAtLoops() (busy bool) {
	w.server.mu.Lock()
	loops := slices.Clone(w.server.loops)
	w.server.mu.Unlock()
	if len(w.stuck) < len(loops) {
		w.stuck = append(w.stuck, make([]loopSnapshot, len(loops)-len(w.stuck))...)
	}
	for i, l := range loops {
		last, now := w.stuck[i], loopSnapshot{current: l.current.Load(), rounds: l.rounds.Load(), rests: l.rests.Load()}
		busy = busy || !l.asleep.Load() || now.rounds != last.rounds
		if now.current != nil && now.current == last.current && now.rounds == last.rounds {
			l.handOver(now.current)
		}
		if now.keepsFull(&last, loops) {
			w.balance.add(w.server, l, now.since, loops)
		}
		w.stuck[i] = now
	}
	w.balance.judge(loops)
	return busy
}
