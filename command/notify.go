package command

import (
	"strconv"

	"github.com/minilockd/minilockd/internal/config"
	"github.com/minilockd/minilockd/pubsub"
	"github.com/minilockd/minilockd/store"
)

// notify is the event sink of the store: it sends an event to the channels that notify-keyspace-events selects (Redis
// documentation: keyspace notifications), when the transaction commits and in the order of its effects.
func (e *Env) notify(tx *store.Tx, class store.EventClass, event string, db int, key []byte) {
	if class&noChanges == 0 && e.hooks.on(HookChanges) {
		e.changesOf(tx).add(db, key)
	}
	if mask := e.Config.Events(); mask&uint32(class) != 0 && mask&(config.Keyspace|config.Keyevent) != 0 {
		session, _ := tx.Owner.(*Session) // nil for a timer
		tx.Defer(&notification{env: e, session: session, channels: mask, db: strconv.Itoa(db), event: event,
			key: string(key)})
	}
}

// wantsOverwritten reports whether notify-keyspace-events selects the events of replaced values.
func (e *Env) wantsOverwritten() bool {
	return e.Config.Events()&uint32(store.EventOverwritten|store.EventTypeChanged) != 0
}

// noChanges are the classes of events that are no changes of their own.
const noChanges = store.EventMiss | store.EventOverwritten | store.EventTypeChanged

// notification sends an event to its channels when its transaction commits.
type notification struct {
	env            *Env
	session        *Session
	channels       uint32
	db, event, key string
}

// Commit implements store.Effect.
func (n *notification) Commit() {
	if n.channels&config.Keyspace != 0 {
		n.send("__keyspace@"+n.db+"__:"+n.key, n.event)
	}
	if n.channels&config.Keyevent != 0 {
		n.send("__keyevent@"+n.db+"__:"+n.event, n.key)
	}
}

func (n *notification) send(channel, payload string) {
	n.env.publish(Message{pubsub.Channel, channel, payload, n.session}, nil)
}
