package compat

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/minilockd/minilockd/internal/emulate"
	"github.com/minilockd/minilockd/internal/require"
)

// eventRecorder records the keyspace notifications of a server, of all classes.
type eventRecorder struct {
	t    testing.TB
	addr string
	in   *rawClient
}

// endChannel is the channel of the message after which a recording ends.
const endChannel = "__keyspace@0__:end"

// recordEvents turns notifications on and starts recording.
func recordEvents(t testing.TB, addr string) *eventRecorder {
	t.Helper()
	l := &eventRecorder{t, addr, dial(t, addr)}
	letters := "AKEmn"
	if emulate.Named(emulated).Does(emulate.TellsOverwritten) {
		letters += "oc"
	}
	require.Equal(t, "+OK", l.in.do(t, "CONFIG", "SET", "notify-keyspace-events", letters).String())
	l.in.do(t, "PSUBSCRIBE", "__key*__:*")
	return l
}

// end ends the recording and returns the notifications in order. Consecutive key misses are sorted: SORT by keys looks
// keys up in the order of a set's hash table.
func (l *eventRecorder) end() (messages []string) {
	l.t.Helper()
	other := dial(l.t, l.addr)
	defer other.conn.Close()
	defer l.in.conn.Close()
	for _, db := range []string{"1", "0"} { // looks up keys that have expired since
		other.do(l.t, "SELECT", db)
		other.do(l.t, "SCAN", "0", "COUNT", "1000")
	}
	other.do(l.t, "CONFIG", "SET", "notify-keyspace-events", "")
	other.do(l.t, "PUBLISH", endChannel, "")
	for misses := 0; ; {
		m, err := l.in.read()
		require.NoError(l.t, err, "%s, after %d messages", l.addr, len(messages))
		require.Len(l.t, m.elems, 4, "%s", m)
		message := m.elems[2].text + " " + m.elems[3].text
		if !strings.Contains(message, "keymiss") {
			slices.Sort(messages[misses:])
			misses = len(messages) + 1
		}
		if m.elems[2].text == endChannel {
			return messages
		}
		messages = append(messages, message)
	}
}

// diffEvents returns the first difference between the notifications of two servers, or an empty string.
func diffEvents(want, got []string) string {
	for i := range max(len(want), len(got)) {
		x, y := at(want, i), at(got, i)
		if x != y {
			return fmt.Sprintf("notification %d of %d, after %q\n   redis: %s\n  target: %s", i, len(want), at(want, i-1), x, y)
		}
	}
	return ""
}

func at(messages []string, i int) string {
	if i < 0 || i >= len(messages) {
		return "(none)"
	}
	return messages[i]
}
