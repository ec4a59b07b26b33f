package expiry

import (
	"fmt"
	"math"
	"math/bits"
)

// Check returns the first of the invariants of Wheel and levels that does not hold, or nil. It visits every timer and
// is meant for tests: not while Advance runs, nor after an Advance that ended in a panic, which leaves timers in the
// batch until the next one.
func (w *Wheel[T]) Check() error {
	var c checker
	c.require(w.batch.head == nil, "a timer is left in the batch")
	n := checkQueue(&c, w)
	if w.levels != nil {
		c.require(w.levels.cursor == w.levels.key(w.now), "the cursor is not at the time of the last Advance")
		for level := range levelCount {
			n += checkLevel(&c, w.levels, level)
		}
	}
	c.require(n == w.count, "%d timers counted, %d found", w.count, n)
	return c.err
}

// checker keeps the first violation.
type checker struct{ err error }

func (c *checker) require(ok bool, format string, args ...any) {
	if !ok && c.err == nil {
		c.err = fmt.Errorf("expiry: "+format, args...)
	}
}

// checkQueue checks the queue and counts its timers.
func checkQueue[T any](c *checker, w *Wheel[T]) int {
	last := int64(math.MinInt64)
	return checkRing(c, &w.queue, func(t *Timer[T]) {
		c.require(t.level == inQueue, "a timer in the queue has level %d", t.level)
		c.require(w.levels == nil || t.when <= w.now, "a timer in the queue is still to come: %d", t.when)
		c.require(w.unsorted || last <= t.when, "the queue is out of order at %d", t.when)
		last = t.when
	})
}

// checkLevel checks a level with its map of used slots, and counts its timers.
func checkLevel[T any](c *checker, v *levels[T], level int) (n int) {
	if v.slots[level] == nil {
		c.require(v.used[level] == 0, "level %d has no slots, and some of them are used", level)
		return 0
	}
	for slot := range slotCount {
		l := &v.slots[level][slot]
		used := v.used[level]>>slot&1 == 1
		c.require(used == (l.head != nil), "slot %d of level %d: wrong bit in the map", slot, level)
		n += checkRing(c, l, func(t *Timer[T]) {
			k := v.key(t.when)
			c.require(k > v.cursor, "%d is not ahead of the cursor", t.when)
			own := (bits.Len64(k^v.cursor) - 1) / slotBits
			c.require(own == level && int(t.level) == level, "%d is in level %d, not %d", t.when, level, own)
			c.require(slotOf(k, level) == slot, "%d is in slot %d, not %d", t.when, slot, slotOf(k, level))
		})
	}
	return n
}

// checkRing follows a list forwards, checks the links backwards, and counts.
func checkRing[T any](c *checker, l *list[T], check func(*Timer[T])) (n int) {
	for t := l.head; t != nil && c.err == nil; t = t.next {
		c.require(t.next != nil && t.next.prev == t && t.prev.next == t, "the ring of a list is broken")
		check(t)
		if n++; t.next == l.head {
			break
		}
	}
	return n
}
