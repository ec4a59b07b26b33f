package store

import "sync/atomic"

// Watch remembers the keys of one client's WATCH and whether one of them has changed since.
type Watch struct {
	dirty atomic.Bool
	keys  []dbKey
}

// Empty reports whether nothing is watched.
func (w *Watch) Empty() bool { return len(w.keys) == 0 }

// Dirty reports whether a watched key has changed, expired or been flushed.
func (w *Watch) Dirty() bool { return w.dirty.Load() }

// Forgive forgets that a key has changed: the change was the client's own, and has been undone.
func (w *Watch) Forgive() { w.dirty.Store(false) }

// Locks is the set of shards of the watched keys.
func (w *Watch) Locks() Locks {
	var locks Locks
	for _, k := range w.keys {
		locks |= LockOf([]byte(k.key))
	}
	return locks
}

// Watch adds a key of the selected database.
func (tx *Tx) Watch(w *Watch, key []byte) {
	tx.Find(key) // a key that has expired unseen counts as absent from the start
	sh := tx.shard(key)
	k := dbKey{tx.db, string(key)}
	if sh.watched[k] == nil {
		if sh.watched == nil {
			sh.watched = make(map[dbKey]map[*Watch]struct{})
		}
		sh.watched[k] = make(map[*Watch]struct{})
	}
	if _, twice := sh.watched[k][w]; !twice {
		sh.watched[k][w] = struct{}{}
		w.keys = append(w.keys, k)
	}
}

// Settle removes watched keys whose time has come, so that Dirty tells of expiry too. The transaction holds w.Locks().
func (tx *Tx) Settle(w *Watch) {
	db := tx.db
	for _, k := range w.keys {
		tx.db = k.db
		tx.Find([]byte(k.key))
	}
	tx.db = db
}

// Unwatch forgets all keys. The transaction holds w.Locks().
func (tx *Tx) Unwatch(w *Watch) {
	for _, k := range w.keys {
		sh := tx.shard([]byte(k.key))
		delete(sh.watched[k], w)
		if len(sh.watched[k]) == 0 {
			delete(sh.watched, k)
		}
	}
	w.keys = nil
	w.dirty.Store(false)
}

func (sh *shard) touchWatches(k dbKey) {
	for w := range sh.watched[k] {
		w.dirty.Store(true)
	}
}
