package command

import (
	"strconv"

	"github.com/minilockd/minilockd/internal/config"
	"github.com/minilockd/minilockd/pubsub"
	"github.com/minilockd/minilockd/store"
)

// notify sends an event of the store as messages, as far as notify-keyspace-events asks for them (Redis documentation:
// keyspace notifications).
func (e *Env) notify(tx *store.Tx, class store.EventClass, event string, db int, key []byte) {
	if mask := e.Config.Events(); mask&uint32(class) != 0 && mask&(config.Keyspace|config.Keyevent) != 0 {
		tx.Defer(&notification{registry: e.PubSub, channels: mask, db: strconv.Itoa(db), event: event, key: string(key)})
	}
}

// notification is an event that goes out when its transaction commits.
type notification struct {
	registry       *pubsub.Registry
	channels       uint32
	db, event, key string
}

// Commit implements store.Effect.
func (n *notification) Commit() {
	if n.channels&config.Keyspace != 0 {
		n.registry.Publish(nil, pubsub.Channel, "__keyspace@"+n.db+"__:"+n.key, n.event)
	}
	if n.channels&config.Keyevent != 0 {
		n.registry.Publish(nil, pubsub.Channel, "__keyevent@"+n.db+"__:"+n.event, n.key)
	}
}
