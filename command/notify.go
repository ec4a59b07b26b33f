package command

import (
	"strconv"
	"strings"

	"github.com/minilockd/minilockd/internal/words"
	"github.com/minilockd/minilockd/pubsub"
	"github.com/minilockd/minilockd/store"
)

// Where keyspace events go, and the class of those of modules: bits beside the store's classes.
const (
	notifyModule uint32 = 1 << (29 + iota)
	notifyKeyspace
	notifyKeyevent
)

// notifyLetters are the letters of notify-keyspace-events in the order in which CONFIG GET prints them.
var notifyLetters = []struct {
	letter byte
	class  uint32
}{
	{'g', uint32(store.EventGeneric)}, {'$', uint32(store.EventString)}, {'l', uint32(store.EventList)},
	{'s', uint32(store.EventSet)}, {'h', uint32(store.EventHash)}, {'z', uint32(store.EventZSet)},
	{'x', uint32(store.EventExpired)}, {'e', uint32(store.EventEvicted)}, {'t', uint32(store.EventStream)},
	{'d', notifyModule}, {'n', uint32(store.EventNew)}, {'K', notifyKeyspace}, {'E', notifyKeyevent}, {'m', uint32(store.EventMiss)},
}

// notifyAll is what A stands for: all classes but those of missed and of new keys.
const notifyAll = uint32(store.EventGeneric|store.EventString|store.EventList|store.EventSet|store.EventHash|store.EventZSet|
	store.EventExpired|store.EventEvicted|store.EventStream) | notifyModule

// eventsValue is the kind of notify-keyspace-events.
func eventsValue(value string) (string, error) {
	value = words.UntilNUL(value)
	for i := range len(value) {
		if value[i] != 'A' && notifyClass(value[i]) == 0 {
			return "", errConfigEvents
		}
	}
	mask := parseEvents(value)
	var canonical strings.Builder
	if mask&notifyAll == notifyAll {
		canonical.WriteByte('A')
		mask &^= notifyAll
	}
	for _, l := range notifyLetters {
		if mask&l.class != 0 {
			canonical.WriteByte(l.letter)
		}
	}
	return canonical.String(), nil
}

// shownEvents is what CONFIG GET prints: n is lost beside A, in Redis 7.0 as well, though it has its effect.
func shownEvents(value string) string {
	if strings.HasPrefix(value, "A") {
		return strings.ReplaceAll(value, "n", "")
	}
	return value
}

func notifyClass(letter byte) uint32 {
	for _, l := range notifyLetters {
		if l.letter == letter {
			return l.class
		}
	}
	return 0
}

// parseEvents is the set of classes and channels that the letters ask for.
func parseEvents(letters string) uint32 {
	var mask uint32
	for i := range len(letters) {
		if letters[i] == 'A' {
			mask |= notifyAll
			continue
		}
		mask |= notifyClass(letters[i])
	}
	return mask
}

// notify sends an event of the store as messages, as far as notify-keyspace-events asks for them (Redis documentation:
// keyspace notifications).
func (e *Env) notify(tx *store.Tx, class store.EventClass, event string, db int, key []byte) {
	if mask := e.Config.events.Load(); mask&uint32(class) != 0 && mask&(notifyKeyspace|notifyKeyevent) != 0 {
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
	if n.channels&notifyKeyspace != 0 {
		n.registry.Publish(nil, pubsub.Channel, "__keyspace@"+n.db+"__:"+n.key, n.event)
	}
	if n.channels&notifyKeyevent != 0 {
		n.registry.Publish(nil, pubsub.Channel, "__keyevent@"+n.db+"__:"+n.event, n.key)
	}
}
