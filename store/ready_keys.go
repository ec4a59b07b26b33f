package store

import "slices"

// Blocked clients are served by the transaction that changes their key, when it commits and before it releases the
// shards: so no other client comes between, and waiters are served in the order in which they blocked. A change costs
// nothing more where no client waits. As in Redis, a key is ready when it is new; one that is only replaced, or grows,
// had something in it before, so no client was waiting.

// readyKeys are the keys that a transaction has changed and that clients wait for, each once (Redis:
// server.ready_keys).
type readyKeys struct{ keys []dbKey }

func (r *readyKeys) add(k dbKey) {
	if !slices.Contains(r.keys, k) {
		r.keys = append(r.keys, k)
	}
}

func (r *readyKeys) reset() { r.keys = r.keys[:0] }

func (tx *Tx) signal(sh *shard, db int, key []byte) {
	if len(sh.waiters.byKey) > 0 {
		tx.markReady(sh, dbKey{db, string(key)})
	}
}

func (tx *Tx) markReady(sh *shard, k dbKey) {
	if len(sh.waiters.byKey[k]) > 0 {
		tx.ready.add(k)
	}
}

// signalValue makes a key ready that has got something, if clients wait for a value of its type, under whatever key.
func (tx *Tx) signalValue(l *location, key []byte) {
	if l.node != nil && tx.store.waiting.byKind[l.node.val.kind()].Load() > 0 {
		tx.signal(tx.shardAt(l, key), tx.db, key)
	}
}

// signalGone makes a key ready that holds a stream and is about to go: clients that wait for a group of it get an
// error (XREADGROUP command page).
func (tx *Tx) signalGone(sh *shard, db int, n *node[item]) {
	if n.val.kind() != kindStream || tx.store.waiting.byKind[kindStream].Load() == 0 {
		return
	}
	k := dbKey{db, n.key}
	if !tx.store.goneForGroups || slices.ContainsFunc(sh.waiters.byKey[k], func(w *Waiter) bool { return w.WhenGone }) {
		tx.markReady(sh, k)
	}
}

// signalAll makes all keys of a database within a shard ready.
func (tx *Tx) signalAll(sh *shard, db int) {
	for k := range sh.waiters.byKey {
		if k.db == db {
			tx.markReady(sh, k)
		}
	}
}

// serveReady serves the waiters of ready keys. Serving may make further keys ready.
func (tx *Tx) serveReady() {
	for i := 0; i < len(tx.ready.keys); i++ {
		k := tx.ready.keys[i]
		tx.In(k.db, func() { tx.serveQueue(k) })
		tx.ready.keys[i] = dbKey{} // it may become ready again
	}
	tx.ready.reset()
}

// serveQueue serves the waiters of a key, until one of them has taken all of it: then there is nothing for the others.
// If the key is gone from the start, all of them are asked, since some wait for a value that must not go.
func (tx *Tx) serveQueue(k dbKey) {
	key := []byte(k.key)
	sh := tx.shard(key)
	queue := sh.waiters.byKey[k]
	waiting := queue[:0] // those that were tried and still wait
	tried, gone := 0, !tx.findLive(key).Exists()
	for tried < len(queue) {
		w := queue[tried]
		w.Serve(tx, key)
		tried++
		if !w.Done() {
			waiting = append(waiting, w)
		} else if !gone && !tx.findLive(key).Exists() {
			break
		}
	}
	served := tried - len(waiting)
	copy(queue[served:tried], waiting)
	clear(queue[:served])
	sh.waiters.set(k, queue[served:])
}
