package expiry

import (
	"container/heap"
	"fmt"
	"math/rand/v2"
	"runtime"
	"testing"
)

// scheduler is what the benchmarks need of the wheel and of the heap.
type scheduler interface {
	Set(it *heapItem, when int64)
	Drop(it *heapItem)
	Advance(now int64, expired func(*heapItem))
}

// heapItem can be set in either.
type heapItem struct {
	timer Timer[heapItem]
	when  int64
	index int // in the heap, or -1
}

// asScheduler is the wheel behind the common interface.
type asScheduler struct{ Wheel[heapItem] }

func (w *asScheduler) Set(it *heapItem, when int64) { w.Wheel.Set(&it.timer, it, when) }
func (w *asScheduler) Drop(it *heapItem)            { w.Wheel.Drop(&it.timer) }

// heapScheduler is what the wheel is compared with: the binary heap of container/heap.
type heapScheduler []*heapItem

func (h heapScheduler) Len() int           { return len(h) }
func (h heapScheduler) Less(i, j int) bool { return h[i].when < h[j].when }
func (h heapScheduler) Swap(i, j int) {
	h[i], h[j] = h[j], h[i]
	h[i].index, h[j].index = i, j
}

func (h *heapScheduler) Push(x any) {
	it := x.(*heapItem)
	it.index = len(*h)
	*h = append(*h, it)
}

func (h *heapScheduler) Pop() any {
	last := len(*h) - 1
	it := (*h)[last]
	*h = (*h)[:last]
	it.index = -1
	return it
}

func (h *heapScheduler) Set(it *heapItem, when int64) {
	it.when = when
	if it.index < 0 {
		heap.Push(h, it)
	} else {
		heap.Fix(h, it.index)
	}
}

func (h *heapScheduler) Drop(it *heapItem) {
	if it.index >= 0 {
		heap.Remove(h, it.index)
	}
}

func (h *heapScheduler) Advance(now int64, expired func(*heapItem)) {
	for len(*h) > 0 && (*h)[0].when <= now {
		expired(heap.Pop(h).(*heapItem))
	}
}

const (
	timerCount = 100_000
	rangeMs    = 10_000
)

// benchBoth runs a workload on the wheel and on the heap.
func benchBoth(b *testing.B, run func(b *testing.B, s scheduler)) {
	b.Run("wheel", func(b *testing.B) { b.ReportAllocs(); run(b, new(asScheduler)) })
	b.Run("heap", func(b *testing.B) { b.ReportAllocs(); run(b, new(heapScheduler)) })
}

// newItems returns n items that are not set, and as many random deadlines in the ten seconds after start.
func newItems(n int) ([]heapItem, []int64) {
	items, whens := make([]heapItem, n), make([]int64, n)
	rnd := rand.New(rand.NewPCG(1, 2))
	for i := range items {
		items[i].index = -1
		whens[i] = start + 1 + rnd.Int64N(rangeMs)
	}
	return items, whens
}

func nothing(*heapItem) {}

// setAll advances the scheduler to start and sets a timer for each item.
func setAll(s scheduler, items []heapItem, whens []int64) {
	s.Advance(start, nothing)
	for i := range items {
		s.Set(&items[i], whens[i])
	}
}

// BenchmarkSet sets timers that are not set yet, up to timerCount, then clears them all.
func BenchmarkSet(b *testing.B) {
	benchBoth(b, func(b *testing.B, s scheduler) {
		items, whens := newItems(timerCount)
		setAll(s, items, whens)
		for i := 0; b.Loop(); i++ {
			n := i % timerCount
			if n == 0 {
				b.StopTimer()
				s.Advance(start+rangeMs, nothing)
				s.Advance(start, nothing)
				b.StartTimer()
			}
			s.Set(&items[n], whens[n])
		}
	})
}

// BenchmarkSet_Again moves one of timerCount set timers, as the watchdog of a lock does.
func BenchmarkSet_Again(b *testing.B) {
	benchBoth(b, func(b *testing.B, s scheduler) {
		items, whens := newItems(timerCount)
		setAll(s, items, whens)
		for i := 0; b.Loop(); i++ {
			s.Set(&items[i%timerCount], whens[(i+i/timerCount)%timerCount]) // another deadline in each round
		}
	})
}

// BenchmarkSet_AgainFew does the same where only a few timers are set, and calls Next each time.
func BenchmarkSet_AgainFew(b *testing.B) {
	b.ReportAllocs()
	var w Wheel[heapItem]
	items, whens := newItems(1000)
	for i := 0; b.Loop(); i++ {
		it := &items[i%few]
		w.Set(&it.timer, it, whens[i%len(whens)])
		w.Next()
	}
}

// BenchmarkDrop drops timers out of timerCount, then sets them again while the benchmark is stopped.
func BenchmarkDrop(b *testing.B) {
	benchBoth(b, func(b *testing.B, s scheduler) {
		items, whens := newItems(timerCount)
		for i := 0; b.Loop(); i++ {
			n := i % timerCount
			if n == 0 {
				b.StopTimer()
				setAll(s, items, whens)
				b.StartTimer()
			}
			s.Drop(&items[n])
		}
	})
}

// BenchmarkAdvance sets 1,000,000 timers over ten seconds and advances through these millisecond by millisecond.
func BenchmarkAdvance(b *testing.B) {
	const n = 1_000_000
	benchBoth(b, func(b *testing.B, s scheduler) {
		items, whens := newItems(n)
		expired := 0
		count := func(*heapItem) { expired++ }
		for b.Loop() {
			setAll(s, items, whens)
			for now := start; now <= start+rangeMs; now++ {
				s.Advance(now, count)
			}
		}
		if expired != b.N*n {
			b.Fatalf("%d of %d expired", expired, b.N*n)
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(expired), "ns/timer")
	})
}

// BenchmarkFootprint reports the bytes that a wheel allocates, its timers not counted, by the number of timers.
func BenchmarkFootprint(b *testing.B) {
	for _, n := range []int{few, 100} {
		b.Run(fmt.Sprintf("timers=%d", n), func(b *testing.B) {
			items, whens := newItems(n)
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			for b.Loop() {
				w := new(asScheduler)
				setAll(w, items, whens)
				for i := range items {
					w.Drop(&items[i])
				}
			}
			runtime.ReadMemStats(&after)
			b.ReportMetric(float64(after.TotalAlloc-before.TotalAlloc)/float64(b.N), "B/wheel")
		})
	}
}
