package store

// preimage is what a key held before its first change in a transaction that may have to run again.
type preimage struct {
	db   int
	key  string
	val  Value // nil: the key was absent
	when int64 // expiry in ms, 0 for none
}

// undoMaxWeight is how many bytes a pre-image may copy. A script that is about to change something larger runs again on
// all shards instead, where no pre-image is needed.
const undoMaxWeight = 4096

// prepare keeps the pre-image of a key that is about to change. Every write comes through here first. Where the value is
// too large to copy it escapes, and panics so that the write does not happen: see Tx.attempt.
func (tx *Tx) prepare(n *node[item], key []byte) {
	if !tx.undoing || tx.prepared(key) {
		return
	}
	p := preimage{db: tx.db}
	if n == nil {
		p.key = string(key)
	} else {
		p.key = n.key
		if n.val.val.Weight() > undoMaxWeight {
			tx.Escape()
			panic("store: escaping")
		}
		p.val, p.when = n.val.val.Clone(), n.val.timer.When()
	}
	tx.undo = append(tx.undo, p)
}

func (tx *Tx) prepared(key []byte) bool {
	for i := range tx.undo {
		if tx.undo[i].key == string(key) && tx.undo[i].db == tx.db {
			return true
		}
	}
	return false
}

// rollback puts every changed key back. Watches that were touched stay so: their transaction fails once without need,
// which WATCH allows.
func (tx *Tx) rollback() {
	db := tx.db
	for i := range tx.undo {
		p := &tx.undo[i]
		tx.db = p.db
		key := []byte(p.key)
		tx.unlink(key)
		if p.val != nil {
			n := tx.link(key, p.val)
			tx.arm(n, key, p.when)
		}
	}
	tx.db = db
	for _, f := range tx.undone {
		f()
	}
	clear(tx.effects)
	tx.effects, tx.ready = tx.effects[:0], tx.ready[:0]
}
