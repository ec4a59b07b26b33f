package store

import "slices"

// preimage is what a key held before its first change in a transaction that may have to run again.
type preimage struct {
	db   int
	key  string
	val  Value  // nil: the key was absent
	when int64  // expiry in ms, 0 for none
	used uint32 // when the key was last used
}

// mark is when a key was last used, before the transaction did.
type mark struct {
	n    *node[item]
	used uint32
}

// noteMark is called before a key is marked as used.
func (tx *Tx) noteMark(n *node[item]) {
	if tx.undoing {
		tx.marks = append(tx.marks, mark{n, n.val.lru()})
	}
}

// markBefore is when a key was last used, before the transaction did.
func (tx *Tx) markBefore(n *node[item]) uint32 {
	for _, m := range tx.marks {
		if m.n == n {
			return m.used
		}
	}
	return n.val.lru()
}

// undoMarks makes keys look as if the transaction had not used them.
func (tx *Tx) undoMarks() {
	for _, m := range slices.Backward(tx.marks) {
		m.n.val.setLRU(m.used)
	}
}

// undoMaxWeight is how many bytes a pre-image may copy. A script that is about to change something larger runs again on
// all shards instead, where no pre-image is needed.
const undoMaxWeight = 4096

// prepare makes ready for the change of a key that was found last. Every write to what is there comes through here first.
func (tx *Tx) prepare(n *node[item]) {
	tx.open(tx.space, n)
	if tx.undoing && !tx.prepared(n.key) {
		tx.keep(n)
	}
}

// keep keeps the pre-image of a key. Where the value is too large to copy the transaction restarts, and keep panics so
// that the write does not happen: see Tx.attempt.
func (tx *Tx) keep(n *node[item]) {
	val := n.val.value()
	if val.Weight() > undoMaxWeight {
		tx.Restart()
		panic("store: escaping")
	}
	tx.undo = append(tx.undo, preimage{db: tx.db, key: n.key, val: tx.copyOf(val), when: n.val.timer.When(),
		used: tx.markBefore(n)})
}

// prepareNew notes that there was no such key before.
func (tx *Tx) prepareNew(n *node[item]) {
	if tx.undoing && !tx.prepared(n.key) {
		tx.undo = append(tx.undo, preimage{db: tx.db, key: n.key})
	}
}

// copyOf is a clone. Most pre-images are small hashes and most are never used, so their memory serves again: see dropUndo.
func (tx *Tx) copyOf(v Value) Value {
	h, ok := v.(*Hash)
	if !ok || h.more != nil {
		return v.Clone()
	}
	spare := tx.spare
	if spare == nil {
		spare = new(Hash)
	}
	tx.spare = nil
	h.copyTo(spare)
	return spare
}

// dropUndo forgets the pre-images.
func (tx *Tx) dropUndo() {
	for i := range tx.undo {
		if h, ok := tx.undo[i].val.(*Hash); ok && h.Packed() {
			tx.spare = h
		}
	}
	clear(tx.undo)
	clear(tx.marks)
	tx.undo, tx.marks = tx.undo[:0], tx.marks[:0]
}

func (tx *Tx) prepared(key string) bool {
	for i := range tx.undo {
		if tx.undo[i].key == key && tx.undo[i].db == tx.db {
			return true
		}
	}
	return false
}

// rollback puts every changed key back, and forgets what was looked at. Watches that were touched stay so: their transaction fails once without need,
// which WATCH allows.
func (tx *Tx) rollback() {
	tx.account()
	db := tx.db
	tx.undoing = false
	tx.undoMarks()
	tx.hits, tx.misses, tx.changes = 0, 0, 0
	for i := range tx.undo {
		p := &tx.undo[i]
		tx.db = p.db
		key := []byte(p.key)
		tx.unlink(key)
		if p.val != nil {
			n := tx.link(key, p.val)
			n.val.setLRU(p.used)
			tx.arm(n, key, p.when)
			p.val = nil // it is in use
		}
	}
	tx.db = db
	for _, f := range tx.undone {
		f()
	}
	clear(tx.effects)
	tx.effects, tx.ready = tx.effects[:0], tx.ready[:0]
}
