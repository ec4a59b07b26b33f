package server

import "slices"

// suspect is a loop's state at one round: if it is the same at the next, the loop is held up.
type suspect struct {
	serves *epollDriver
	rounds uint64
}

// lookAtLoops hands over the loops that have served one connection since the last round. It reports whether one serves any.
func (w *watchdog) lookAtLoops() (busy bool) {
	w.server.mu.Lock()
	loops := slices.Clone(w.server.loops)
	w.server.mu.Unlock()
	if len(w.stuck) < len(loops) {
		w.stuck = make([]suspect, len(loops))
	}
	for i, l := range loops {
		if l == nil {
			continue
		}
		now := suspect{l.serves.Load(), l.rounds.Load()}
		busy = busy || now != w.stuck[i]
		if now.serves != nil && now == w.stuck[i] {
			l.handOver(now.serves)
			busy = true
		}
		w.stuck[i] = now
	}
	return busy
}
