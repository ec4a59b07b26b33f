package store

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

// EventSink hears of every event, within its transaction. It must not call back into the store.
type EventSink func(tx *Tx, class EventClass, event string, db int, key []byte)

// SetEventSink installs the sink. Call it before the store is used.
func (st *Store) SetEventSink(sink EventSink) { st.events = sink }

// ChangeSink hears of every change that WATCH would see, within its transaction: not all events are changes, nor the
// reverse. It must not call back into the store.
type ChangeSink func(tx *Tx, key []byte)

// SetChangeSink installs the sink. Call it before the store is used.
func (st *Store) SetChangeSink(sink ChangeSink) { st.changes = sink }

// Changed tells that a key was changed: whoever watches it sees that, the event goes to the sink, and it counts as one change. Those
// who wait for the key are tried where it is new (see link), and where Signal says so.
func (tx *Tx) Changed(key []byte, class EventClass, event string) {
	tx.counts.changes++
	tx.changed(tx.shard(key), tx.db, key, class, event)
}

// Followed is Changed for what a change that has been counted brings with it.
func (tx *Tx) Followed(key []byte, class EventClass, event string) {
	tx.changed(tx.shard(key), tx.db, key, class, event)
}

// Touched is Changed without an event: for a command that only reads, and keeps what it has found out in the value (PFCOUNT).
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

// Notify sends an event of something that does not disturb those who watch the key.
func (tx *Tx) Notify(key []byte, class EventClass, event string) { tx.notify(class, event, tx.db, key) }

func (tx *Tx) notify(class EventClass, event string, db int, key []byte) {
	if tx.store.events != nil {
		tx.store.events(tx, class, event, db, key)
	}
}
