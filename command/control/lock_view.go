package control

import (
	"context"
	"slices"

	"github.com/minilockd/minilockd/internal/lockview"
	"github.com/minilockd/minilockd/locks"
	"github.com/minilockd/minilockd/store"
)

// The methods of Locks for Go: the same as the commands, in transactions of their own. They are safe for concurrent
// use.

// List returns the locks of all databases whose names fit a pattern, as of KEYS, sorted by database and name.
func (l *Locks) List(pattern string) (list []locks.Lock) {
	l.env.Store.Exclusively(func(tx *store.Tx) { list = l.all(tx, pattern) })
	return list
}

// Get returns a lock of database 0; ok is false if there is none of that name.
func (l *Locks) Get(name string) (lock locks.Lock, ok bool) {
	tx := l.env.Store.NewTx()
	tx.Do(store.LockOf([]byte(name)), false, func() { lock, ok = l.get(tx, name) }, func() {})
	return lock, ok
}

// Held returns the locks of all databases that have holders.
func (l *Locks) Held() []locks.Lock {
	return slices.DeleteFunc(l.List("*"), func(l locks.Lock) bool { return !l.Held() })
}

// Deadlocks returns the cycles of owners that wait for each other.
func (l *Locks) Deadlocks() []locks.Deadlock { return lockview.Deadlocks(l.List("*")) }

// History returns what has happened to a lock of database 0, or to all locks of all databases for the name "", the
// oldest event first. It is empty while history is off.
func (l *Locks) History(name string) []locks.Event {
	switch t := l.tracker.Load(); {
	case t == nil:
		return nil
	case name == "":
		return t.AllEvents()
	default:
		return t.Events(0, name, 0)
	}
}

// Track turns the history on, with room for count events; it begins anew if it was on. For 0 it turns it off.
func (l *Locks) Track(count int) {
	if count == 0 {
		l.Stop()
		return
	}
	l.env.Store.Exclusively(func(tx *store.Tx) { l.Start(tx, count) })
}

// Tracked reports whether the history is on.
func (l *Locks) Tracked() bool { return l.tracker.Load() != nil }

// all returns the locks of all databases; the transaction holds all shards.
func (l *Locks) all(tx *store.Tx, pattern string) (list []locks.Lock) {
	l.eachOfAll(tx, pattern, func(lock *locks.Lock) { list = append(list, *lock) })
	return list
}

// eachOfAll calls f with the locks of all databases; the transaction holds all shards.
func (l *Locks) eachOfAll(tx *store.Tx, pattern string, f func(*locks.Lock)) {
	for db := range tx.Store().Databases() {
		if tx.Size(db) > 0 {
			tx.In(db, func() { l.each(tx, pattern, f) })
		}
	}
}

// each calls f with the locks of the transaction's database, all of whose shards it holds.
func (l *Locks) each(tx *store.Tx, pattern string, f func(*locks.Lock)) {
	// memory has no errors
	_ = lockview.Each(context.Background(), source{tx, l.env}, pattern, l.known(tx.DB()), func(lock *locks.Lock) {
		lock.DB = tx.DB()
		f(lock)
	})
}

// get returns one lock; the transaction holds its shard.
func (l *Locks) get(tx *store.Tx, name string) (locks.Lock, bool) {
	lock, ok, _ := lockview.ReadOne(context.Background(), source{tx, l.env}, name, l.known(tx.DB()))
	lock.DB = tx.DB()
	return lock, ok
}

func (l *Locks) known(db int) *lockview.Known {
	if t := l.tracker.Load(); t != nil {
		return t.In(db)
	}
	return nil
}
