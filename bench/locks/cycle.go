package main

import (
	"context"
	"time"

	"github.com/minilockd/minilockd/bench/internal/load"
)

// cycle locks and unlocks for a while, without contention. The connections and the server's cached scripts persist
// between calls.
type cycle struct {
	at load.Place
	m  mutex
}

// atOnce is the number of cycles between two readings of the clock.
const atOnce = 16

// run returns the mean of all cycles of the window: Ops is their number.
func (c cycle) run(window time.Duration) (load.Result, error) {
	return withCPU(c.at, func() (r load.Result, err error) {
		start := time.Now()
		for r.Elapsed < window {
			for range atOnce {
				if err = lockAndUnlock(context.Background(), c.m); err != nil {
					return r, err
				}
			}
			r.Ops += atOnce
			r.Elapsed = time.Since(start)
		}
		return r, nil
	})
}

func lockAndUnlock(ctx context.Context, m mutex) error {
	unlock, err := m(ctx)
	if err != nil {
		return err
	}
	return unlock(ctx)
}

// withCPU adds the CPU time of the server and of this process, in which the client runs, to the result of f. Both
// include what runs in the background in the meantime, such as a watchdog or a connection for messages.
func withCPU(at load.Place, f func() (load.Result, error)) (load.Result, error) {
	var used [2]time.Duration
	for i, pid := range []int{at.PID, 0} {
		before, err := load.ProcessCPU(pid)
		if err != nil {
			return load.Result{}, err
		}
		used[i] = -before
	}
	r, err := f()
	if err != nil {
		return r, err
	}
	for i, pid := range []int{at.PID, 0} {
		after, err := load.ProcessCPU(pid)
		if err != nil {
			return r, err
		}
		used[i] += after
	}
	r.ServerCPU, r.LoadCPU = used[0], used[1]
	return r, nil
}
