package clock

import "time"

// Advance moves the clock forward by d. It goes from one timer that is due on the way to the next: the clock shows the
// timer's moment and stands still there, the timer's function is called, and when that and all that holds the clock
// (see Holder) has ended, it is the next one's turn. So each finds the world as it would be had the time passed by
// itself, whatever d is. What natural time has begun before is waited for first. Calls take turns.
//
// Work that does not end is not waited for longer than about two seconds of real time, less where that happens again
// and again; from then on nobody waits for it. A function that a timer calls must therefore not call Advance: it would
// wait for itself.
//
// It panics if d is negative.
func (o *Offset) Advance(d time.Duration) {
	if d < 0 {
		panic("clock: Advance by a negative duration")
	}
	o.advancing <- struct{}{}
	defer func() { <-o.advancing }()
	end := o.stop().Add(d)
	defer o.goOn(end)
	o.settle()
	for o.beginNext(end) {
		o.settle()
	}
}

// stop makes the clock stand still, and returns what it shows.
func (o *Offset) stop() time.Time {
	o.mu.Lock()
	defer o.mu.Unlock()
	now := o.Now()
	o.shown.Store(&reading{still: true, at: now})
	return now
}

// goOn makes the clock run on from a moment.
func (o *Offset) goOn(from time.Time) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.shown.Store(&reading{ahead: from.Sub(o.base.Now())})
	o.rings = time.Time{} // it was counted from another time
	o.armLocked()
}

// beginNext moves the clock to the first timer and calls its function. It reports false if none is due by then.
func (o *Offset) beginNext(end time.Time) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	if !o.pending.due(end) {
		return false
	}
	if due := o.pending[0].due; due.After(o.shown.Load().at) {
		o.shown.Store(&reading{still: true, at: due})
	}
	o.beginLocked()
	return true
}

// Work is waited for in slices, so that a machine which has had no time for this process at all has not used up the
// patience. Each work that does not end halves it, and others that do bring it back: who jumps over many moments while
// some server is dead waits some seconds in all.
const (
	slice        = 20 * time.Millisecond
	mostPatience = 100 // slices
)

// settle waits until what timers have begun has ended, or for as long as its patience lasts.
func (o *Offset) settle() {
	if o.atRest() {
		return
	}
	timer := time.NewTimer(slice)
	defer timer.Stop()
	for left := o.patience; left > 0; {
		select {
		case <-o.rest:
			if o.atRest() {
				o.patience = min(o.patience+o.patience/8+1, mostPatience)
				return
			}
		case <-timer.C:
			left--
			timer.Reset(slice)
		}
	}
	o.patience = max(o.patience/2, 1)
	o.giveUp()
}

func (o *Offset) atRest() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.begun.n == 0
}

// giveUp has nobody wait for what goes on now.
func (o *Offset) giveUp() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.begun = new(work)
}
