package store

import (
	"fmt"
	"math/bits"
	"time"
)

// A transaction is the only way to the keyspace. Tx.Do locks shards, in ascending order, runs a function on them,
// commits its effects, serves blocked clients, and unlocks. The parts of a transaction are:
//
//	txClock      tx_clock.go      the one time that it sees
//	lookupCache  lookup_cache.go  where the keys are that it used last
//	undoLog      undo_log.go      what to put back if it has to run again on all shards
//	accounting   accounting.go    how much memory its changes take
//	readyKeys    ready_keys.go    keys it changed and blocked clients wait for
//	counters     counters.go      what INFO counts
//
// They are values, not pointers, and keep their memory from one transaction to the next: a connection allocates one
// Tx, and a transaction by itself allocates nothing. In return a Tx is in one Do at a time.

// Tx is a transaction on a set of shards. One Tx serves one connection, one command after the other; it is not safe for
// concurrent use. Outside Do it holds nothing.
type Tx struct {
	// Owner is the session that the transaction serves; the store does not look at it.
	Owner any

	store   *Store
	held    Locks
	db      int
	space   *keyspace // that of the last lookup; nil if nothing was ever stored there
	limits  *Limits
	quiet   bool // lookups do not mark keys as used
	imports bool // see SetImports

	mayRestart bool // the transaction may restart, so it fills the undo log
	restarting bool // Restart was called

	clock   txClock
	lookups lookupCache
	undo    undoLog
	memory  accounting
	ready   readyKeys
	counts  counters
	effects []Effect
}

// NewTx returns a transaction object on database 0.
func (st *Store) NewTx() *Tx { return &Tx{store: st} }

// Do locks the shards, calls run, commits its effects, calls done and releases the shards.
//
// With mayRestart, run may call Restart when it needs a key outside the shards: once it returns, all its writes are
// rolled back, its effects are dropped, and it is called again with every shard locked. A script whose keys are not all
// declared thus stays isolated, and scripts that keep to their keys run in parallel.
func (tx *Tx) Do(locks Locks, mayRestart bool, run, done func()) {
	tx.DoUnless(nil, locks, mayRestart, run, done)
}

// Exclusively calls f within a transaction of its own that holds all shards.
func (st *Store) Exclusively(f func(tx *Tx)) {
	tx := st.NewTx()
	tx.Do(All, false, func() { f(tx) }, func() {})
}

// DoUnless is Do, but it waits for shards only until it is interrupted. It reports false if it was: then nothing has
// been done.
func (tx *Tx) DoUnless(interrupt Interrupt, locks Locks, mayRestart bool, run, done func()) bool {
	if !tx.begin(locks, interrupt) {
		return false
	}
	defer tx.end()
	tx.mayRestart = mayRestart && locks != All
	tx.attempt(run)
	if tx.restarting {
		tx.rollback()
		tx.end()
		if !tx.begin(All, interrupt) {
			return false
		}
		run()
	}
	tx.mayRestart = false
	tx.commit()
	done()
	return true
}

// attempt calls run. Within it a write may end run by a panic, once it has called Restart: see Tx.beforeChange.
func (tx *Tx) attempt(run func()) {
	if !tx.mayRestart {
		run()
		return
	}
	defer func() {
		if r := recover(); r != nil && !tx.restarting {
			panic(r)
		}
	}()
	run()
}

// begin locks the shards. It reports false if it was interrupted: then it holds none.
func (tx *Tx) begin(locks Locks, interrupt Interrupt) bool {
	slow, ok := tx.store.lock(locks, interrupt)
	if !ok {
		return false
	}
	tx.held = locks
	limits := tx.store.limits.Load()
	if slow || !tx.clock.reuse || limits != tx.limits { // Restore replaces the limits, and the clock may have gone back
		tx.clock.set(tx.store.clock.Now())
	} else {
		tx.clock.reuseTime()
	}
	tx.clock.begin()
	tx.limits = limits
	return true
}

// end releases the shards and forgets everything that belongs to this transaction.
func (tx *Tx) end() {
	tx.release()
	tx.held, tx.space, tx.mayRestart, tx.restarting = 0, nil, false, false
	tx.lookups.forget()
	tx.undo.reset()
	tx.ready.reset()
	tx.dropEffects()
}

// release adds up what the transaction has counted, and unlocks the shards even if that panics.
func (tx *Tx) release() {
	defer tx.store.unlock(tx.held)
	tx.memory.close(tx.store, tx.limits)
	if tx.counts.any() {
		first := bits.TrailingZeros64(uint64(tx.held))
		tx.counts.moveTo(&tx.store.shards[first].counts)
	}
}

// Restart makes Do roll everything back and run again with every shard locked. It panics if the transaction must not
// restart, as when it holds all shards already.
func (tx *Tx) Restart() {
	if !tx.mayRestart {
		panic("store: a transaction reached outside its shards")
	}
	tx.restarting = true
}

// Restarting reports whether Restart was called: the function must not touch the store any more and should return.
func (tx *Tx) Restarting() bool { return tx.restarting }

// MayRestart reports whether the transaction may yet be rolled back. A caller that is about to do something that cannot
// be rolled back has to Restart before.
func (tx *Tx) MayRestart() bool { return tx.mayRestart }

// Held is the set of shards the transaction holds.
func (tx *Tx) Held() Locks { return tx.held }

// Holds reports whether the transaction holds the shard of a key.
func (tx *Tx) Holds(key []byte) bool { return tx.held&tx.LockOf(key) != 0 }

// Extend adds shards to those that the transaction holds, and reports whether it has all of them now. It does not wait:
// if one is locked by another transaction it keeps those that it got.
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

// shard returns the shard of a key, which the transaction must hold.
func (tx *Tx) shard(key []byte) *shard { return tx.shardAt(tx.lookups.of(key), key) }

func (tx *Tx) shardAt(l *location, key []byte) *shard {
	if tx.held&(1<<l.shard) == 0 {
		panic(fmt.Sprintf("store: key %q is outside the transaction's shards", key))
	}
	return &tx.store.shards[l.shard]
}

// DB is the number of the selected database.
func (tx *Tx) DB() int { return tx.db }

// Select makes db the database of all that follows; the caller checks the range.
func (tx *Tx) Select(db int) { tx.db = db }

// In runs f with another database selected, and selects the present one again however f ends.
func (tx *Tx) In(db int, f func()) {
	before := tx.db
	defer func() { tx.db = before }()
	tx.db = db
	f()
}

// Store is the store of the transaction.
func (tx *Tx) Store() *Store { return tx.store }

// Now is the time of the transaction in ms since the epoch.
func (tx *Tx) Now() int64 { return tx.clock.now }

// Time is Now in full resolution.
func (tx *Tx) Time() time.Time { return tx.clock.start }
