package acl

import (
	"time"

	"github.com/minilockd/minilockd/internal/lockrank"
)

// Log holds the denied calls and the failed AUTH calls for ACL LOG (its command page). The zero value is empty; it is
// safe for concurrent use.
type Log struct {
	mu      lockrank.Mutex[lockrank.ACLLog] // guards entries
	entries []*LogEntry                     // latest first
}

// LogEntry is an entry of the log: one denied call, or several equal ones within a minute.
type LogEntry struct {
	Reason  Decision
	Context string // toplevel, multi or lua
	Object  string // what the user lacks: a command, a key or a channel
	User    string
	Client  string // its line of CLIENT LIST
	At      time.Time
	Count   int64 // set by Add
}

// sameEntry is the time within which equal denials count as one entry, as in Redis.
const sameEntry = time.Minute

// matches reports whether a later denial r counts as a repetition of other. The client does not matter.
func (r *LogEntry) matches(other *LogEntry) bool {
	return r.Reason == other.Reason && r.Context == other.Context && r.Object == other.Object && r.User == other.User &&
		r.At.Sub(other.At) <= sameEntry
}

// Add adds a denied call at the front. An equal entry within a minute is merged into it: its count goes on, and the
// time and the client are those of the latest denial. The log keeps limit entries (acllog-max-len).
func (l *Log) Add(r LogEntry, limit int64) {
	r.Count = 1
	l.mu.Lock()
	defer l.mu.Unlock()
	kept := l.entries[:0]
	for _, old := range l.entries {
		if r.matches(old) {
			r.Count += old.Count
			continue
		}
		kept = append(kept, old)
	}
	l.entries = append([]*LogEntry{&r}, kept...)
	if int64(len(l.entries)) > limit {
		l.entries = l.entries[:limit]
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
