package clock

import "time"

// State is how a clock runs, and what it shows.
type State struct {
	At     time.Time
	Frozen bool
	Speed  float64 // that of a clock that is not frozen
}

// Changing is a clock that nothing else changes meanwhile: see Offset.Exclusive.
type Changing struct{ o *Offset }

// Exclusive calls f while nothing else moves, stops or changes the clock, which runs on. It waits for an Advance of
// another goroutine to end, so the caller must not hold a lock that the function of a timer takes; f may take it.
func (o *Offset) Exclusive(f func(Changing)) {
	o.changing <- struct{}{}
	defer func() { <-o.changing }()
	f(Changing{o})
}

// State returns how the clock runs now.
func (c Changing) State() State {
	c.o.mu.Lock()
	defer c.o.mu.Unlock()
	return State{At: c.o.Now(), Frozen: c.o.frozen, Speed: c.o.speed}
}

// Restore makes the clock run as it did at a state, from the time that it showed. Each timer keeps the time at which it
// is due, and none is called before the clock shows a later time: those due by then are called soon, in their order.
func (c Changing) Restore(s State) {
	c.o.mu.Lock()
	defer c.o.mu.Unlock()
	now := c.o.Now()
	c.o.frozen, c.o.speed = s.Frozen, s.Speed
	c.o.setReadingLocked(now.Add(s.At.Round(0).Sub(now))) // with the monotonic reading of now
}

// Reset makes the clock agree with the one below it again.
func (c Changing) Reset() {
	c.o.mu.Lock()
	defer c.o.mu.Unlock()
	c.o.frozen, c.o.speed = false, 1
	c.o.reading.Store(&reading{speed: 1})
	c.o.baseFires = time.Time{} // it was counted from another time
	c.o.setBaseLocked()
}
