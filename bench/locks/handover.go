package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/minilockd/minilockd/bench/internal/load"
	"github.com/minilockd/minilockd/bench/internal/redisson"
)

// handOver is two clients that pass a lock to each other, n times. The latency is the time from the call of Unlock to
// the return of Lock in the other client, which waits already.
type handOver struct {
	at   load.Place
	ends [2]mutex
}

// taken is the end of a wait, with the time at which the lock was there.
type taken struct {
	unlock unlock
	err    error
	at     time.Time
}

// holds are how long the lock is held each time while the other client waits: they vary by up to the interval at which
// a client polls, so that releases come at a random time of it.
func holds(n int) []time.Duration {
	const least, polling = 10 * time.Millisecond, 100 * time.Millisecond
	all := make([]time.Duration, n)
	for i := range all {
		all[i] = least + rand.N(polling)
	}
	return all
}

// run makes a hand-over for each of the times. The time that a client holds the lock is not part of the latency.
func (h handOver) run(times []time.Duration) (load.Result, error) {
	return withCPU(h.at, func() (r load.Result, err error) {
		ctx := context.Background()
		unlock, err := h.ends[0](ctx)
		if err != nil {
			return r, err
		}
		var all []time.Duration
		for i, hold := range times {
			got := wait(ctx, h.ends[(i+1)%2])
			time.Sleep(hold)
			start := time.Now()
			err = unlock(ctx)
			next := <-got
			if err != nil || next.err != nil {
				return r, fmt.Errorf("hand-over: %w, %w", err, next.err)
			}
			all = append(all, next.at.Sub(start))
			unlock = next.unlock
		}
		return passed(all), unlock(ctx)
	})
}

// wait waits for a lock in the background. The time is read in that goroutine, so that the wakeup of another one is not
// part of the latency.
func wait(ctx context.Context, m mutex) <-chan taken {
	got := make(chan taken, 1)
	go func() {
		unlock, err := m(ctx)
		got <- taken{unlock, err, time.Now()}
	}()
	return got
}

// passed returns the result of hand-overs with these latencies, which it sorts. Elapsed is their sum, so that Ops per
// second is about them alone.
func passed(all []time.Duration) load.Result {
	r := load.Result{Ops: int64(len(all))}
	for _, d := range all {
		r.Elapsed += d
	}
	slices.Sort(all)
	r.Latency = load.Latency{P50: all[len(all)/2], P99: all[len(all)*99/100], P999: all[len(all)*999/1000]}
	return r
}

// javaHandOver is the same with two Redisson clients, in one JVM.
type javaHandOver struct {
	at   load.Place
	java *redisson.Program
}

// javaWarmup is the number of hand-overs before the first that counts.
const javaWarmup = 300

// prepare lets Java compile what it runs: each hand-over after 2 ms.
func (h javaHandOver) prepare() error {
	_, err := h.run(slices.Repeat([]time.Duration{2 * time.Millisecond}, javaWarmup))
	return err
}

// run sends a line with the address, the name of the lock and the holding times in µs. The CPU time of the clients is
// that of Java, not of this process, which only waits.
func (h javaHandOver) run(times []time.Duration) (load.Result, error) {
	var cpu time.Duration
	r, err := withCPU(h.at, func() (load.Result, error) {
		var line strings.Builder
		fmt.Fprintf(&line, "redis://%s bench:redisson:handover", h.at.Addr)
		for _, hold := range times {
			fmt.Fprintf(&line, " %d", hold.Microseconds())
		}
		answer, err := h.java.Ask(line.String())
		if err != nil {
			return load.Result{}, err
		}
		return parsePassed(answer, &cpu)
	})
	r.LoadCPU = cpu
	return r, err
}

// parsePassed reads the line that HandOver.java sends back: its CPU time, then each latency, all in ns.
func parsePassed(answer string, cpu *time.Duration) (load.Result, error) {
	words := strings.Fields(answer)
	all := make([]time.Duration, len(words))
	for i, word := range words {
		if _, err := fmt.Sscan(word, (*int64)(&all[i])); err != nil {
			return load.Result{}, fmt.Errorf("HandOver.java said %q: %w", answer, err)
		}
	}
	if len(all) < 2 {
		return load.Result{}, fmt.Errorf("HandOver.java said %q", answer)
	}
	*cpu = all[0]
	return passed(all[1:]), nil
}
