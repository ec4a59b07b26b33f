package store

import (
	"sync/atomic"

	"github.com/minilockd/minilockd/internal/lockrank"
)

// WATCH is optimistic: a change marks each Watch of a key as dirty, and EXEC reads the mark. Expiry is a change, too,
// but one that may not have happened yet, so EXEC calls ExpireWatched first.

// Watch has the watched keys of one client, and whether one of them has changed since.
type Watch struct {
	dirty atomic.Bool
	keys  []dbKey
}

// Empty reports whether nothing is watched.
func (w *Watch) Empty() bool { return len(w.keys) == 0 }

// Len is the number of watched keys.
func (w *Watch) Len() int { return len(w.keys) }

// Dirty reports whether a watched key has changed, expired or been flushed.
func (w *Watch) Dirty() bool { return w.dirty.Load() }

// ClearDirty clears the mark: the change was one of the client itself, and was rolled back.
func (w *Watch) ClearDirty() { w.dirty.Store(false) }

// Locks is the set of shards of the watched keys.
func (w *Watch) Locks() Locks { return locksOf(w.keys) }

// watched has the watched keys of a shard, each with a set of Watch that is never empty. It has a mutex of its own, so
// that a client which disconnects, or sends DISCARD, need not wait for the shard.
type watched struct {
	count atomic.Int32 // of keys; at 0 a change does not lock mu

	mu   lockrank.Mutex[lockrank.WatchedKeys] // guards keys; taken after that of the shard
	keys map[dbKey]map[*Watch]struct{}
}

// Watch adds a key of the selected database. A transaction that does not hold the shard of the key may call it too:
// then a key that has expired, and has not been removed yet, counts as one that exists.
func (tx *Tx) Watch(w *Watch, key []byte) {
	if tx.Holds(key) {
		tx.findLive(key) // removes a key that has expired, which would count as a change later
	}
	k := dbKey{tx.db, string(key)}
	if tx.shard(key).watched.add(k, w) {
		w.keys = append(w.keys, k)
	}
}

// add reports whether w did not watch the key before.
func (t *watched) add(k dbKey, w *Watch) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.keys[k] == nil {
		if t.keys == nil {
			t.keys = make(map[dbKey]map[*Watch]struct{})
		}
		t.keys[k] = make(map[*Watch]struct{})
		t.count.Add(1)
	}
	_, twice := t.keys[k][w]
	t.keys[k][w] = struct{}{}
	return !twice
}

func (t *watched) remove(k dbKey, w *Watch) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.keys[k], w)
	if len(t.keys[k]) == 0 {
		delete(t.keys, k)
		t.count.Add(-1)
	}
}

// ExpireWatched removes watched keys whose time has come, so that Dirty reports expiry too. The transaction must hold
// w.Locks().
func (tx *Tx) ExpireWatched(w *Watch) {
	for _, k := range w.keys {
		tx.In(k.db, func() { tx.findLive([]byte(k.key)) })
	}
}

// WatchedKeys returns how many keys clients watch.
func (st *Store) WatchedKeys() (n int) {
	for i := range st.shards {
		n += int(st.shards[i].watched.count.Load())
	}
	return n
}

// Unwatch removes all keys of a Watch and clears its mark.
func (st *Store) Unwatch(w *Watch) {
	for _, k := range w.keys {
		st.shards[shardOf([]byte(k.key))].watched.remove(k, w)
	}
	w.keys = nil
	w.dirty.Store(false)
}

// of returns the watched keys of two databases.
func (t *watched) of(a, b int) (keys []dbKey) {
	if t.count.Load() == 0 {
		return nil
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	for k := range t.keys {
		if k.db == a || k.db == b {
			keys = append(keys, k)
		}
	}
	return keys
}

// markDirty marks each Watch of a key that has changed.
func (t *watched) markDirty(k dbKey) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for w := range t.keys[k] {
		w.dirty.Store(true)
	}
}

// markAllDirty is markDirty for every watched key for which changed returns true.
func (t *watched) markAllDirty(changed func(dbKey) bool) {
	if t.count.Load() == 0 {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	for k, set := range t.keys {
		if changed(k) {
			for w := range set {
				w.dirty.Store(true)
			}
		}
	}
}
