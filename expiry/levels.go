package expiry

import (
	"math"
	"math/bits"
)

const (
	slotBits   = 6
	slotCount  = 1 << slotBits // as many as the bits of a word, so that one word is the map of used slots of a level
	levelCount = (64 + slotBits - 1) / slotBits
)

// levels is the hierarchy of slots. It counts time in keys (see key).
//
// Invariants: no timer is before the cursor; the timers of level n share with the cursor every bit above group n, and
// are ahead of it in group n (in level 0, possibly level with it); bit s of used[n] is set if and only if slot s
// of level n is not empty.
type levels[T any] struct {
	phase  uint64 // see Wheel.Phase
	cursor uint64
	used   [levelCount]uint64
	slots  [levelCount]*[slotCount]list[T] // nil until used
}

// position names a slot and the first key that belongs to it.
type position struct {
	level, slot int
	start       uint64
}

// key maps times to unsigned numbers in the same order, negative times included, so that their bits can be compared
// group by group from the top. The phase makes the groups begin elsewhere; the last times of all, where adding it
// would overflow, share one key.
func (v *levels[T]) key(ms int64) uint64 {
	k := uint64(ms) ^ 1<<63
	return k + min(v.phase, math.MaxUint64-k)
}

// timeOf is the inverse of key, and the earliest time of those that share one.
func (v *levels[T]) timeOf(k uint64) int64 { return int64((k - min(v.phase, k)) ^ 1<<63) }

// slotOf returns group number level of k.
func slotOf(k uint64, level int) int { return int(k >> (level * slotBits) % slotCount) }

// insert puts t, which must not be before the cursor, in the slot for its deadline.
func (v *levels[T]) insert(t *Timer[T]) {
	k := v.key(t.when)
	level := (bits.Len64(k^v.cursor|1) - 1) / slotBits // |1: the cursor's own millisecond is in level 0
	slot := slotOf(k, level)
	if v.slots[level] == nil {
		v.slots[level] = new([slotCount]list[T])
	}
	t.level = int8(level)
	v.slots[level][slot].push(t)
	v.used[level] |= 1 << slot
}

// remove takes t out of its slot.
func (v *levels[T]) remove(t *Timer[T]) {
	level := int(t.level)
	slot := slotOf(v.key(t.when), level)
	l := &v.slots[level][slot]
	l.remove(t)
	if l.head == nil {
		v.used[level] &^= 1 << slot
	}
}

// first returns the used slot that begins first. Used slots are never behind the cursor, so this is the
// lowest bit of the lowest level in use.
func (v *levels[T]) first() (p position, ok bool) {
	for level, used := range &v.used { // by address: a copy would cost more than the search
		if used != 0 {
			slot := bits.TrailingZeros64(used)
			return position{level, slot, v.start(level, slot)}, true
		}
	}
	return position{}, false
}

// start returns the first key of a slot ahead of the cursor: the cursor's bits above the level's group, then the slot.
func (v *levels[T]) start(level, slot int) uint64 {
	shift := level * slotBits
	return v.cursor>>(shift+slotBits)<<(shift+slotBits) | uint64(slot)<<shift
}

// due moves the cursor towards now, up to the first timer that is due, and returns this without removing it. It
// returns nil when the cursor has come to now.
func (v *levels[T]) due(now uint64) *Timer[T] {
	for {
		p, ok := v.first()
		if !ok || p.start > now {
			v.cursor = max(v.cursor, now)
			return nil
		}
		v.cursor = p.start
		if p.level == 0 {
			return v.slots[0][p.slot].head
		}
		v.cascade(p)
	}
}

// cascade moves the timers of the slot at whose start the cursor is to lower levels. These are empty then, so timers
// with the same deadline keep the order of Set.
func (v *levels[T]) cascade(p position) {
	v.used[p.level] &^= 1 << p.slot
	v.slots[p.level][p.slot].drain(v.insert)
}

// next returns the earliest deadline if it is cheap to find, else the start of the slot that it is in.
func (v *levels[T]) next() (ms int64, ok bool) {
	p, ok := v.first()
	if !ok {
		return 0, false
	}
	if p.level == 0 {
		return v.timeOf(p.start), true
	}
	if when, found := v.slots[p.level][p.slot].earliest(few); found {
		return when, true
	}
	return v.timeOf(p.start), true
}

// each calls f for every timer.
func (v *levels[T]) each(f func(*Timer[T])) {
	for level, used := range &v.used {
		for ; used != 0; used &= used - 1 {
			v.slots[level][bits.TrailingZeros64(used)].each(f)
		}
	}
}
