package acl

import (
	"sync/atomic"
	"time"

	"github.com/minilockd/minilockd/internal/lockrank"
)

// Log holds the denied calls and the failed AUTH calls for ACL LOG (its command page). The zero value is empty; it is
// safe for concurrent use.
type Log struct {
	mu      lockrank.Mutex[lockrank.ACLLog] // guards the rest
	nextID  int64
	entries []*LogEntry // latest first

	denied [decisions]atomic.Int64
}

// LogEntry is an entry of the log: one denied call, or several equal ones.
type LogEntry struct {
	Reason  Decision
	Context string // toplevel, multi or lua
	Object  string // what the user lacks: a command, a key or a channel
	User    string
	Client  string // its line of CLIENT LIST
	At      time.Time

	// Add sets the others.
	Count   int64
	ID      int64
	Created time.Time // of the first of the equal ones
}

// Equal denials count as one entry within sameEntry, if the earlier one is among the latest sameAmong entries, as in
// Redis.
const (
	sameEntry = time.Minute
	sameAmong = 10
)

// matches reports whether a later denial r counts as a repetition of other. The client does not matter.
func (r *LogEntry) matches(other *LogEntry) bool {
	return r.Reason == other.Reason && r.Context == other.Context && r.Object == other.Object && r.User == other.User &&
		r.At.Sub(other.At) <= sameEntry
}

// Add adds a denied call at the front. An equal entry that is late enough is merged into it: its count goes on, and the
// time and the client are those of the latest denial. The log keeps limit entries (acllog-max-len).
func (l *Log) Add(r LogEntry, limit int64) {
	l.denied[r.Reason].Add(1)
	r.Count, r.Created = 1, r.At
	l.mu.Lock()
	defer l.mu.Unlock()
	r.ID = l.nextID
	kept := l.entries[:0]
	for i, old := range l.entries {
		if i < sameAmong && r.Count == 1 && r.matches(old) {
			r.Count += old.Count
			r.ID, r.Created = old.ID, old.Created
			continue
		}
		kept = append(kept, old)
	}
	if r.Count == 1 {
		l.nextID++
	}
	l.entries = append([]*LogEntry{&r}, kept...)
	if int64(len(l.entries)) > limit {
		l.entries = l.entries[:limit]
	}
}

// Denied returns how often something was denied for a reason, since the start or ResetCounts.
func (l *Log) Denied(reason Decision) int64 { return l.denied[reason].Load() }

// ResetCounts is CONFIG RESETSTAT, which keeps the entries.
func (l *Log) ResetCounts() {
	for i := range l.denied {
		l.denied[i].Store(0)
	}
}

// Reset removes all entries.
func (l *Log) Reset() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.entries = nil
}

// Latest returns copies of at most n entries, the latest first.
func (l *Log) Latest(n int64) []LogEntry {
	l.mu.Lock()
	defer l.mu.Unlock()
	latest := make([]LogEntry, 0, len(l.entries))
	for _, r := range l.entries[:min(n, int64(len(l.entries)))] {
		latest = append(latest, *r)
	}
	return latest
}
