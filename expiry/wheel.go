package expiry

// few is the number of timers that a wheel keeps in one list before it allocates levels, and the number that Next looks
// through to name the exact moment rather than the start of a slot. Both walks stay within a few cache lines.
const few = 8

// Where a timer is when it is not in a level; Timer.level holds the level's number otherwise.
const (
	inQueue int8 = -1
	inBatch int8 = -2
)

// Timer is one deadline; it is a field of what expires, its owner. The zero value is not set.
//
// A timer belongs to the wheel that it is set in until it expires or is dropped; until then it must not be copied, nor
// set in another wheel. The lock that guards the wheel guards the timer.
type Timer[T any] struct {
	next, prev *Timer[T] // in the ring of a slot, the queue or the batch; nil when not set
	when       int64
	level      int8

	// Tag, Mark and Spare belong to the owner, who gives them a meaning: the wheel never reads or changes them. They
	// take the place of padding, so that an owner of many timers has six bytes each for nothing.
	Tag   uint8
	Mark  bool
	Spare uint32
}

// IsSet reports whether t waits in a wheel.
func (t *Timer[T]) IsSet() bool { return t.next != nil }

// When returns the deadline in milliseconds since the epoch, or 0 if t is not set.
func (t *Timer[T]) When() int64 { return t.when }

// Wheel holds the timers of one shard. The zero value is an empty wheel; a wheel must not be copied once used. See
// the package comment for who may call it when.
//
// Invariant, except while Advance runs: a timer is in a level if and only if levels exist and its deadline is after
// now.
type Wheel[T any] struct {
	// Phase moves the times at which slots are split into lower levels by so many milliseconds. Wheels that are
	// advanced one after the other get different ones, so that their largest slots are not due together. Set it
	// before the first timer.
	Phase uint16

	now      int64      // the latest time given to Advance
	count    int        // timers in queue, batch and levels
	queue    list[T]    // sorted by deadline unless unsorted is set
	batch    list[T]    // due and taken from the queue by an Advance that has not passed them to expired yet
	levels   *levels[T] // nil until the wheel has held more than a few timers
	unsorted bool
	offset   uint32 // of every timer within its owner, in bytes
}

// Set makes the first Advance to when or later call its function with owner; when may be in the past. If t is set
// already, it is dropped first, so it comes last among the timers of its millisecond. O(1); allocates only at the first
// use of a level.
//
// It panics unless t is a field of *owner, and the same one for all timers of a wheel.
func (w *Wheel[T]) Set(t *Timer[T], owner *T, when int64) {
	w.Drop(t)
	if w.levels == nil && w.count == few {
		w.makeLevels()
	}
	w.checkOwner(t, owner)
	t.when = when
	w.insert(t)
	w.count++
}

// Drop cancels t, and does nothing if t is not set. O(1).
func (w *Wheel[T]) Drop(t *Timer[T]) {
	if t.IsSet() {
		w.unlink(t)
	}
}

// Advance calls expired with the owner of each timer whose deadline is now or earlier, in the order of the deadlines
// and, at the same millisecond, in the order of Set. The timer is not set any more when expired is called.
//
// expired may Set and Drop any timer of w, but not call Advance. A timer that expired drops does not expire; one that
// it sets expires in the next Advance at the earliest, even if it is due at once, so Advance always ends. Should
// expired panic, the other timers that are due stay set for the next Advance.
func (w *Wheel[T]) Advance(now int64, expired func(*T)) {
	if w.count == 0 {
		w.reset(now)
		return
	}
	w.now = max(w.now, now)
	w.collect(now)
	for t := w.due(now); t != nil; t = w.due(now) {
		owner := w.owner(t)
		w.unlink(t)
		expired(owner)
	}
}

// Next returns a time, in milliseconds since the epoch, that is not later than the earliest deadline, and at which
// Advance expires a timer or moves some to a lower level; ok is false if no timer is set. It is the earliest
// deadline itself unless this shares a slot of a higher level with many others. An owner who calls Advance at these
// times only does so at most once per level for each timer.
func (w *Wheel[T]) Next() (ms int64, ok bool) {
	w.sortQueue()
	for _, l := range [...]list[T]{w.batch, w.queue} {
		if t := l.head; t != nil && (!ok || t.when < ms) {
			ms, ok = t.when, true
		}
	}
	if w.levels == nil {
		return ms, ok
	}
	if start, found := w.levels.next(); found && (!ok || start < ms) {
		return start, true
	}
	return ms, ok
}

// Len returns the number of timers that are set.
func (w *Wheel[T]) Len() int { return w.count }

// Each calls f for the owner of every timer that is set, in no particular order. It is meant for checks in tests: it
// visits everything, and f must not change the wheel.
func (w *Wheel[T]) Each(f func(*T)) {
	visit := func(t *Timer[T]) { f(w.owner(t)) }
	w.batch.each(visit)
	w.queue.each(visit)
	if w.levels != nil {
		w.levels.each(visit)
	}
}

// reset moves an empty wheel to a time before or after its own.
func (w *Wheel[T]) reset(now int64) {
	w.now = now
	if w.levels != nil {
		w.levels.cursor = w.levels.key(now)
	}
}

// collect moves what is due from the queue to the batch, so that Advance does not also expire what expired sets.
func (w *Wheel[T]) collect(now int64) {
	w.sortQueue()
	for t := w.queue.head; t != nil && t.when <= now; t = w.queue.head {
		w.queue.remove(t)
		t.level = inBatch
		w.batch.push(t)
	}
}

// due returns the next timer to expire, or nil. The batch comes first: its deadlines are no later than those in the
// levels, which an earlier Advance has not been past.
func (w *Wheel[T]) due(now int64) *Timer[T] {
	if t := w.batch.head; t != nil && t.when <= now {
		return t
	}
	if w.levels == nil {
		return nil
	}
	return w.levels.due(w.levels.key(now))
}

// insert puts t, whose deadline is set, in the queue or in a level.
func (w *Wheel[T]) insert(t *Timer[T]) {
	if w.levels != nil && t.when > w.now {
		w.levels.insert(t)
		return
	}
	if tail := w.queue.tail(); tail != nil && tail.when > t.when {
		w.unsorted = true
	}
	t.level = inQueue
	w.queue.push(t)
}

// makeLevels gives the wheel its levels and moves there what is still to come.
func (w *Wheel[T]) makeLevels() {
	w.levels = &levels[T]{phase: uint64(w.Phase)}
	w.levels.cursor = w.levels.key(w.now)
	w.queue.drain(w.insert)
}

// sortQueue puts the queue in order. Most timers are set in order, and few go to the queue at all, so it is put off
// until the order matters.
func (w *Wheel[T]) sortQueue() {
	if w.unsorted {
		w.queue.sort()
		w.unsorted = false
	}
}

// unlink takes t, which must be set, out of the wheel and makes it a zero Timer, except for the fields that belong
// to the owner.
func (w *Wheel[T]) unlink(t *Timer[T]) {
	switch t.level {
	case inQueue:
		w.queue.remove(t)
	case inBatch:
		w.batch.remove(t)
	default:
		w.levels.remove(t)
	}
	*t = Timer[T]{Tag: t.Tag, Mark: t.Mark, Spare: t.Spare}
	w.count--
}
