package clock

import (
	"math"
	"time"
)

// Advance moves the clock forward by d, from one timer that is due to the next: the clock stops at the time of the
// timer, its function is called, and when it has returned and all holds (see Holder) have ended, the next timer
// follows. So each function sees the same state as if the time had passed in reality, whatever d is. Advance first
// waits for functions that were called before it. Concurrent calls run one after the other.
//
// It waits for work that does not end for about two seconds of real time, less if that happens repeatedly, then no
// longer. A function that a timer calls must not call Advance: it would wait for itself.
//
// It panics if d is negative.
func (o *Offset) Advance(d time.Duration) {
	if d < 0 {
		panic("clock: Advance by a negative duration")
	}
	o.moveTo(func(now time.Time) time.Time { return now.Add(d) })
}

// last is the last time that a clock can be moved to: later ones do not fit into nanoseconds since 1970.
var last = time.Unix(0, math.MaxInt64)

// moveTo moves the clock to the time that target returns for the current one: a time that is ahead is reached from
// timer to timer, an earlier one at once.
func (o *Offset) moveTo(target func(now time.Time) time.Time) {
	o.changing <- struct{}{}
	defer func() { <-o.changing }()
	now := o.stop()
	end := target(now)
	if left := last.Sub(now); end.Sub(now) > left {
		end = now.Add(left)
	}
	defer o.resume(end)
	o.waitForWork()
	for o.beginNext(end) {
		o.waitForWork()
	}
}

// stop makes the clock stand still for moveTo, and returns what it shows.
func (o *Offset) stop() time.Time {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.advancing = true
	now := o.Now()
	o.setReadingLocked(now)
	return now
}

// resume ends what stop began: the clock goes on from a time, if it is not frozen.
func (o *Offset) resume(from time.Time) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.advancing = false
	o.setReadingLocked(from)
}

// setReadingLocked makes the clock show a time, and run from it unless it is frozen or advanced.
func (o *Offset) setReadingLocked(at time.Time) {
	r := &reading{at: at}
	if !o.advancing && !o.frozen {
		r.speed, r.since = o.speed, o.base.Now()
		r.ahead = at.Sub(r.since)
	}
	o.reading.Store(r)
	o.baseFires = time.Time{} // it was counted from another time
	o.setBaseLocked()
}

// beginNext moves the clock to the first timer and calls its function. It reports false if none is due by then.
func (o *Offset) beginNext(end time.Time) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	if !o.pending.due(end) {
		return false
	}
	if due := o.pending[0].due; due.After(o.reading.Load().at) {
		o.setReadingLocked(due)
	}
	o.beginLocked()
	return true
}

// Advance waits for work in slices, so that time in which the machine did not run this process does not use up the
// limit. Work that does not end halves the limit, and work that ends restores it: a large Advance while a server is
// dead takes some seconds in all.
const (
	slice         = 20 * time.Millisecond
	maxWaitSlices = 100 // slices
)

// waitForWork waits until the work of timers has ended, or up to the limit.
func (o *Offset) waitForWork() {
	if o.isIdle() {
		return
	}
	timer := time.NewTimer(slice)
	defer timer.Stop()
	for left := o.waitLimit; left > 0; {
		select {
		case <-o.idle:
			if o.isIdle() {
				o.waitLimit = min(o.waitLimit+o.waitLimit/8+1, maxWaitSlices)
				return
			}
		case <-timer.C:
			left--
			timer.Reset(slice)
		}
	}
	o.waitLimit = max(o.waitLimit/2, 1)
	o.giveUp()
}

func (o *Offset) isIdle() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.current.n == 0
}

// giveUp makes Advance no longer wait for the current work.
func (o *Offset) giveUp() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.current = new(work)
}
