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
	index int  // in the heap; -1 if it is not set
	lent  bool // set by Lent
}

func newOffsetTimer(o *Offset, f func()) *offsetTimer {
	return &offsetTimer{clock: o, call: f, index: -1}
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
	if t.index < 0 {
		return
	}
	heap.Remove(&o.pending, t.index)
	if len(o.pending) == 0 && o.baseTimer != nil {
		o.baseTimer.Stop()
		o.baseFires = time.Time{}
	}
}

// timerHeap has the timers that are set, the first one at its head.
type timerHeap []*offsetTimer

// set sets or resets a timer.
func (h *timerHeap) set(t *offsetTimer, due time.Time, order uint64) {
	t.due, t.order = due, order
	if t.index < 0 {
		heap.Push(h, t)
		return
	}
	heap.Fix(h, t.index)
}

// due reports whether a timer is to be called by then.
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
	h[i].index, h[j].index = i, j
}

func (h *timerHeap) Push(x any) {
	t := x.(*offsetTimer)
	t.index = len(*h)
	*h = append(*h, t)
}

func (h *timerHeap) Pop() any {
	last := len(*h) - 1
	t := (*h)[last]
	(*h)[last] = nil
	*h = (*h)[:last]
	t.index = -1
	return t
}
