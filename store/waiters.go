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

	// For is a value of the type that the waiter waits for, such as (*List)(nil).
	For Value

	order   int64 // of arrival
	keys    []dbKey
	counted atomic.Bool // among those who wait, see Store.waiting
}

// Over tells that the waiter waits no longer, before it leaves the queues. It may be called more than once.
func (st *Store) Over(w *Waiter) {
	if w.counted.CompareAndSwap(true, false) {
		st.waiting[kindOf(w.For)].Add(-1)
	}
}

// arrivals numbers the waiters of a store.
type arrivals struct{ last atomic.Int64 }

// Await makes w wait for the keys of the selected database, which the transaction must hold. Waiters of a key are served
// in the order of their first arrival.
func (tx *Tx) Await(w *Waiter, keys [][]byte) {
	if w.counted.CompareAndSwap(false, true) {
		tx.store.waiting[kindOf(w.For)].Add(1)
	}
	if w.order == 0 {
		w.order = tx.store.arrivals.last.Add(1)
	}
	for _, key := range keys {
		k := dbKey{tx.db, string(key)}
		sh := tx.shard(key)
		if sh.waiters == nil {
			sh.waiters = make(map[dbKey][]*Waiter)
		}
		at, found := w.placeIn(sh.waiters[k])
		if found {
			continue
		}
		sh.waiters[k] = slices.Insert(sh.waiters[k], at, w)
		w.keys = append(w.keys, k)
	}
}

// placeIn is where w stands in a queue, or would.
func (w *Waiter) placeIn(queue []*Waiter) (at int, found bool) {
	return slices.BinarySearchFunc(queue, w, func(a, b *Waiter) int { return cmp.Compare(a.order, b.order) })
}

// Leave takes a waiter whose waiting is over out of all queues. Where another transaction holds one of the shards, that is done later:
// a waiter that is Done is served nothing meanwhile.
func (st *Store) Leave(w *Waiter) {
	var locks Locks
	for _, k := range w.keys {
		locks |= LockOf([]byte(k.key))
	}
	if locks == 0 {
		return
	}
	leave := func(interrupt Interrupt) bool {
		tx := st.NewTx()
		return tx.DoUnless(interrupt, locks, false, func() { tx.leave(w) }, func() {})
	}
	if !leave(func() <-chan struct{} { return atOnce }) {
		st.work.Go(func() {
			defer st.rescue()
			leave(nil)
		})
	}
}

// atOnce interrupts a transaction as soon as it would have to sleep.
var atOnce = func() <-chan struct{} {
	c := make(chan struct{})
	close(c)
	return c
}()

// leave takes w out of all queues. The transaction holds their shards.
func (tx *Tx) leave(w *Waiter) {
	for _, k := range w.keys {
		sh := tx.shard([]byte(k.key))
		if at, found := w.placeIn(sh.waiters[k]); found {
			sh.requeue(k, slices.Delete(sh.waiters[k], at, at+1))
		}
	}
	w.keys = nil
}

// requeue sets the queue of a key.
func (sh *shard) requeue(k dbKey, queue []*Waiter) {
	if len(queue) == 0 {
		delete(sh.waiters, k)
		return
	}
	sh.waiters[k] = queue
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

// signalNew remembers that a key is new, if anybody waits for a value of its type, under whatever key. One that is only
// replaced, or grows, does not count, as in Redis 7.0: where it has had anything, there was nobody who waits.
func (tx *Tx) signalNew(p *place, key []byte) {
	if tx.store.waiting[p.node.val.kind()].Load() > 0 {
		tx.signal(tx.shardAt(p, key), tx.db, key)
	}
}

// signalGone remembers that a stream goes: those who wait for news of a group are told (XREADGROUP command page).
func (tx *Tx) signalGone(sh *shard, db int, n *node[item]) {
	if n.val.kind() == kindStream && tx.store.waiting[kindStream].Load() > 0 {
		tx.signal(sh, db, []byte(n.key))
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
		tx.In(k.db, func() { tx.serveQueue(k) })
		tx.ready[i] = dbKey{} // it may be signalled again
	}
	tx.ready = tx.ready[:0]
}

// serveQueue serves those who wait for a key, until one of them has taken all of it: then there is nothing for the others.
func (tx *Tx) serveQueue(k dbKey) {
	key := []byte(k.key)
	sh := tx.shard(key)
	queue := sh.waiters[k]
	waiting := queue[:0] // of those who were tried
	tried := 0
	for tried < len(queue) {
		w := queue[tried]
		w.Serve(tx, key)
		tried++
		if !w.Done() {
			waiting = append(waiting, w)
		} else if !tx.Find(key).Exists() {
			break
		}
	}
	served := tried - len(waiting)
	copy(queue[served:tried], waiting)
	clear(queue[:served])
	sh.requeue(k, queue[served:])
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
