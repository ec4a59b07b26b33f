package store

// A change of a key is reported to the clients that watch it (WATCH, and client-side caching through the ChangeSink),
// and as a keyspace event. Not all changes have events, nor are all events changes. The sinks run within the
// transaction, under its shards' locks: they must not call back into the store, and what they send they add as
// effects.

// EventClass is a class of keyspace events, a bit each (redis.conf: notify-keyspace-events).
type EventClass uint32

// The classes, in the order in which CONFIG GET prints their letters.
const (
	EventGeneric     EventClass = 1 << iota // g
	EventString                             // $
	EventList                               // l
	EventSet                                // s
	EventHash                               // h
	EventZSet                               // z
	EventExpired                            // x
	EventEvicted                            // e
	EventStream                             // t
	EventMiss                               // m
	EventNew                                // n
	EventOverwritten                        // o
	EventTypeChanged                        // c
)

// EventSink is called with every event.
type EventSink func(tx *Tx, class EventClass, event string, db int, key []byte)

// SetEventSink installs the sink. Call it before the store is used.
func (st *Store) SetEventSink(sink EventSink) { st.events = sink }

// ChangeSink is called with every change that WATCH would see.
type ChangeSink func(tx *Tx, key []byte)

// SetChangeSink installs the sink. Call it before the store is used.
func (st *Store) SetChangeSink(sink ChangeSink) { st.changes = sink }

// Removal is a key, or a field of a hash, that the store has removed by itself.
type Removal struct {
	DB      int
	Key     []byte
	Field   []byte // nil for the whole key
	Evicted bool   // not since it has expired
}

// RemovalSink is called with every key and field that has expired or was evicted.
type RemovalSink func(tx *Tx, r Removal)

// SetRemovalSink installs the sink. Call it before the store is used.
func (st *Store) SetRemovalSink(sink RemovalSink) { st.removals = sink }

func (tx *Tx) removed(r Removal) {
	if tx.store.removals != nil {
		tx.store.removals(tx, r)
	}
}

// Change says how a key has changed, for those whom it may concern: clients that watch or cache it, subscribers of
// keyspace events, and clients that block on it.
type Change struct {
	Class EventClass
	Event string // the event's name; "" for none
	Count int    // as how many changes it counts (rdb_changes_since_last_save of INFO)

	Unmodified bool // clients that watch or cache the key are not notified
	Wake       bool // serves clients that block on the key; for a new key Put and GetOrCreate do that
}

// Report reports a change of a key.
func (tx *Tx) Report(key []byte, c Change) {
	tx.counts.changes += int64(c.Count)
	if !c.Unmodified {
		tx.keyModified(tx.shard(key), tx.db, key)
	}
	if c.Event != "" {
		tx.notify(c.Class, c.Event, tx.db, key)
	}
	if c.Wake {
		tx.signalValue(tx.locate(key), key)
	}
}

// CountChanges counts further changes: of a key that has been reported, or of functions and the like.
func (tx *Tx) CountChanges(n int) { tx.counts.changes += int64(n) }

func (tx *Tx) changed(sh *shard, db int, key []byte, class EventClass, event string) {
	tx.keyModified(sh, db, key)
	tx.notify(class, event, db, key)
}

func (tx *Tx) keyModified(sh *shard, db int, key []byte) {
	if sh.watched.count.Load() > 0 {
		sh.watched.markDirty(dbKey{db, string(key)})
	}
	if tx.store.changes != nil {
		tx.store.changes(tx, key)
	}
}

func (tx *Tx) notify(class EventClass, event string, db int, key []byte) {
	if tx.store.events != nil {
		tx.store.events(tx, class, event, db, key)
	}
}
