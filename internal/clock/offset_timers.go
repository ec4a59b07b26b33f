package clock

import (
	"container/heap"
	"time"
)

// offsetTimer is a Timer of an Offset, whose mu guards all but call.
type offsetTimer struct {
	clock *Offset
	call  func()
	due   time.Time
	order uint64
	place int // in the heap; -1 if it is not armed
}

func newOffsetTimer(o *Offset, f func()) *offsetTimer {
	return &offsetTimer{clock: o, call: f, place: -1}
}

// Reset implements Timer.
func (t *offsetTimer) Reset(d time.Duration) {
	o := t.clock
	o.mu.Lock()
	defer o.mu.Unlock()
	o.setLocked(t, o.Now().Add(d))
}

// Stop implements Timer.
func (t *offsetTimer) Stop() {
	o := t.clock
	o.mu.Lock()
	defer o.mu.Unlock()
	if t.place < 0 {
		return
	}
	heap.Remove(&o.pending, t.place)
	if len(o.pending) == 0 && o.alarm != nil {
		o.alarm.Stop()
		o.rings = time.Time{}
	}
}

// timerHeap has the timers that are armed, the first one at its head.
type timerHeap []*offsetTimer

// set arms a timer, or arms it anew.
func (h *timerHeap) set(t *offsetTimer, due time.Time, order uint64) {
	t.due, t.order = due, order
	if t.place < 0 {
		heap.Push(h, t)
		return
	}
	heap.Fix(h, t.place)
}

// due reports whether there is a timer to be called by then.
func (h timerHeap) due(by time.Time) bool { return len(h) > 0 && !h[0].due.After(by) }

// pop takes out the first one.
func (h *timerHeap) pop() *offsetTimer { return heap.Pop(h).(*offsetTimer) }

// Len, Less, Swap, Push and Pop implement heap.Interface.
func (h timerHeap) Len() int { return len(h) }

func (h timerHeap) Less(i, j int) bool {
	if c := h[i].due.Compare(h[j].due); c != 0 {
		return c < 0
	}
	return h[i].order < h[j].order
}

func (h timerHeap) Swap(i, j int) {
	h[i], h[j] = h[j], h[i]
	h[i].place, h[j].place = i, j
}

func (h *timerHeap) Push(x any) {
	t := x.(*offsetTimer)
	t.place = len(*h)
	*h = append(*h, t)
}

func (h *timerHeap) Pop() any {
	last := len(*h) - 1
	t := (*h)[last]
	(*h)[last] = nil
	*h = (*h)[:last]
	t.place = -1
	return t
}
