package store

import (
	"sync"
	"sync/atomic"
	"time"

	"github.com/minilockd/minilockd/internal/clock"
)

// expire removes a key whose time has come, with its event. A transaction that is undone has to put it back: its event
// was dropped, and is told when the key expires again.
func (tx *Tx) expire(ks *keyspace, sh *shard, db int, n *node[item]) {
	key := tx.remove(ks, sh, db, n)
	tx.store.expired.Add(1)
	tx.changed(sh, db, key, EventExpired, "expired")
}

// remove takes out a key that no command has named, and returns its name.
func (tx *Tx) remove(ks *keyspace, sh *shard, db int, n *node[item]) (key []byte) {
	tx.signalGone(sh, db, n)
	key = []byte(n.key)
	tx.space = ks
	tx.beforeChange(n)
	ks.dict.remove(key)
	ks.wheel.Drop(&n.val.timer)
	dropFields(n)
	tx.memory.remove(ks, n)
	tx.lookups.forget()
	return key
}

// HoldExpiry keeps keys whose time has come from being removed, or lets that begin again. Meanwhile they can't be seen.
func (st *Store) HoldExpiry(hold bool) {
	st.held.Store(hold)
	if !hold {
		st.alarm.poke(st.clock.Now().UnixMilli())
	}
}

// ExpireDue is for whoever has moved the clock and wants the effects now: when it returns, every key and every field of a hash
// whose time has come is gone and its event is out, also where the timer was about to see to it.
func (st *Store) ExpireDue() { st.sweep(func(*shard) bool { return true }) }

// sweepDue is what the timer does: it leaves alone the shards where nothing is due.
func (st *Store) sweepDue() {
	st.sweep(func(sh *shard) bool { return sh.due.Load() <= st.clock.Now().UnixMilli() })
}

// SetActiveExpiry says whether keys whose time has come are removed before somebody looks at them, as they are unless it is
// turned off (DEBUG SET-ACTIVE-EXPIRE). It may be called within a transaction.
func (st *Store) SetActiveExpiry(on bool) {
	st.lazy.Store(!on)
	for i := range st.shards {
		if due := st.shards[i].due.Load(); on && due != never {
			st.alarm.poke(due)
		}
	}
}

// sweep removes the keys and fields whose time has come from the chosen shards and arms the timer for the next one.
func (st *Store) sweep(chosen func(*shard) bool) {
	if st.lazy.Load() || st.held.Load() {
		return
	}
	defer st.armAlarm() // a panic in one shard does not keep the others from it
	tx := st.NewTx()
	for i := range st.shards {
		if sh := &st.shards[i]; chosen(sh) {
			tx.Do(1<<i, false, func() { tx.expireShard(sh) }, func() {})
		}
	}
}

// armAlarm arms the timer for what is due next.
func (st *Store) armAlarm() {
	next := int64(never)
	for i := range st.shards {
		next = min(next, st.shards[i].due.Load())
	}
	if next != never {
		st.alarm.poke(next)
	}
}

// expireShard removes what is due, in the order of time within each database.
func (tx *Tx) expireShard(sh *shard) {
	sh.due.Store(never) // it stays so if this panics: else it would at once again
	due := int64(never)
	for db, ks := range sh.spaces {
		if ks == nil {
			continue
		}
		expire := func(n *node[item]) { tx.expire(ks, sh, db, n) }
		for moment, ok := ks.fieldsDue(tx.Now()); ok; moment, ok = ks.fieldsDue(tx.Now()) {
			ks.wheel.Advance(moment, expire)
			ks.fields.Advance(moment, func(d *fieldDeadlines) { tx.expireFields(ks, sh, db, d.holder, moment) })
		}
		ks.wheel.Advance(tx.Now(), expire)
		due = min(due, ks.next())
	}
	sh.due.Store(due)
}

// alarm is the store's one timer. It is armed only while a key is due to expire.
type alarm struct {
	store *Store
	at    atomic.Int64 // when the timer fires, in ms; never if it is not armed

	mu      sync.Mutex // guards timer and closed
	timer   clock.Timer
	closed  bool
	running sync.WaitGroup
}

func (a *alarm) init(st *Store) {
	a.store = st
	a.at.Store(never)
}

// poke makes sure that the timer fires at when or earlier. It may be called under a shard's lock.
func (a *alarm) poke(when int64) {
	if when >= a.at.Load() {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.closed || when >= a.at.Load() {
		return
	}
	a.at.Store(when)
	a.timer = clock.At(a.store.clock, a.timer, time.UnixMilli(when), a.fire) // in 292 years at the latest: then it looks again
}

func (a *alarm) fire() {
	a.mu.Lock()
	if a.closed {
		a.mu.Unlock()
		return
	}
	a.running.Add(1)
	a.mu.Unlock()
	defer a.running.Done()
	a.at.Store(never)
	a.store.sweepDue()
}

// close stops the timer and waits for a call of it that has begun.
func (a *alarm) close() {
	a.mu.Lock()
	a.closed = true
	if a.timer != nil {
		a.timer.Stop()
	}
	a.mu.Unlock()
	a.running.Wait()
}
