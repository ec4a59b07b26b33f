package store

import (
	"fmt"
	"time"
)

// Tx is a transaction on a set of shards. One Tx serves one connection, one command after the other; it is not safe for
// concurrent use. Outside Do it holds nothing.
type Tx struct {
	// Owner is whoever the transaction serves; the store does not look at it.
	Owner any

	store      *Store
	held       Locks
	time       time.Time // one moment throughout
	now        int64     // the same in ms since the epoch
	latest     int64     // now, or what ReadClock has told
	db         int
	keeps      bool      // time stays as it is at the next beginning
	read       bool      // time was read since SameTime(false)
	ended      time.Time // when the last one ended, if that is known
	space      *keyspace // where Find has looked last
	limits     *Limits
	opened     []opened // keys whose values may have been changed since they were last weighed
	grown      int64    // bytes by which all keys have grown
	hits       int64    // looks at keys that were there
	misses     int64    // looks at others
	changes    int64    // see Count
	quiet      bool     // looking at a key does not mark it as used
	undoing    bool     // pre-images are kept: the function may have to run again on all shards
	restarting bool
	undo       []preimage
	marks      []mark   // of keys that were used, see noteMark
	spare      *Hash    // for the next pre-image
	undone     []func() // called when all is undone
	effects    []Effect
	ready      []dbKey // changed keys that somebody waits for
	places     places
}

// Effect is something outside the keyspace that a transaction brings about when it commits, before its shards are
// released: whoever learns of it and then looks finds what the transaction wrote.
type Effect interface{ Commit() }

// EffectFunc is an effect that is rare enough to be a function of its own.
type EffectFunc func()

// Commit implements Effect.
func (f EffectFunc) Commit() { f() }

// NewTx returns a transaction object on database 0.
func (st *Store) NewTx() *Tx { return &Tx{store: st} }

// Do locks the shards, calls run, brings about its effects, calls done and releases the shards.
//
// With mayRestart, run may call Restart when it needs a key outside the shards: once it returns, all it wrote is
// undone, its effects are dropped, and it is called again with every shard locked. A script whose keys are not all
// declared thus stays isolated, and scripts that keep to their keys run side by side.
func (tx *Tx) Do(locks Locks, mayRestart bool, run, done func()) {
	tx.DoUnless(nil, locks, mayRestart, run, done)
}

// DoUnless is Do, but it waits for shards only until it is interrupted. It reports false if it was: then nothing has been done.
func (tx *Tx) DoUnless(interrupt Interrupt, locks Locks, mayRestart bool, run, done func()) bool {
	if !tx.begin(locks, interrupt) {
		return false
	}
	defer tx.end()
	tx.undoing = mayRestart && locks != All
	tx.attempt(run)
	if tx.restarting {
		tx.rollback()
		tx.end()
		if !tx.begin(All, interrupt) {
			return false
		}
		run()
	}
	tx.undoing = false
	tx.commit()
	done()
	return true
}

// commit brings about the effects, then serves those who wait for what was changed, which may have effects in turn.
func (tx *Tx) commit() {
	for i := 0; i < len(tx.effects) || len(tx.ready) > 0; {
		if i < len(tx.effects) {
			tx.effects[i].Commit()
			i++
			continue
		}
		tx.serveReady()
	}
}

// attempt calls run and ends early, with restarting set, when prepare gave up within it.
func (tx *Tx) attempt(run func()) {
	if !tx.undoing {
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
	waited, ok := tx.store.lock(locks, interrupt)
	if !ok {
		return false
	}
	tx.held = locks
	switch {
	case waited || !tx.keeps:
		tx.setTime(tx.store.clock.Now())
	case !tx.ended.IsZero():
		tx.setTime(tx.ended)
	}
	tx.keeps, tx.read, tx.ended = false, true, time.Time{}
	tx.limits = tx.store.limits.Load()
	return true
}

func (tx *Tx) setTime(t time.Time) {
	tx.time, tx.now = t, t.UnixMilli()
	tx.latest = tx.now
}

// SameTime tells whether the next transaction shall have the time of the last one, or that at which it ended if this is known,
// unless it has to wait for its shards. There must have been one since the last time that it should not.
func (tx *Tx) SameTime(same bool) {
	tx.keeps = same && tx.read
	tx.read = tx.keeps
}

// EndsAt tells the time at which the transaction ends.
func (tx *Tx) EndsAt(t time.Time) { tx.ended = t }

func (tx *Tx) end() {
	tx.release()
	tx.space = nil
	tx.held, tx.undoing, tx.restarting = 0, false, false
	tx.places.forget()
	tx.dropUndo()
	clear(tx.effects)
	clear(tx.undone)
	tx.effects, tx.undone, tx.ready = tx.effects[:0], tx.undone[:0], tx.ready[:0]
}

// release unlocks the shards, also where what has to be done before panics.
func (tx *Tx) release() {
	defer tx.store.unlock(tx.held)
	tx.account()
	tx.countUp()
}

// Now is the time of the transaction in ms since the epoch.
func (tx *Tx) Now() int64 { return tx.now }

// Time is Now in full resolution.
func (tx *Tx) Time() time.Time { return tx.time }

// ReadClock tells how late it is within the transaction, which may take long. What has expired is still decided by Now, as in
// Redis, but Latest follows.
func (tx *Tx) ReadClock() time.Time {
	tx.ended = tx.store.clock.Now() // the next transaction is not earlier
	tx.latest = tx.ended.UnixMilli()
	return tx.ended
}

// Latest is the latest time, in ms since the epoch, that a client of the transaction may know: relative times count from it.
func (tx *Tx) Latest() int64 { return tx.latest }

// Held is the set of shards the transaction holds.
func (tx *Tx) Held() Locks { return tx.held }

// DB is the number of the selected database.
func (tx *Tx) DB() int { return tx.db }

// Select makes db the database of all that follows; the caller checks the range.
func (tx *Tx) Select(db int) { tx.db = db }

// Store is the store of the transaction.
func (tx *Tx) Store() *Store { return tx.store }

// Restart asks Do to undo everything and to run again with every shard locked. It panics when that can't help.
func (tx *Tx) Restart() {
	if !tx.undoing {
		panic("store: a transaction reached outside its shards")
	}
	tx.restarting = true
}

// LastEffect is the effect that was added last, or nil.
func (tx *Tx) LastEffect() Effect {
	if len(tx.effects) == 0 {
		return nil
	}
	return tx.effects[len(tx.effects)-1]
}

// MayEscape reports whether what the transaction does may yet be undone. Who brings about what cannot be undone has to
// Restart before.
func (tx *Tx) MayEscape() bool { return tx.undoing }

// Restarting reports whether Restart was called: the function must not touch the store any more and should return.
func (tx *Tx) Restarting() bool { return tx.restarting }

// OnUndo has f called if what the transaction has done so far is undone: for changes outside the keyspace.
func (tx *Tx) OnUndo(f func()) {
	if tx.undoing {
		tx.undone = append(tx.undone, f)
	}
}

// Defer adds an effect to be brought about on commit.
func (tx *Tx) Defer(e Effect) { tx.effects = append(tx.effects, e) }

// shard returns the shard of a key, which the transaction must hold.
func (tx *Tx) shard(key []byte) *shard { return tx.shardAt(tx.places.of(key), key) }

func (tx *Tx) shardAt(p *place, key []byte) *shard {
	if tx.held&(1<<p.index) == 0 {
		panic(fmt.Sprintf("store: key %q is outside the transaction's shards", key))
	}
	return &tx.store.shards[p.index]
}
