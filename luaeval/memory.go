package luaeval

import (
	"cmp"
	"errors"
	"math"
	"runtime"
	"runtime/metrics"
	"slices"
	"sync/atomic"
	"time"

	"github.com/minilockd/minilockd/internal/clock"
)

// Limits bounds the resources of one script.
type Limits struct {
	// Memory is the largest memory of a script in bytes, DefaultMemory if zero. No string can be longer. Watch finds
	// scripts with many small objects, and ends them even if they have written.
	Memory int64
}

// DefaultMemory is the memory limit of a script in bytes unless SetLimits was called.
const DefaultMemory = 256 << 20

var errMemory = errors.New("Script stopped: script memory limit exceeded")

// SetLimits replaces the limits. States that have run scripts keep their limit of strings, so call it before the first
// one runs.
func (e *Engine) SetLimits(l Limits) {
	if l.Memory <= 0 {
		l.Memory = DefaultMemory
	}
	e.limits.memory.Store(l.Memory)
}

// limits are the Limits of an engine.
type limits struct{ memory atomic.Int64 }

// maxString is the largest length of a string in bytes; commands accept none beyond proto-max-bulk-len.
func (l *limits) maxString() int { return int(min(l.memory.Load(), maxBulk)) }

// maxBulk is Redis' proto-max-bulk-len.
const maxBulk = 512 << 20

// guard finds scripts whose memory exceeds the limit. Go does not know the memory of a goroutine, so the guard checks
// the whole heap, and the scripts only when the heap is larger by more than the limit than when a script was first
// seen. Only the goroutine that calls Watch uses the fields, except collecting and live.
type guard struct {
	started     time.Time    // of the last collection
	pending     bool         // its result was not used yet
	collecting  atomic.Bool  // it runs
	live        atomic.Int64 // live bytes after it
	pendingRuns []scriptRun  // runs to end if the next collection also finds too much
}

// scriptRun is a run of a script.
type scriptRun struct {
	state *state
	run   uint64
}

// guardPause is the shortest time between two size estimates of a script, and between two collections.
const guardPause = 100 * time.Millisecond

// guardMemory makes one check. If the heap has increased by more than the limit since a script started, the script
// estimates its size, and ends if that exceeds the limit. If the heap, without garbage, has increased by twice the
// limit, by data that scripts have written or that the estimate does not see, the largest script ends, and the next one
// after the next collection. That needs two collections: the first may have counted objects of a script that has ended
// since.
func (e *Engine) guardMemory(now time.Time, heap heap) {
	g := &e.guard
	exceeds := func(s *firstSeen) bool { return heap.objects-s.heap.live > e.limits.memory.Load() }
	for _, st := range e.running.matching(exceeds) {
		st.requestSize(now)
	}
	beyond := func(bytes int64) []*state {
		return e.running.matching(func(s *firstSeen) bool { return bytes-s.heap.objects > 2*e.limits.memory.Load() })
	}
	switch {
	case g.collecting.Load():
	case g.pending:
		states := beyond(g.live.Load())
		if g.pending = !allSizesKnown(states, now); !g.pending {
			g.started = now
			stopLargest(g.foundBefore(states))
		}
	case (now.Sub(g.started) >= guardPause || len(g.pendingRuns) > 0) && len(beyond(heap.objects)) > 0:
		g.pending = true
		g.collecting.Store(true)
		go g.collect()
	}
}

// foundBefore returns those of the states that were found in the previous check, too; if there are none, it records all
// for the next check.
func (g *guard) foundBefore(states []*state) []*state {
	pendingRuns := g.pendingRuns
	g.pendingRuns = nil
	known := slices.DeleteFunc(slices.Clone(states),
		func(st *state) bool { return !slices.Contains(pendingRuns, st.scriptRun()) })
	if len(known) == 0 {
		for _, st := range states {
			g.pendingRuns = append(g.pendingRuns, st.scriptRun())
		}
	}
	return known
}

// scriptRun identifies the run that the state is in: another script may use the state by the next check.
func (st *state) scriptRun() scriptRun { return scriptRun{st, st.runs.Load()} }

// matching returns the states whose first seen run satisfies a condition.
func (r *running) matching(so func(*firstSeen) bool) (states []*state) {
	r.each(func(i int, st *state) {
		if s := &r.seen[i]; s.state == st && so(s) {
			states = append(states, st)
		}
	})
	return states
}

// collect runs in its own goroutine, since with a large heap it takes a while. Go counts what is allocated during the
// collection as live; collect does not, since most of it may be garbage.
func (g *guard) collect() {
	before := readAllocated()
	runtime.GC()
	g.live.Store(readHeap().live - (readAllocated() - before))
	g.collecting.Store(false)
}

// allSizesKnown reports whether the size of each of the scripts is known, and requests the missing ones: without them,
// a small script could end in place of the large one. A script that does not reply is in a long call of a Go function,
// and could not be stopped either.
func allSizesKnown(states []*state, now time.Time) bool {
	all := true
	for _, st := range states {
		if st.sizedRun.Load() != st.runs.Load() {
			all = false
			st.requestSize(now)
		}
	}
	return all
}

// stopLargest ends the largest of the scripts, by their last estimates.
func stopLargest(states []*state) {
	if len(states) > 0 {
		largest := slices.MaxFunc(states, func(a, b *state) int { return cmp.Compare(a.size.Load(), b.size.Load()) })
		largest.stop(errMemory, true)
	}
}

// requestSize makes the running script estimate its size, and end if it is too large. Since that may take a while, the
// next request comes only after four times as long.
func (st *state) requestSize(now time.Time) {
	st.mu.Lock()
	defer st.mu.Unlock()
	if st.caller == nil || now.UnixNano() < st.nextRequest.Load() {
		return
	}
	st.nextRequest.Store(math.MaxInt64) // until its size is known
	st.machine.RunAtSafepoint(func() {
		started := clock.Real{}.Now()
		st.updateSize()
		st.nextRequest.Store(now.Add(max(guardPause, 4*clock.Real{}.Now().Sub(started))).UnixNano())
	})
}

// updateSize estimates the size of the running script, and ends the script at its next instruction if it is too large.
// A quarter of the limit remains for what the estimate leaves out.
func (st *state) updateSize() {
	limit := st.engine.limits.memory.Load() / 4 * 3 // Size stops counting beyond it
	size := st.machine.Size(st.L, limit)
	st.size.Store(size)
	st.sizedRun.Store(st.runs.Load())
	if size > limit {
		st.stop(errMemory, true)
	}
}

// noteLong counts long strings, which can take all memory before Watch runs again: each quarter of the limit makes the
// script estimate its size.
func (st *state) noteLong(bytes int) {
	if st.long += int64(bytes); st.long > st.engine.limits.memory.Load()/4 {
		st.long = 0
		st.updateSize()
	}
}

// heap is the size of the heap of the process, in bytes.
type heap struct {
	objects int64 // in use, or garbage
	live    int64 // in use after the last collection
}

// readHeap reads two metrics of the runtime, without stopping other goroutines.
func readHeap() heap {
	samples := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}, {Name: "/gc/heap/live:bytes"}}
	metrics.Read(samples)
	return heap{objects: int64(samples[0].Value.Uint64()), live: int64(samples[1].Value.Uint64())}
}

// readAllocated returns how many bytes the process has allocated so far, freed ones included.
func readAllocated() int64 {
	samples := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(samples)
	return int64(samples[0].Value.Uint64())
}

// least returns the base of an increase: garbage at the time a script was first seen no longer counts once it is freed.
func (h heap) least(now heap) heap {
	return heap{objects: min(h.objects, now.objects), live: min(h.live, now.live)}
}
