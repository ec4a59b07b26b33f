package server

import "slices"

// loopSnapshot is a loop's state at one round: if it serves the same at the next, it is held up.
type loopSnapshot struct {
	current *epollDriver
	served  uint64
}

// lookAtLoops hands over the loops that have served one connection since the last round. It reports whether any is awake.
func (w *watchdog) lookAtLoops() (busy bool) {
	w.server.mu.Lock()
	loops := slices.Clone(w.server.loops)
	w.server.mu.Unlock()
	if len(w.stuck) < len(loops) {
		w.stuck = append(w.stuck, make([]loopSnapshot, len(loops)-len(w.stuck))...)
	}
	for i, l := range loops {
		last, now := w.stuck[i], loopSnapshot{current: l.current.Load(), served: l.served.Load()}
		busy = busy || !l.asleep.Load() || now.served != last.served
		if now.current != nil && now == last {
			l.handOver(now.current)
		}
		w.stuck[i] = now
	}
	return busy
}
