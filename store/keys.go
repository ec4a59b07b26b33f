package store

import "github.com/minilockd/minilockd/expiry"

// Finding keys, storing and removing them. findLive decides what exists: a key whose time has come (expire.go) is
// removed by the command that looks it up, so no command ever sees one. All writes to the keyspace go through link,
// unlink, remove and setExpiry, which keep the table, the wheels and the accounting in step; a change to an existing
// key calls beforeChange first, so that it can be rolled back.

// Entry is a key that exists, with its value and its expiry. It is valid until the transaction ends or the key is
// removed.
type Entry struct {
	n *node[item]
}

// Exists reports whether there is such a key.
func (e Entry) Exists() bool { return e.n != nil }

// Value is what the key holds; nil if it does not exist.
func (e Entry) Value() Value {
	if e.n == nil {
		return nil
	}
	return e.n.val.value()
}

// KeyLen is the length of the key in bytes.
func (e Entry) KeyLen() int { return len(e.n.key) }

// ExpireAt is when the key expires, in ms since the epoch; ok is false if it does not.
func (e Entry) ExpireAt() (ms int64, ok bool) {
	if e.n == nil || !e.n.val.timer.IsSet() {
		return 0, false
	}
	return e.n.val.timer.When(), true
}

// Mode says what a lookup does in addition to finding the key, as Redis' LOOKUP flags do.
type Mode uint8

// The parts of a mode.
const (
	NoTouch     Mode = 1 << iota // does not mark the key as used
	NoStats                      // is neither hit nor miss, and a miss is no event
	AlwaysTouch                  // marks the key as used even in a quiet transaction (TOUCH command page)
	change                       // keeps the pre-image that a rollback needs
)

// The modes. ForRead counts the lookup as hit or miss, sends the event of a miss, and marks the key as used.
const (
	ForRead  Mode = 0
	ForWrite      = NoStats | change // the value may be changed
	Inspect       = NoTouch | NoStats
)

// Lookup finds a key of the selected database. A key whose time has come is removed on the way, and so are the
// fields of a hash whose time has come: no command can see them.
func (tx *Tx) Lookup(key []byte, mode Mode) Entry {
	e := tx.lookupUnchanged(key, mode)
	if mode&change != 0 && e.n != nil {
		tx.beforeChange(e.n)
	}
	return e
}

// lookupUnchanged is Lookup for a value that does not change, or not yet: it keeps no pre-image.
func (tx *Tx) lookupUnchanged(key []byte, mode Mode) Entry {
	e := tx.find(key, mode&Inspect == NoStats)
	if mode&NoStats == 0 {
		tx.countLookup(key, e.n != nil)
	}
	if mode&NoTouch == 0 && e.n != nil {
		tx.markUsed(e.n, mode)
	}
	return e
}

// LookupPresent finds a key even if its time has come, as long as it is there: nothing removes it, or counts as a use.
func (tx *Tx) LookupPresent(key []byte) Entry { return Entry{tx.locate(key).node} }

// findLive is Lookup with Inspect.
func (tx *Tx) findLive(key []byte) Entry { return tx.find(key, false) }

// find is findLive; toChange says that the command is about to change the key.
func (tx *Tx) find(key []byte, toChange bool) Entry {
	n := tx.locate(key).node
	if n != nil && tx.hasDue(n) && tx.removeDue(tx.shard(key), n, toChange) {
		return Entry{}
	}
	return Entry{n}
}

// countLookup counts a command's lookup as hit or miss, and sends the event of a miss.
func (tx *Tx) countLookup(key []byte, found bool) {
	if found {
		tx.counts.hits++
		return
	}
	tx.counts.misses++
	tx.notify(EventMiss, "keymiss", tx.db, key)
}

// Put stores a value under a key, whatever was there. The expiry of an existing key stays with keepTTL, else it goes.
func (tx *Tx) Put(key []byte, val Value, keepTTL bool) {
	e := tx.find(key, true)
	if e.n == nil {
		tx.link(key, val)
		return
	}
	tx.beforeChange(e.n)
	tx.ReportOverwritten(key, overwrites(e.n, val))
	tx.markUsed(e.n, ForWrite)
	dropFields(e.n)
	tx.signalGone(tx.shard(key), tx.db, e.n)
	val.bind(tx.store.thresholds)
	e.n.val.setValue(val)
	tx.setFieldTimer(e.n, key)
	if !keepTTL {
		tx.setExpiry(e.n, key, 0)
	}
}

// Delete removes a key and reports whether it was there.
func (tx *Tx) Delete(key []byte) bool {
	e := tx.findLive(key)
	if tx.limits.Importing {
		e.n = tx.locate(key).node // one whose time has come is there for DEL
	}
	if e.n == nil {
		return false
	}
	tx.beforeChange(e.n)
	tx.unlink(key)
	return true
}

// SetExpire lets a key expire at a time in ms since the epoch; one that has passed removes it at the next lookup.
// It reports false if there is no such key.
func (tx *Tx) SetExpire(key []byte, when int64) bool {
	e := tx.find(key, true)
	if e.n == nil {
		return false
	}
	tx.beforeChange(e.n)
	tx.markUsed(e.n, ForWrite)
	tx.setExpiry(e.n, key, when)
	return true
}

// Persist takes the expiry from a key and reports whether it had one.
func (tx *Tx) Persist(key []byte) bool {
	e := tx.find(key, true)
	if e.n == nil {
		return false
	}
	tx.markUsed(e.n, ForWrite)
	if !e.n.val.timer.IsSet() {
		return false
	}
	tx.beforeChange(e.n)
	tx.setExpiry(e.n, key, 0)
	return true
}

// link stores a new key without an expiry.
func (tx *Tx) link(key []byte, val Value) *node[item] {
	if tx.store.expiryHeld.Load() || tx.limits.Importing {
		tx.unlink(key) // it may be there, expired and not removed
	}
	tx.notify(EventNew, "new", tx.db, key)
	val.bind(tx.store.thresholds)
	l := tx.locate(key)
	l.node = newNode(key)
	l.node.val.setValue(val)
	l.node.val.setLRU(tx.newLRU())
	l.space = tx.shardAt(l, key).makeSpace(tx.db)
	l.space.dict.insert(l.hash, l.node)
	tx.noteCreated(l.node.key)
	tx.setFieldTimer(l.node, key)
	tx.memory.add(l.space, l.node)
	tx.signalValue(l, key)
	return l.node
}

// unlink removes a key with its timers.
func (tx *Tx) unlink(key []byte) {
	l := tx.locate(key)
	if l.node == nil {
		return
	}
	tx.signalGone(tx.shardAt(l, key), tx.db, l.node)
	l.space.dict.removeHashed(l.hash, key)
	l.space.wheel.Drop(&l.node.val.timer)
	dropFields(l.node)
	tx.memory.remove(l.space, l.node)
	l.node = nil
}

// setExpiry sets the expiry of a key, or drops it if when is 0.
func (tx *Tx) setExpiry(n *node[item], key []byte, when int64) {
	if when == 0 && !n.val.timer.IsSet() {
		return
	}
	sh := tx.shard(key)
	ks := sh.makeSpace(tx.db)
	if when == 0 {
		ks.wheel.Drop(&n.val.timer)
		return
	}
	setTimer(tx, sh, &ks.wheel, &n.val.timer, n, when)
}

// setTimer sets a timer, and makes the shard and the timer of the store due in time for it.
func setTimer[T any](tx *Tx, sh *shard, wheel *expiry.Wheel[T], t *expiry.Timer[T], owner *T, when int64) {
	if wheel.Len() == 0 {
		wheel.Advance(tx.Now(), nil) // the time of an empty wheel is still that of its last timer
	}
	wheel.Set(t, owner, when)
	if next, _ := wheel.Next(); next < sh.due.Load() {
		sh.due.Store(next)
		tx.store.timer.fireBy(next)
	}
}
