package store

import (
	"cmp"
	"slices"
	"sync/atomic"
)

// A client that blocks (BLPOP, XREAD with BLOCK, …) is a waiter in the queue of each key that it names. Queues belong
// to the shard of their key and are guarded by its mutex. How waiters are served is in ready_keys.go.
//
// Invariant: a queue is never empty, is in the order in which its waiters first came, and has each of them once; the
// keys of a waiter are those in whose queues it was put. A waiter that was served, timed out or disconnected may stay
// in queues for a while, until its owner takes it out (Store.Leave); until then it reports Done and is passed over.

// Waiter is a client that waits until one of several keys holds something for it. A waiter may be served once; which
// of service, timeout and disconnection comes first is decided by its owner.
type Waiter struct {
	// Serve tries to serve the waiter from a key that has changed, in the transaction that has changed it.
	Serve func(tx *Tx, key []byte)
	// Done reports that the waiter waits no longer. It is called with a shard locked.
	Done func() bool

	// WhenGone says that the waiter is served, too, when a key that held a stream is gone.
	WhenGone bool
	// Kind is a value of the type that the waiter waits for, such as (*List)(nil).
	Kind Value

	order   int64 // of its first Await among all, from 1; 0 before
	keys    []dbKey
	counted atomic.Bool // in waiting.byKind
}

// waiting counts the waiters of a store.
type waiting struct {
	lastOrder atomic.Int64
	byKind    [kinds]atomic.Int64 // how many wait for a kind of value; at 0 a new key of that kind looks at no queue
}

// waitQueues are the waiters of a shard by key. The zero value is empty.
type waitQueues struct {
	byKey map[dbKey][]*Waiter // nil until a client waits
}

// BlockingKeys returns how many keys clients wait for. The transaction must hold all shards.
func (tx *Tx) BlockingKeys() (n int) {
	for i := range tx.store.shards {
		n += len(tx.store.shards[i].waiters.byKey)
	}
	return n
}

// BlockingKeysWhenGone returns how many of these keys have a client that is served when the key is gone.
func (tx *Tx) BlockingKeysWhenGone() (n int) {
	for i := range tx.store.shards {
		for _, queue := range tx.store.shards[i].waiters.byKey {
			if slices.ContainsFunc(queue, func(w *Waiter) bool { return w.WhenGone }) {
				n++
			}
		}
	}
	return n
}

// add puts a waiter into the queue of a key, and reports false if it is there already.
func (q *waitQueues) add(k dbKey, w *Waiter) bool {
	at, found := w.indexIn(q.byKey[k])
	if found {
		return false
	}
	if q.byKey == nil {
		q.byKey = make(map[dbKey][]*Waiter)
	}
	q.byKey[k] = slices.Insert(q.byKey[k], at, w)
	return true
}

// remove takes a waiter out of the queue of a key.
func (q *waitQueues) remove(k dbKey, w *Waiter) {
	if at, found := w.indexIn(q.byKey[k]); found {
		q.set(k, slices.Delete(q.byKey[k], at, at+1))
	}
}

// set replaces the queue of a key.
func (q *waitQueues) set(k dbKey, queue []*Waiter) {
	if len(queue) == 0 {
		delete(q.byKey, k)
		return
	}
	q.byKey[k] = queue
}

// indexIn is where w is in a queue, or belongs.
func (w *Waiter) indexIn(queue []*Waiter) (at int, found bool) {
	return slices.BinarySearchFunc(queue, w, func(a, b *Waiter) int { return cmp.Compare(a.order, b.order) })
}

// Await makes w wait for the keys of the selected database, which the transaction must hold. Waiters of a key are
// served in the order of their first Await.
func (tx *Tx) Await(w *Waiter, keys [][]byte) {
	if w.counted.CompareAndSwap(false, true) {
		tx.store.waiting.byKind[kindOf(w.Kind)].Add(1)
	}
	if w.order == 0 {
		w.order = tx.store.waiting.lastOrder.Add(1)
	}
	for _, key := range keys {
		k := dbKey{tx.db, string(key)}
		if tx.shard(key).waiters.add(k, w) {
			w.keys = append(w.keys, k)
		}
	}
}

// StopCounting stops counting a waiter that waits no longer, before it leaves the queues. It may be called more than
// once.
func (st *Store) StopCounting(w *Waiter) {
	if w.counted.CompareAndSwap(true, false) {
		st.waiting.byKind[kindOf(w.Kind)].Add(-1)
	}
}

// Leave takes a waiter that is Done out of all queues. Where another transaction holds one of the shards, that is
// done later, on a goroutine of its own.
func (st *Store) Leave(w *Waiter) {
	locks := locksOf(w.keys)
	if locks == 0 {
		return
	}
	leave := func(interrupt Interrupt) bool {
		tx := st.NewTx()
		return tx.DoUnless(interrupt, locks, false, func() { tx.leave(w) }, func() {})
	}
	if !leave(func() <-chan struct{} { return atOnce }) {
		st.work.Go(func() {
			defer st.recover()
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
		tx.shard([]byte(k.key)).waiters.remove(k, w)
	}
	w.keys = nil
}
