package clock

import (
	"math"
	"sync/atomic"
	"time"

	"github.com/minilockd/minilockd/internal/lockrank"
)

// Offset runs on like the clock below it until a test moves it (Advance, Set), stops it (Freeze) or makes it faster or
// slower (SetSpeed). Create it with NewOffset.
type Offset struct {
	base    Clock
	reading atomic.Pointer[reading]

	// capacity 1: full while the clock is moved, stopped or changed. Not a mutex, since a bubble of testing/synctest
	// treats a goroutine that waits for a channel as blocked.
	changing  chan struct{}
	waitLimit int // see waitForWork; used only by Advance and Set

	mu        lockrank.Mutex[lockrank.Clock] // guards what follows, and changes of reading
	advancing bool                           // Advance or Set goes from timer to timer, and calls their functions
	frozen    bool                           // see Freeze
	speed     float64                        // see SetSpeed
	pending   timerHeap
	order     uint64    // of the last set
	baseTimer Timer     // of base, for the first of pending; nil until first used
	baseFires time.Time // when baseTimer fires, by this clock; zero if it is not set
	current   *work
	idle      chan struct{} // capacity 1: current has ended
}

// reading is how an Offset tells the time: from base, or a fixed time.
type reading struct {
	speed float64       // of base; 0 if the clock stands still
	ahead time.Duration // of base, if speed is 1: that saves a multiplication
	at    time.Time     // the fixed time, or what the clock showed when base showed since
	since time.Time
}

// time is what the clock shows when base shows a time.
func (r *reading) time(base time.Time) time.Time {
	switch r.speed {
	case 0:
		return r.at
	case 1:
		if r.ahead == 0 { // saves the addition
			return base
		}
		return base.Add(r.ahead)
	}
	return r.at.Add(duration(float64(base.Sub(r.since)) * r.speed))
}

// duration is a number of nanoseconds, or the longest duration if that is shorter.
func duration(ns float64) time.Duration {
	if ns >= math.MaxInt64 {
		return math.MaxInt64
	}
	return time.Duration(ns)
}

// work counts the functions and holds that have not ended; the clock's mu guards it.
type work struct{ n int }

// NewOffset returns a clock that agrees with base until it is advanced.
func NewOffset(base Clock) *Offset {
	o := &Offset{base: base, changing: make(chan struct{}, 1), waitLimit: maxWaitSlices, speed: 1, current: new(work),
		idle: make(chan struct{}, 1)}
	o.reading.Store(&reading{speed: 1})
	return o
}

// Now implements Clock.
func (o *Offset) Now() time.Time {
	for {
		r := o.reading.Load()
		if r.speed == 0 {
			return r.at
		}
		now := r.time(o.base.Now())
		if o.reading.Load() == r { // else the clock was changed in between
			return now
		}
	}
}

// AfterFunc implements Clock. Functions are called in the order of their times, and for equal times in the order in
// which they were set.
func (o *Offset) AfterFunc(d time.Duration, f func()) Timer {
	t := newOffsetTimer(o, f)
	t.Reset(d)
	return t
}

// at is At for an Offset, to the nanosecond.
func (o *Offset) at(t Timer, at time.Time, f func()) Timer {
	own, ok := t.(*offsetTimer)
	if !ok {
		own = newOffsetTimer(o, f)
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	now := o.Now()
	o.setLocked(own, now.Add(at.Sub(now))) // with the monotonic reading of now, so that all timers compare by that
	return own
}

// setLocked sets a timer.
func (o *Offset) setLocked(t *offsetTimer, due time.Time) {
	o.order++
	o.pending.set(t, due, o.order)
	o.setBaseLocked()
}

// setBaseLocked sets baseTimer for the first timer. If that is stopped later, baseTimer fires without need. While the
// clock stands still, only what is due already will ever be called.
func (o *Offset) setBaseLocked() {
	if len(o.pending) == 0 || o.advancing {
		return
	}
	first := o.pending[0].due
	if !o.baseFires.IsZero() && !first.Before(o.baseFires) {
		return
	}
	wait := max(first.Sub(o.Now()), 0)
	if o.frozen && wait > 0 {
		return
	}
	o.baseFires = first
	if o.speed != 1 {
		wait = duration(math.Ceil(float64(wait) / o.speed))
	}
	if o.baseTimer == nil {
		o.baseTimer = o.base.AfterFunc(wait, o.fire)
		return
	}
	o.baseTimer.Reset(wait)
}

// fire calls the functions of timers that are due, unless Advance or Set runs, which calls them itself.
func (o *Offset) fire() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.baseFires = time.Time{}
	if o.advancing {
		return
	}
	for now := o.Now(); o.pending.due(now); {
		o.beginLocked()
	}
	o.setBaseLocked()
}

// beginLocked calls the function of the first timer.
func (o *Offset) beginLocked() {
	t, done := o.pending.pop(), o.holdLocked()
	go func() {
		defer done()
		t.call()
	}()
}

// Hold implements Holder.
func (o *Offset) Hold() (done func()) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.holdLocked()
}

func (o *Offset) holdLocked() (done func()) {
	w := o.current
	w.n++
	return func() { o.ended(w) }
}

// ended counts down work. Work that Advance no longer waits for does not signal.
func (o *Offset) ended(w *work) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if w.n--; w.n > 0 || w != o.current {
		return
	}
	select {
	case o.idle <- struct{}{}:
	default:
	}
}
