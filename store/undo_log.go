package store

import "slices"

// A script that turns out to need a key outside its shards runs again with every shard locked, and no client may see
// what the first run wrote. So a transaction that may restart keeps a copy of each key before its first change (a
// pre-image), and on a rollback puts the copies back in place of what the keys hold then.
//
// Invariant: while Tx.mayRestart is set, each key that differs from what it was at the beginning has exactly one
// pre-image, and each key that was marked as used has its former LRU clock in the log, the oldest mark first.
//
// Copies cost time in proportion to the value, so a large one is not copied: the transaction restarts before the
// write, and on all shards no copy is needed. Most pre-images are small hashes, and most are never used; the memory
// of one serves again.

// undoLog is what a transaction has to put back if it restarts.
type undoLog struct {
	images []preImage
	lru    []lruBefore
	hooks  []func() // roll back changes outside the keyspace
	spare  *Hash    // memory for the next pre-image
}

// preImage is what a key held before its first change.
type preImage struct {
	db   int
	key  string
	val  Value  // nil: there was no such key
	when int64  // expiry in ms, 0 for none
	lru  uint32 // when the key was last used
}

// lruBefore is the LRU clock of a key before it was marked as used.
type lruBefore struct {
	n   *node[item]
	lru uint32
}

// undoMaxWeight is how many bytes a pre-image may copy.
const undoMaxWeight = 4096

// has reports whether there is a pre-image of a key.
func (u *undoLog) has(db int, key string) bool {
	for i := range u.images {
		if u.images[i].key == key && u.images[i].db == db {
			return true
		}
	}
	return false
}

// save keeps the pre-image of a key that is about to change. It reports false where the value is too large to copy.
func (u *undoLog) save(db int, n *node[item]) bool {
	val := n.val.value()
	if val.Weight() > undoMaxWeight {
		return false
	}
	image := preImage{db: db, key: n.key, val: u.copyOf(val), when: n.val.timer.When(), lru: u.lruOf(n)}
	u.images = append(u.images, image)
	return true
}

// saveAbsent notes that there was no such key.
func (u *undoLog) saveAbsent(db int, key string) {
	u.images = append(u.images, preImage{db: db, key: key})
}

// copyOf clones a value, a small hash into the spare one.
func (u *undoLog) copyOf(v Value) Value {
	h, ok := v.(*Hash)
	if !ok || h.more != nil {
		return v.Clone()
	}
	spare := u.spare
	if spare == nil {
		spare = new(Hash)
	}
	u.spare = nil
	h.copyTo(spare)
	return spare
}

// saveLRU notes the LRU clock of a key that is about to be marked as used.
func (u *undoLog) saveLRU(n *node[item]) {
	u.lru = append(u.lru, lruBefore{n, n.val.lru()})
}

// lruOf is the LRU clock that a key had before the transaction.
func (u *undoLog) lruOf(n *node[item]) uint32 {
	for _, before := range u.lru {
		if before.n == n {
			return before.lru
		}
	}
	return n.val.lru()
}

// restoreLRU makes keys look as if the transaction had not used them.
func (u *undoLog) restoreLRU() {
	for _, before := range slices.Backward(u.lru) {
		before.n.val.setLRU(before.lru)
	}
}

// reset clears the log for the next transaction. A small hash that it held becomes spare.
func (u *undoLog) reset() {
	for i := range u.images {
		if h, ok := u.images[i].val.(*Hash); ok && h.Packed() {
			u.spare = h
		}
	}
	clear(u.images)
	clear(u.lru)
	clear(u.hooks)
	u.images, u.lru, u.hooks = u.images[:0], u.lru[:0], u.hooks[:0]
}

// OnUndo has f called on a rollback: for changes outside the keyspace that the transaction has made.
func (tx *Tx) OnUndo(f func()) {
	if tx.mayRestart {
		tx.undo.hooks = append(tx.undo.hooks, f)
	}
}

// beforeChange prepares the change of the key of the last lookup: it saves the pre-image, and has the memory of
// the key counted again. Every write to an existing key calls it first. If the transaction has to restart instead,
// beforeChange panics, and Tx.attempt recovers: so the write does not happen.
func (tx *Tx) beforeChange(n *node[item]) {
	tx.memory.open(tx.space, n)
	if tx.mayRestart && !tx.undo.has(tx.db, n.key) && !tx.undo.save(tx.db, n) {
		tx.Restart()
		panic("store: restarting")
	}
}

// noteCreated is beforeChange for a key that there was not.
func (tx *Tx) noteCreated(key string) {
	if tx.mayRestart && !tx.undo.has(tx.db, key) {
		tx.undo.saveAbsent(tx.db, key)
	}
}

// rollback puts every changed key back and drops effects and counts. A Watch that was marked dirty stays so: its
// transaction fails once without need, which WATCH allows.
func (tx *Tx) rollback() {
	tx.memory.close(tx.store, tx.limits)
	tx.mayRestart = false
	tx.undo.restoreLRU()
	tx.counts = counters{}
	for i := range tx.undo.images {
		tx.putBack(&tx.undo.images[i])
	}
	for _, f := range slices.Backward(tx.undo.hooks) {
		f()
	}
	tx.ready.reset()
	tx.dropEffects()
}

// putBack makes a key what it was.
func (tx *Tx) putBack(image *preImage) {
	key := []byte(image.key)
	tx.In(image.db, func() {
		tx.unlink(key)
		if image.val == nil {
			return
		}
		n := tx.link(key, image.val)
		n.val.setLRU(image.lru)
		tx.setExpiry(n, key, image.when)
		image.val = nil // it is in use: reset must not take its memory
	})
}
