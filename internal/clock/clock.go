// Package clock is where the time of a server comes from: the expiry of keys, TIME, and the idle time of connections
// follow it.
package clock

import (
	"sync/atomic"
	"time"
)

// Clock returns the time and calls functions later. All methods are safe for concurrent use.
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
	// Stop prevents the call; it does not stop one that has started.
	Stop()
}

// Holder is a Clock that a test advances, such as Offset. It goes from one timer to the next only when the function of
// the one before has returned and all holds have ended.
type Holder interface {
	// Hold begins a hold, for work in another goroutine; done ends it and must be called once. The function of a timer
	// calls it, or another goroutine during another hold. Code that waits for this clock must not hold it.
	Hold() (done func())
}

// Hold is Holder.Hold; for a clock that is no Holder it does nothing.
func Hold(c Clock) (done func()) {
	if h, ok := c.(Holder); ok {
		return h.Hold()
	}
	return func() {}
}

// At sets a timer, which it makes if t is nil, to call f at a time, or at once if that has passed.
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
		// The clock was moved between Now and AfterFunc or Reset, so the timer has to be set again.
	}
}

// Real is the clock of the machine.
type Real struct{}

// Now implements Clock. A change of the clock of the machine takes effect after up to refMaxAge.
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

// ref is a time from which Real continues with the monotonic clock: reading one clock takes two thirds of the time of
// time.Now, which reads two, and a short command takes little more than that.
var ref atomic.Pointer[time.Time]

const refMaxAge = time.Second

// AfterFunc implements Clock.
func (Real) AfterFunc(d time.Duration, f func()) Timer { return realTimer{time.AfterFunc(d, f)} }

type realTimer struct{ *time.Timer }

func (t realTimer) Reset(d time.Duration) { t.Timer.Reset(d) }
func (t realTimer) Stop()                 { t.Timer.Stop() }
