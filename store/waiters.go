package store

import (
	"cmp"
	"slices"
	"sync/atomic"
)

// Waiter is a client that waits until one of several keys holds something for it (BLPOP, XREAD with BLOCK, …). A waiter
// may be served once; who serves it, who lets it time out and who gives up is settled by its owner.
type Waiter struct {
	// Serve tries to serve the waiter from a key that has changed, in the transaction that has changed it.
	Serve func(tx *Tx, key []byte)
	// Done reports that the waiter waits no longer. It is called under a shard's lock.
	Done func() bool

	order int64 // of arrival
	keys  []dbKey
}

// arrivals numbers the waiters of a store.
type arrivals struct{ last atomic.Int64 }

// Await makes w wait for the keys of the selected database, which the transaction must hold. Waiters of a key are served
// in the order of their first arrival.
func (tx *Tx) Await(w *Waiter, keys [][]byte) {
	if w.order == 0 {
		w.order = tx.store.arrivals.last.Add(1)
	}
	for _, key := range keys {
		k := dbKey{tx.db, string(key)}
		sh := tx.shard(key)
		if sh.waiters == nil {
			sh.waiters = make(map[dbKey][]*Waiter)
		}
		if slices.Contains(sh.waiters[k], w) {
			continue
		}
		at, _ := slices.BinarySearchFunc(sh.waiters[k], w, func(a, b *Waiter) int { return cmp.Compare(a.order, b.order) })
		sh.waiters[k] = slices.Insert(sh.waiters[k], at, w)
		w.keys = append(w.keys, k)
	}
}

// Locks is the set of shards of the keys that w waits for.
func (w *Waiter) Locks() Locks {
	var locks Locks
	for _, k := range w.keys {
		locks |= LockOf([]byte(k.key))
	}
	return locks
}

// Leave takes w out of all queues. The transaction holds w.Locks().
func (tx *Tx) Leave(w *Waiter) {
	for _, k := range w.keys {
		tx.shard([]byte(k.key)).prune(k, func(other *Waiter) bool { return other == w })
	}
	w.keys = nil
}

// prune removes waiters from the queue of a key.
func (sh *shard) prune(k dbKey, gone func(*Waiter) bool) {
	rest := slices.DeleteFunc(sh.waiters[k], gone)
	if len(rest) == 0 {
		delete(sh.waiters, k)
		return
	}
	sh.waiters[k] = rest
}

// signal remembers that a key has changed, if somebody waits for it.
func (tx *Tx) signal(sh *shard, db int, key []byte) {
	if len(sh.waiters) > 0 {
		tx.signalKey(sh, dbKey{db, string(key)})
	}
}

func (tx *Tx) signalKey(sh *shard, k dbKey) {
	if len(sh.waiters[k]) > 0 && !slices.Contains(tx.ready, k) {
		tx.ready = append(tx.ready, k)
	}
}

// signalAll is signal for all keys of a database within a shard.
func (tx *Tx) signalAll(sh *shard, db int) {
	for k := range sh.waiters {
		if k.db == db {
			tx.signalKey(sh, k)
		}
	}
}

// serveReady serves those who wait for keys that the transaction has changed, first come, first served. Serving may change
// further keys.
func (tx *Tx) serveReady() {
	for i := 0; i < len(tx.ready); i++ {
		k := tx.ready[i]
		sh := tx.shard([]byte(k.key))
		for _, w := range slices.Clone(sh.waiters[k]) {
			tx.In(k.db, func() { w.Serve(tx, []byte(k.key)) })
		}
		sh.prune(k, func(w *Waiter) bool { return w.Done() })
		tx.ready[i] = dbKey{} // it may be signalled again
	}
	tx.ready = tx.ready[:0]
}

// Extend adds shards to those that the transaction holds if that is possible without waiting.
func (tx *Tx) Extend(locks Locks) bool {
	for rest := locks &^ tx.held; rest != 0; rest &= rest - 1 {
		one := rest & -rest
		if !tx.store.tryLock(one) {
			return false
		}
		tx.held |= one
	}
	return true
}
