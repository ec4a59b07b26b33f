package clock

import "time"

// Lent is an Offset for those outside of a server, such as a lock client: their timers are their own business, and
// PendingTimers does not count them.
type Lent struct{ *Offset }

// AfterFunc implements Clock.
func (l Lent) AfterFunc(d time.Duration, f func()) Timer {
	t := newOffsetTimer(l.Offset, f)
	t.lent = true
	t.Reset(d)
	return t
}
