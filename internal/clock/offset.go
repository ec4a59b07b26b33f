package clock

import (
	"sync"
	"sync/atomic"
	"time"
)

// Offset runs on like the clock below it and can be moved forward by a test: see Advance. Create it with NewOffset.
type Offset struct {
	base  Clock
	shown atomic.Pointer[reading]

	// capacity 1: full while Advance is at work. A bubble of testing/synctest can see who waits for it.
	advancing chan struct{}
	patience  int // see settle; of whoever is advancing

	mu      sync.Mutex // guards what follows, and changes of shown
	pending timerHeap
	order   uint64    // of the timer that was armed last
	alarm   Timer     // of base, for the first of pending; nil until needed
	rings   time.Time // when alarm does, by this clock; zero if it does not
	begun   *work
	rest    chan struct{} // capacity 1: begun has come to rest
}

// reading is what an Offset shows: so much more than its base, or, while Advance moves it, one moment.
type reading struct {
	ahead time.Duration
	still bool
	at    time.Time
}

// work is what timers have begun and has not ended; the clock's mu guards it.
type work struct{ n int }

// NewOffset returns a clock that agrees with base until it is advanced.
func NewOffset(base Clock) *Offset {
	o := &Offset{base: base, advancing: make(chan struct{}, 1), patience: mostPatience, begun: new(work),
		rest: make(chan struct{}, 1)}
	o.shown.Store(new(reading))
	return o
}

// Now implements Clock.
func (o *Offset) Now() time.Time {
	for {
		r := o.shown.Load()
		if r.still {
			return r.at
		}
		now := o.base.Now().Add(r.ahead)
		if o.shown.Load() == r { // else the clock was moved meanwhile
			return now
		}
	}
}

// AfterFunc implements Clock. Functions are called in the order of their time, and of arming where that is the same.
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

// setLocked arms a timer.
func (o *Offset) setLocked(t *offsetTimer, due time.Time) {
	o.order++
	o.pending.set(t, due, o.order)
	o.armLocked()
}

// armLocked has the alarm ring for the first timer. It rings in vain where that was stopped, as the runtime's timers
// do.
func (o *Offset) armLocked() {
	if len(o.pending) == 0 || o.shown.Load().still {
		return
	}
	first := o.pending[0].due
	if !o.rings.IsZero() && !first.Before(o.rings) {
		return
	}
	o.rings = first
	wait := max(first.Sub(o.Now()), 0)
	if o.alarm == nil {
		o.alarm = o.base.AfterFunc(wait, o.ring)
		return
	}
	o.alarm.Reset(wait)
}

// ring begins what is due. While the clock stands still that is left to Advance.
func (o *Offset) ring() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.rings = time.Time{}
	if o.shown.Load().still {
		return
	}
	for now := o.Now(); o.pending.due(now); {
		o.beginLocked()
	}
	o.armLocked()
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
	w := o.begun
	w.n++
	return func() { o.ended(w) }
}

// ended counts down work that was begun. Of what Advance has given up nobody is told.
func (o *Offset) ended(w *work) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if w.n--; w.n > 0 || w != o.begun {
		return
	}
	select {
	case o.rest <- struct{}{}:
	default:
	}
}
