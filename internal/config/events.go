package config

import (
	"strings"

	"github.com/minilockd/minilockd/internal/words"
	"github.com/minilockd/minilockd/store"
)

// Bits of Events in addition to those of store.EventClass.
const (
	moduleEvents uint32 = 1 << (29 + iota)
	Keyspace            // to __keyspace@<db>__ channels
	Keyevent            // to __keyevent@<db>__ channels
)

// eventLetters are the letters of notify-keyspace-events in the order in which CONFIG GET prints them.
var eventLetters = []struct {
	letter byte
	class  uint32
}{
	{'g', uint32(store.EventGeneric)}, {'$', uint32(store.EventString)}, {'l', uint32(store.EventList)},
	{'s', uint32(store.EventSet)}, {'h', uint32(store.EventHash)}, {'z', uint32(store.EventZSet)},
	{'x', uint32(store.EventExpired)}, {'e', uint32(store.EventEvicted)}, {'t', uint32(store.EventStream)},
	{'d', moduleEvents}, {'n', uint32(store.EventNew)}, {'o', uint32(store.EventOverwritten)},
	{'c', uint32(store.EventTypeChanged)}, {'K', Keyspace}, {'E', Keyevent},
	{'m', uint32(store.EventMiss)},
}

// allEvents is what A stands for: all classes except key misses (m), new keys (n) and overwritten ones (o, c).
const allEvents = uint32(store.EventGeneric|store.EventString|store.EventList|store.EventSet|store.EventHash|
	store.EventZSet|store.EventExpired|store.EventEvicted|store.EventStream) | moduleEvents

// eventsBefore82 is eventsValue without the letters of overwritten keys.
func eventsBefore82(value string) (string, error) {
	if strings.ContainsAny(words.UntilNUL(value), "oc") {
		return "", errEvents
	}
	return eventsValue(value)
}

// eventsValue takes the letters of notify-keyspace-events, in any order, and sorts them. A stands for all letters of
// allEvents, and replaces them.
func eventsValue(value string) (string, error) {
	value = words.UntilNUL(value)
	for i := range len(value) {
		if value[i] != 'A' && eventClass(value[i]) == 0 {
			return "", errEvents
		}
	}
	mask := parseEvents(value)
	var canonical strings.Builder
	if mask&allEvents == allEvents {
		canonical.WriteByte('A')
		mask &^= allEvents
	}
	for _, l := range eventLetters {
		if mask&l.class != 0 {
			canonical.WriteByte(l.letter)
		}
	}
	return canonical.String(), nil
}

// displayEvents returns what CONFIG GET prints. Next to A it leaves out n, o and c, as Redis does, though they have
// their effect.
func displayEvents(value string) string {
	if strings.HasPrefix(value, "A") {
		return strings.NewReplacer("n", "", "o", "", "c", "").Replace(value)
	}
	return value
}

// eventClass returns the bit of a letter, 0 for an unknown letter and for A.
func eventClass(letter byte) uint32 {
	for _, l := range eventLetters {
		if l.letter == letter {
			return l.class
		}
	}
	return 0
}

// parseEvents returns the bits of checked letters.
func parseEvents(letters string) uint32 {
	var mask uint32
	for i := range len(letters) {
		if letters[i] == 'A' {
			mask |= allEvents
			continue
		}
		mask |= eventClass(letters[i])
	}
	return mask
}
