package expiry

import (
	"container/heap"
	"fmt"
	"math/rand/v2"
	"runtime"
	"testing"
)

// scheduler is what the benchmarks need of the wheel and of its rival.
type scheduler interface {
	Set(it *heapItem, when int64)
	Drop(it *heapItem)
	Advance(now int64, expired func(*heapItem))
}

// heapItem can be armed in either.
type heapItem struct {
	timer Timer[heapItem]
	when  int64
	index int // in the heap, or -1
}

// asScheduler is the wheel behind the common interface.
type asScheduler struct{ Wheel[heapItem] }

func (w *asScheduler) Set(it *heapItem, when int64) { w.Wheel.Set(&it.timer, it, when) }
func (w *asScheduler) Drop(it *heapItem)            { w.Wheel.Drop(&it.timer) }

// heapScheduler is the naive rival: the library's binary heap.
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
	population = 100_000
	spreadMs   = 10_000
)

// benchBoth runs a workload on the wheel and on the heap.
func benchBoth(b *testing.B, run func(b *testing.B, s scheduler)) {
	b.Run("wheel", func(b *testing.B) { b.ReportAllocs(); run(b, new(asScheduler)) })
	b.Run("heap", func(b *testing.B) { b.ReportAllocs(); run(b, new(heapScheduler)) })
}

// newItems returns n items that are not armed, and as many deadlines spread over ten seconds from noon on.
func newItems(n int) ([]heapItem, []int64) {
	items, whens := make([]heapItem, n), make([]int64, n)
	rnd := rand.New(rand.NewPCG(1, 2))
	for i := range items {
		items[i].index = -1
		whens[i] = noon + 1 + rnd.Int64N(spreadMs)
	}
	return items, whens
}

func nothing(*heapItem) {}

// armAll starts the scheduler at noon and arms everything.
func armAll(s scheduler, items []heapItem, whens []int64) {
	s.Advance(noon, nothing)
	for i := range items {
		s.Set(&items[i], whens[i])
	}
}

// BenchmarkSet arms timers that are not armed, up to a hundred thousand, then starts anew.
func BenchmarkSet(b *testing.B) {
	benchBoth(b, func(b *testing.B, s scheduler) {
		items, whens := newItems(population)
		armAll(s, items, whens)
		for i := 0; b.Loop(); i++ {
			n := i % population
			if n == 0 {
				b.StopTimer()
				s.Advance(noon+spreadMs, nothing)
				s.Advance(noon, nothing)
				b.StartTimer()
			}
			s.Set(&items[n], whens[n])
		}
	})
}

// BenchmarkRearm postpones one of a hundred thousand armed timers, as a lock's watchdog does.
func BenchmarkRearm(b *testing.B) {
	benchBoth(b, func(b *testing.B, s scheduler) {
		items, whens := newItems(population)
		armAll(s, items, whens)
		for i := 0; b.Loop(); i++ {
			s.Set(&items[i%population], whens[(i+i/population)%population]) // another deadline in each round
		}
	})
}

// BenchmarkRearm_Few does the same where only a few timers are armed, and asks when to wake each time.
func BenchmarkRearm_Few(b *testing.B) {
	b.ReportAllocs()
	var w Wheel[heapItem]
	items, whens := newItems(1000)
	for i := 0; b.Loop(); i++ {
		it := &items[i%few]
		w.Set(&it.timer, it, whens[i%len(whens)])
		w.Next()
	}
}

// BenchmarkDrop cancels timers out of a hundred thousand, then arms them anew off the clock.
func BenchmarkDrop(b *testing.B) {
	benchBoth(b, func(b *testing.B, s scheduler) {
		items, whens := newItems(population)
		for i := 0; b.Loop(); i++ {
			n := i % population
			if n == 0 {
				b.StopTimer()
				armAll(s, items, whens)
				b.StartTimer()
			}
			s.Drop(&items[n])
		}
	})
}

// BenchmarkMillion arms a million timers over ten seconds and advances through these millisecond by millisecond.
func BenchmarkMillion(b *testing.B) {
	const million = 1_000_000
	benchBoth(b, func(b *testing.B, s scheduler) {
		items, whens := newItems(million)
		expired := 0
		count := func(*heapItem) { expired++ }
		for b.Loop() {
			armAll(s, items, whens)
			for now := noon; now <= noon+spreadMs; now++ {
				s.Advance(now, count)
			}
		}
		if expired != b.N*million {
			b.Fatalf("%d of %d expired", expired, b.N*million)
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
				armAll(w, items, whens)
				for i := range items {
					w.Drop(&items[i])
				}
			}
			runtime.ReadMemStats(&after)
			b.ReportMetric(float64(after.TotalAlloc-before.TotalAlloc)/float64(b.N), "B/wheel")
		})
	}
}
