// Package clock is where the time of a server comes from: keys expire, scripts see TIME, and connections grow idle by
// it.
package clock

import (
	"sync/atomic"
	"time"
)

// Clock tells the time and calls back later. All methods are safe for concurrent use.
type Clock interface {
	// Now is the wall clock time.
	Now() time.Time
	// AfterFunc calls f in a goroutine of its own once the clock has moved on by d.
	AfterFunc(d time.Duration, f func()) Timer
}

// Timer is a pending AfterFunc call. It is an alias of an unnamed interface, so that the packages which users see
// declare it themselves, and their clocks still are a Clock.
type Timer = interface {
	// Reset moves the call to d from now, whether or not it has happened.
	Reset(d time.Duration)
	// Stop prevents the call; one that has begun goes on.
	Stop()
}

// Holder is a Clock that a test moves on, such as Offset. It goes from one timer to the next only when what the one
// before has begun is at rest: the function that it called has returned, and no hold is left.
type Holder interface {
	// Hold says that work goes on in another goroutine, until done is called, once. It is to be called by the function
	// that the timer calls, or while another hold lasts. Who then waits for this clock, or for work that does, must not
	// hold it.
	Hold() (done func())
}

// Hold is Holder.Hold; for a clock that is no Holder it does nothing.
func Hold(c Clock) (done func()) {
	if h, ok := c.(Holder); ok {
		return h.Hold()
	}
	return func() {}
}

// At has a timer, which is made if it is nil, call f at a moment, at once if that has passed.
func At(c Clock, t Timer, at time.Time, f func()) Timer {
	switch c := c.(type) { // not an interface: another clock may embed an Offset and have its own AfterFunc
	case *Offset:
		return c.at(t, at, f)
	case *Guarded:
		return c.at(t, at, f)
	}
	for {
		rest := at.Sub(c.Now())
		if t == nil {
			t = c.AfterFunc(max(rest, 0), f)
		} else {
			t.Reset(max(rest, 0))
		}
		if rest <= 0 || at.Sub(c.Now()) > rest-time.Millisecond {
			return t
		}
		// The clock was moved between reading it and asking, so it has to be asked again.
	}
}

// Real is the clock of the machine.
type Real struct{}

// Now implements Clock. Should somebody set the machine's clock, it takes up to refMaxAge until it shows.
func (Real) Now() time.Time {
	if r := ref.Load(); r != nil {
		if age := time.Since(*r); age >= 0 && age < refMaxAge { // it is negative from one synctest bubble to another
			return r.Add(age)
		}
	}
	now := time.Now()
	ref.Store(&now)
	return now
}

// ref is a moment from which Real goes on by the monotonic clock: to read one clock takes two thirds of the time that
// time.Now takes to read two, and a short command takes hardly longer than that.
var ref atomic.Pointer[time.Time]

const refMaxAge = time.Second

// AfterFunc implements Clock.
func (Real) AfterFunc(d time.Duration, f func()) Timer { return realTimer{time.AfterFunc(d, f)} }

type realTimer struct{ *time.Timer }

func (t realTimer) Reset(d time.Duration) { t.Timer.Reset(d) }
func (t realTimer) Stop()                 { t.Timer.Stop() }
