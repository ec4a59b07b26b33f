package clock

import "time"

// Guarded is an Offset as a server uses it itself: before a function that it calls has returned, rescue is deferred,
// which may recover from a panic. So one in a timer's function ends that and nothing else. Create it with NewGuarded.
type Guarded struct {
	*Offset
	rescue func()
}

// NewGuarded returns o for functions that are guarded by rescue.
func NewGuarded(o *Offset, rescue func()) *Guarded { return &Guarded{Offset: o, rescue: rescue} }

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
		defer g.rescue()
		f()
	}
}
