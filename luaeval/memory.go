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

// DefaultMemory is the limit of a script's memory in bytes unless SetLimits was called.
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

// limits are an engine's Limits.
type limits struct{ memory atomic.Int64 }

// maxString is the largest length of a string in bytes; commands accept none beyond proto-max-bulk-len.
func (l *limits) maxString() int { return int(min(l.memory.Load(), maxBulk)) }

// maxBulk is Redis' proto-max-bulk-len.
const maxBulk = 512 << 20

// guard finds scripts whose memory exceeds the limit. Go does not know the memory of a goroutine, so the guard checks
// the whole heap, and the scripts only when the heap has grown by more than the limit since a script was first seen.
// Only the goroutine that calls Watch uses the fields, except collecting and live.
type guard struct {
	started     time.Time    // when the last collection began
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

// guardPause is the least time between two size estimates of a script, and between two collections.
const guardPause = 100 * time.Millisecond

// guardMemory makes one check. If the heap has grown by more than the limit since a script began, the script estimates
// its size, and ends if that exceeds the limit. If the heap, without garbage, has grown by twice the limit, by data
// that scripts have written or that the estimate does not see, the largest script ends, and the next one after the next
// collection. That takes two collections: the first may have counted objects of a script that has ended since.
func (e *Engine) guardMemory(now time.Time, heap heap) {
	g := &e.guard
	grown := func(s *firstSeen) bool { return heap.objects-s.heap.live > e.limits.memory.Load() }
	for _, st := range e.running.matching(grown) {
		st.requestSize(now)
	}
	beyond := func(bytes int64) []*state {
		return e.running.matching(func(s *firstSeen) bool { return bytes-s.heap.objects > 2*e.limits.memory.Load() })
	}
	switch {
	case g.collecting.Load():
	case g.pending:
		states := beyond(g.live.Load())
		if g.pending = !allMeasured(states, now); !g.pending {
			g.started = now
			stopHeaviest(g.confirmed(states))
		}
	case (now.Sub(g.started) >= guardPause || len(g.pendingRuns) > 0) && len(beyond(heap.objects)) > 0:
		g.pending = true
		g.collecting.Store(true)
		go g.collect()
	}
}

// confirmed returns those of the states that were found in the check before; if there are none, it records all for the
// next check.
func (g *guard) confirmed(states []*state) []*state {
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

// allMeasured reports whether the size of each of the scripts is known, and requests the missing ones: without them, a
// small script could end in place of the large one. A script that does not answer is in a long call of a Go function,
// and could not be stopped either.
func allMeasured(states []*state, now time.Time) bool {
	all := true
	for _, st := range states {
		if st.measured.Load() != st.runs.Load() {
			all = false
			st.requestSize(now)
		}
	}
	return all
}

func stopHeaviest(states []*state) {
	if len(states) > 0 {
		heaviest := slices.MaxFunc(states, func(a, b *state) int { return cmp.Compare(a.size.Load(), b.size.Load()) })
		heaviest.stop(errMemory, true)
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
	st.nextRequest.Store(math.MaxInt64) // until it has replied
	st.machine.RunAtSafepoint(func() {
		started := clock.Real{}.Now()
		st.measure()
		st.nextRequest.Store(now.Add(max(guardPause, 4*clock.Real{}.Now().Sub(started))).UnixNano())
	})
}

// measure ends the script at its next instruction if it is too large.
func (st *state) measure() {
	heavy := st.engine.limits.memory.Load() / 4 * 3 // Size stops counting beyond it
	size := st.machine.Size(st.L, heavy)
	st.size.Store(size)
	st.measured.Store(st.runs.Load())
	if size > heavy {
		st.stop(errMemory, true)
	}
}

// noteLong counts long strings, which can take all memory before Watch runs again.
func (st *state) noteLong(bytes int) {
	if st.long += int64(bytes); st.long > st.engine.limits.memory.Load()/4 {
		st.long = 0
		st.measure()
	}
}

// heap is the size of the process' heap, in bytes.
type heap struct {
	objects int64 // in use, or garbage
	live    int64 // in use after the last collection
}

func readHeap() heap {
	samples := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}, {Name: "/gc/heap/live:bytes"}}
	metrics.Read(samples)
	return heap{objects: int64(samples[0].Value.Uint64()), live: int64(samples[1].Value.Uint64())}
}

func readAllocated() int64 {
	samples := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(samples)
	return int64(samples[0].Value.Uint64())
}

// least returns the baseline of growth: garbage at the time a script was first seen no longer counts once it is freed.
func (h heap) least(now heap) heap {
	return heap{objects: min(h.objects, now.objects), live: min(h.live, now.live)}
}
