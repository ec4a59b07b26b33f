package clock

import "time"

// Adjustable is a clock that can be stopped, moved and made faster, such as Offset. Each method waits until those that
// other goroutines have called have returned, so no function that a timer calls may call one.
type Adjustable interface {
	Clock
	// Advance moves the clock forward by d, from one timer that is due to the next; see Offset.Advance.
	Advance(d time.Duration)
	// Set moves the clock to t: forward as Advance does, or back at once.
	Set(t time.Time)
	// Freeze makes the clock stand still until Resume. Advance and Set move it all the same.
	Freeze()
	// Resume ends Freeze: the clock runs on from what it shows.
	Resume()
	// SetSpeed makes the clock run factor times as fast as the one below it, from what it shows. A frozen clock stays
	// frozen. The factor must be greater than 0 and at most MaxSpeed, otherwise SetSpeed panics.
	SetSpeed(factor float64)
	// Exclusive calls f while nothing else moves, stops or changes the clock; see Offset.Exclusive.
	Exclusive(f func(Changing))
}

// MaxSpeed is the largest factor for SetSpeed.
const MaxSpeed = 10_000

// Set moves the clock to t. A time that is ahead is reached as by Advance. An earlier one is shown at once, as if
// the clock of the machine had been set back: each timer keeps the time at which it is due. The clock cannot show a
// time after 2262.
func (o *Offset) Set(t time.Time) {
	o.moveTo(func(now time.Time) time.Time { return now.Add(t.Sub(now)) }) // with the monotonic reading of now
}

// Freeze implements Adjustable.
func (o *Offset) Freeze() { o.change(func() { o.frozen = true }) }

// Resume implements Adjustable.
func (o *Offset) Resume() { o.change(func() { o.frozen = false }) }

// SetSpeed implements Adjustable.
func (o *Offset) SetSpeed(factor float64) {
	if !(0 < factor && factor <= MaxSpeed) {
		panic("clock: SetSpeed out of range")
	}
	o.change(func() { o.speed = factor })
}

// change makes a change to how the clock runs on from what it shows.
func (o *Offset) change(f func()) {
	o.changing <- struct{}{}
	defer func() { <-o.changing }()
	o.mu.Lock()
	defer o.mu.Unlock()
	now := o.Now()
	f()
	o.setReadingLocked(now)
}
