package clock

import "time"

// Guarded is an Offset whose timer functions run with a deferred function, which may recover from a panic. Create it
// with NewGuarded.
type Guarded struct {
	*Offset
	recoverPanic func()
}

// NewGuarded returns a clock that defers recoverPanic in each timer function.
func NewGuarded(o *Offset, recoverPanic func()) *Guarded {
	return &Guarded{Offset: o, recoverPanic: recoverPanic}
}

// AfterFunc implements Clock.
func (g *Guarded) AfterFunc(d time.Duration, f func()) Timer {
	return g.Offset.AfterFunc(d, g.guard(f))
}

// at is At.
func (g *Guarded) at(t Timer, at time.Time, f func()) Timer {
	if t == nil {
		f = g.guard(f)
	}
	return g.Offset.at(t, at, f)
}

func (g *Guarded) guard(f func()) func() {
	return func() {
		defer g.recoverPanic()
		f()
	}
}
