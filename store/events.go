package store

// A change of a key is reported twice: to the clients that watch it (WATCH, and client-side caching through the
// ChangeSink), and as a keyspace event. Not all changes have events, nor are all events changes, hence the several
// methods. The sinks run within the transaction, under its shards' locks: they must not call back into the store, and
// what they send they add as effects.

// EventClass is a class of keyspace events, a bit each (redis.conf: notify-keyspace-events).
type EventClass uint32

// The classes, in the order in which CONFIG GET prints their letters.
const (
	EventGeneric EventClass = 1 << iota // g
	EventString                         // $
	EventList                           // l
	EventSet                            // s
	EventHash                           // h
	EventZSet                           // z
	EventExpired                        // x
	EventEvicted                        // e
	EventStream                         // t
	EventMiss                           // m
	EventNew                            // n
)

// EventSink is called with every event.
type EventSink func(tx *Tx, class EventClass, event string, db int, key []byte)

// SetEventSink installs the sink. Call it before the store is used.
func (st *Store) SetEventSink(sink EventSink) { st.events = sink }

// ChangeSink is called with every change that WATCH would see.
type ChangeSink func(tx *Tx, key []byte)

// SetChangeSink installs the sink. Call it before the store is used.
func (st *Store) SetChangeSink(sink ChangeSink) { st.changes = sink }

// Changed reports that a key was changed: clients that watch it see that, the event goes to the sink, and it counts
// as one change. It does not serve clients that wait for the key: link does that for a new one, and Signal.
func (tx *Tx) Changed(key []byte, class EventClass, event string) {
	tx.counts.changes++
	tx.changed(tx.shard(key), tx.db, key, class, event)
}

// Followed is Changed for a further event of a change that has been counted.
func (tx *Tx) Followed(key []byte, class EventClass, event string) {
	tx.changed(tx.shard(key), tx.db, key, class, event)
}

// Touched is Changed without an event: for a command that only reads, and caches its result in the value (PFCOUNT).
func (tx *Tx) Touched(key []byte) {
	tx.counts.changes++
	tx.keyModified(tx.shard(key), tx.db, key)
}

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

// Notify sends an event of something that is no change to the clients that watch the key.
func (tx *Tx) Notify(key []byte, class EventClass, event string) { tx.notify(class, event, tx.db, key) }

func (tx *Tx) notify(class EventClass, event string, db int, key []byte) {
	if tx.store.events != nil {
		tx.store.events(tx, class, event, db, key)
	}
}
