package clock

import (
	"sync"
	"sync/atomic"
	"time"
)

// Offset runs on like the clock below it and can be moved forward by a test. Create it with NewOffset.
type Offset struct {
	base  Clock
	ahead atomic.Int64 // a time.Duration

	mu      sync.Mutex // guards pending and the timers' fields
	pending map[*offsetTimer]struct{}
}

// NewOffset returns a clock that agrees with base until it is advanced.
func NewOffset(base Clock) *Offset {
	return &Offset{base: base, pending: make(map[*offsetTimer]struct{})}
}

// Now implements Clock.
func (o *Offset) Now() time.Time { return o.base.Now().Add(time.Duration(o.ahead.Load())) }

// Advance moves the clock forward by d; calls that fall due on the way start at once. It panics if d is negative.
func (o *Offset) Advance(d time.Duration) {
	if d < 0 {
		panic("clock: Advance by a negative duration")
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.ahead.Add(int64(d))
	now := o.Now()
	for t := range o.pending {
		t.base.Reset(t.due.Sub(now))
	}
}

// AfterFunc implements Clock.
func (o *Offset) AfterFunc(d time.Duration, f func()) Timer {
	t := &offsetTimer{clock: o, call: f}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.armLocked(t, d)
	return t
}

func (o *Offset) armLocked(t *offsetTimer, d time.Duration) {
	t.due = o.Now().Add(d)
	o.pending[t] = struct{}{}
	if t.base == nil {
		t.base = o.base.AfterFunc(d, t.fire)
		return
	}
	t.base.Reset(d)
}

type offsetTimer struct {
	clock *Offset
	call  func()
	due   time.Time
	base  Timer
}

// fire runs in the base clock's goroutine. A timer that was stopped or moved meanwhile does not call.
func (t *offsetTimer) fire() {
	o := t.clock
	o.mu.Lock()
	_, armed := o.pending[t]
	rest := t.due.Sub(o.Now())
	switch {
	case armed && rest > 0:
		t.base.Reset(rest)
		armed = false
	case armed:
		delete(o.pending, t)
	}
	o.mu.Unlock()
	if armed {
		t.call()
	}
}

// Reset implements Timer.
func (t *offsetTimer) Reset(d time.Duration) {
	t.clock.mu.Lock()
	defer t.clock.mu.Unlock()
	t.clock.armLocked(t, d)
}

// Stop implements Timer.
func (t *offsetTimer) Stop() {
	t.clock.mu.Lock()
	defer t.clock.mu.Unlock()
	delete(t.clock.pending, t)
	t.base.Stop()
}
