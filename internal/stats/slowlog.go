package stats

import (
	"fmt"
	"time"

	"github.com/minilockd/minilockd/internal/lockrank"
)

// SlowLog keeps slow calls (SLOWLOG command page). The zero value is empty; it is safe for concurrent use.
type SlowLog struct {
	mu      lockrank.Mutex[lockrank.SlowLog] // guards nextID and entries
	nextID  int64
	entries []SlowCall // oldest first
}

// SlowCall is an entry of the slow log.
type SlowCall struct {
	ID           int64 // set by the log
	At           time.Time
	Duration     time.Duration
	Bytes        int64    // of a large request or reply, in place of Duration
	Args         []string // see Truncate
	Client, Name string   // the client's address and its name
}

// Large is a kind of call that COMMANDLOG keeps because of its size.
type Large uint8

// The kinds.
const (
	LargeRequest Large = iota
	LargeReply

	LargeKinds // their number
)

// What the slow log keeps of the arguments of a call, as in Redis (SLOWLOG_ENTRY_MAX_ARGC, SLOWLOG_ENTRY_MAX_STRING):
// so many arguments, and so many bytes of each.
const (
	slowMaxArgs  = 32
	slowMaxBytes = 128
)

// Add adds a call, and drops the oldest entries beyond length.
func (l *SlowLog) Add(entry SlowCall, length int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	entry.ID = l.nextID
	l.nextID++
	l.appendLocked(length, entry)
}

// take moves the entries of another log to this one, as if they had been added here.
func (l *SlowLog) take(other *SlowLog, length int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for i := range other.entries {
		other.entries[i].ID += l.nextID
	}
	l.nextID += other.nextID
	l.appendLocked(length, other.entries...)
	other.discard()
}

func (l *SlowLog) appendLocked(length int, entries ...SlowCall) {
	l.entries = append(l.entries, entries...)
	if extra := len(l.entries) - length; extra > 0 {
		l.entries = append([]SlowCall(nil), l.entries[extra:]...)
	}
}

// Trim drops the oldest entries beyond length.
func (l *SlowLog) Trim(length int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.appendLocked(length)
}

// discard clears a log that no other goroutine knows.
func (l *SlowLog) discard() { l.nextID, l.entries = 0, nil }

// Latest returns the last n entries, the latest first; all of them if n is -1.
func (l *SlowLog) Latest(n int) []SlowCall {
	l.mu.Lock()
	defer l.mu.Unlock()
	if n < 0 || n > len(l.entries) {
		n = len(l.entries)
	}
	latest := make([]SlowCall, 0, n)
	for i := len(l.entries) - 1; i >= len(l.entries)-n; i-- {
		latest = append(latest, l.entries[i])
	}
	return latest
}

// Len is the number of entries.
func (l *SlowLog) Len() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.entries)
}

// Reset drops all entries. The next one does not get the number of an earlier one.
func (l *SlowLog) Reset() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.entries = nil
}

// Truncate copies the arguments, up to slowMaxArgs and slowMaxBytes of each. What it leaves out becomes a note such as
// "... (2 more bytes)".
func Truncate(args [][]byte) []string {
	truncated := make([]string, 0, min(len(args), slowMaxArgs))
	for i, arg := range args {
		switch left := len(args) - slowMaxArgs + 1; {
		case i == slowMaxArgs-1 && left > 1:
			return append(truncated, fmt.Sprintf("... (%d more arguments)", left))
		case len(arg) > slowMaxBytes:
			truncated = append(truncated, fmt.Sprintf("%s... (%d more bytes)", arg[:slowMaxBytes], len(arg)-slowMaxBytes))
		default:
			truncated = append(truncated, string(arg))
		}
	}
	return truncated
}
