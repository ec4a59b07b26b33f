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

// Limits bounds what one script may take of the process that it runs in.
type Limits struct {
	// Memory is how many bytes a script may hold, DefaultMemory if zero. No string can be longer. What is held in many
	// small pieces is found out by Watch, and ends the script even if it has written.
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

// maxString is the greatest length of a string in bytes; beyond Redis' own bound no command would take it.
func (l *limits) maxString() int { return int(min(l.memory.Load(), maxBulk)) }

// maxBulk is Redis' proto-max-bulk-len.
const maxBulk = 512 << 20

// guard finds scripts whose memory grows beyond the limit. Go can't tell how much memory a goroutine has allocated, so
// the guard looks at the whole heap, and only when that has grown by more than the limit since a script was first seen,
// at the scripts. All but collecting and live belong to the goroutine that calls Watch.
type guard struct {
	begun      time.Time    // when the last collection began
	pending    bool         // what it left was not judged yet
	collecting atomic.Bool  // it goes on
	live       atomic.Int64 // bytes that it left
	suspects   []suspect    // who was running when the last but one left too much
}

// suspect is a run of a script.
type suspect struct {
	state *state
	run   uint64
}

// guardPause is the least time between two questions to a script, and between two collections.
const guardPause = 100 * time.Millisecond

// guardMemory takes one step. Scripts since whose beginning the heap has grown beyond the limit are asked for their
// weight; one that is heavier than the limit ends. If the heap has grown by twice the limit even so, and not by
// garbage, be it by what scripts have written or in ways that can't be weighed, the heaviest of them ends, and the next
// one after the next collection. That takes two collections: the first may have found what a script held that has ended
// meanwhile.
func (e *Engine) guardMemory(now time.Time, heap heap) {
	g := &e.guard
	for _, st := range e.running.grown(func(s *sighting) bool { return heap.objects-s.heap.live > e.limits.memory.Load() }) {
		st.askWeight(now)
	}
	beyond := func(bytes int64) []*state {
		return e.running.grown(func(s *sighting) bool { return bytes-s.heap.objects > 2*e.limits.memory.Load() })
	}
	switch {
	case g.collecting.Load():
	case g.pending:
		states := beyond(g.live.Load())
		if g.pending = !allWeighed(states, now); !g.pending {
			g.begun = now
			stopHeaviest(g.confirmed(states))
		}
	case (now.Sub(g.begun) >= guardPause || len(g.suspects) > 0) && len(beyond(heap.objects)) > 0:
		g.pending = true
		g.collecting.Store(true)
		go g.collect()
	}
}

// confirmed returns those of the states that are suspects already if there are any; without, they become it.
func (g *guard) confirmed(states []*state) []*state {
	suspects := g.suspects
	g.suspects = nil
	known := slices.DeleteFunc(slices.Clone(states),
		func(st *state) bool { return !slices.Contains(suspects, st.suspect()) })
	if len(known) == 0 {
		for _, st := range states {
			g.suspects = append(g.suspects, st.suspect())
		}
	}
	return known
}

func (st *state) suspect() suspect { return suspect{st, st.runs.Load()} }

// grown returns the states whose sightings are as described.
func (r *running) grown(so func(*sighting) bool) (states []*state) {
	r.each(func(i int, st *state) {
		if s := &r.seen[i]; s.state == st && so(s) {
			states = append(states, st)
		}
	})
	return states
}

// collect is not done by the goroutine that watches: with a large heap it takes a while. What is allocated meanwhile
// counts as live to Go, and not here: most of it may be garbage.
func (g *guard) collect() {
	before := readAllocated()
	runtime.GC()
	g.live.Store(readHeap().live - (readAllocated() - before))
	g.collecting.Store(false)
}

// allWeighed reports whether each of the scripts has told its weight, and asks those that have not: without that, a
// script that holds nothing could end in place of the one that is about to answer. One that never answers is in a
// single long step, and could not be ended either.
func allWeighed(states []*state, now time.Time) bool {
	all := true
	for _, st := range states {
		if st.weighed.Load() != st.runs.Load() {
			all = false
			st.askWeight(now)
		}
	}
	return all
}

func stopHeaviest(states []*state) {
	if len(states) > 0 {
		heaviest := slices.MaxFunc(states, func(a, b *state) int { return cmp.Compare(a.weight.Load(), b.weight.Load()) })
		heaviest.stop(errMemory, true)
	}
}

// askWeight makes the running script weigh itself, and end if it is too heavy. Meanwhile it allocates nothing else. As
// that may take a while, it is then left alone for long enough to get on.
func (st *state) askWeight(now time.Time) {
	st.mu.Lock()
	defer st.mu.Unlock()
	if st.caller == nil || now.UnixNano() < st.rests.Load() {
		return
	}
	st.rests.Store(math.MaxInt64) // until it has answered
	st.machine.Ask(func() {
		begun := clock.Real{}.Now()
		st.weigh()
		st.rests.Store(now.Add(max(guardPause, 4*clock.Real{}.Now().Sub(begun))).UnixNano())
	})
}

// weigh ends the script at its next step if it is too heavy.
func (st *state) weigh() {
	heavy := st.engine.limits.memory.Load() / 4 * 3 // more than that is not known by weighing
	weight := st.machine.Weigh(st.L, heavy)
	st.weight.Store(weight)
	st.weighed.Store(st.runs.Load())
	if weight > heavy {
		st.stop(errMemory, true)
	}
}

// noteLong counts long strings: they can take all memory there is before a watch that is held up notices.
func (st *state) noteLong(bytes int) {
	if st.long += int64(bytes); st.long > st.engine.limits.memory.Load()/4 {
		st.long = 0
		st.weigh()
	}
}

// heap is what is known of the process' heap, in bytes.
type heap struct {
	objects int64 // in use, or garbage by now
	live    int64 // of these, what the last collection left
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

// least is the baseline of growth: what was garbage when a script was first seen does not count once it is gone.
func (h heap) least(now heap) heap {
	return heap{objects: min(h.objects, now.objects), live: min(h.live, now.live)}
}
