package tracking

import (
	"sync/atomic"

	"github.com/minilockd/minilockd/internal/lockrank"
	"github.com/minilockd/minilockd/internal/resp"
)

// Client is a connection that gets pushes. Its methods may be called from any goroutine, under any lock.
type Client interface {
	ClientID() int64
	Closed() bool // its connection is closed
	PutPush(Push)
}

// Mode is the options of CLIENT TRACKING, and what CLIENT CACHING has said about the next command.
type Mode uint8

// The bits of Mode.
const (
	Broadcasting Mode = 1 << iota // BCAST
	OptIn
	OptOut
	NoLoop
	Caching // CLIENT CACHING was called
	Broken  // the client of REDIRECT is gone
)

// Table is the tracking of a server. The zero value is ready; it is safe for concurrent use.
type Table struct {
	clients atomic.Int32 // that track

	mu       lockrank.Mutex[lockrank.Tracking] // guards what follows, and the fields of the trackers
	keys     map[string]map[*Tracker]struct{}  // by whom a key was read; the database does not matter
	items    int                               // trackers in keys
	trackers map[*Tracker]struct{}
}

// Tracker is how a client tracks. It stays the client's when tracking is turned off and on again.
type Tracker struct {
	table  *Table
	client Client
	state  State
}

// State is a copy of how a client tracks.
type State struct {
	On       bool
	Mode     Mode
	Redirect Client   // the client that gets the pushes; nil for the client itself
	Prefixes []string // of BCAST
}

// RedirectID is the ID of the client that gets the pushes: 0 for the client itself, -1 if it does not track.
func (s *State) RedirectID() int64 {
	switch {
	case !s.On:
		return -1
	case s.Redirect == nil:
		return 0
	}
	return s.Redirect.ClientID()
}

// NewTracker returns the tracker of a client, which does not track yet.
func (t *Table) NewTracker(c Client) *Tracker { return &Tracker{table: t, client: c} }

// Active reports whether any client tracks. It costs one load.
func (t *Table) Active() bool { return t.clients.Load() > 0 }

// Remember records that the tracker has read keys. The table keeps at most limit keys, if limit is not 0.
func (t *Table) Remember(tracker *Tracker, keys []string, limit int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.keys == nil {
		t.keys = make(map[string]map[*Tracker]struct{})
	}
	for _, key := range keys {
		if t.keys[key] == nil {
			t.keys[key] = make(map[*Tracker]struct{})
		}
		if _, twice := t.keys[key][tracker]; !twice {
			t.keys[key][tracker] = struct{}{}
			t.items++
		}
	}
	t.shrinkLocked(limit)
}

// Shrink drops keys beyond the limit.
func (t *Table) Shrink(limit int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.shrinkLocked(limit)
}

// shrinkLocked drops any keys beyond the limit, as if they had changed: their clients must not go on caching them.
func (t *Table) shrinkLocked(limit int) {
	for key := range t.keys {
		if limit == 0 || len(t.keys) <= limit {
			return
		}
		t.invalidateLocked(key, nil)
	}
}

// Changed pushes to those who have read the keys, or broadcast their prefixes, that they have changed. by is the client
// that changed them; nil if none did, as when a key expires.
func (t *Table) Changed(keys []string, by Client) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for tracker := range t.trackers {
		if tracker.state.On && tracker.state.Mode&Broadcasting != 0 && !tracker.skips(by) {
			tracker.broadcast(keys)
		}
	}
	for _, key := range keys {
		t.invalidateLocked(key, by)
	}
}

// invalidateLocked pushes to those who have read a key, and forgets that they did.
func (t *Table) invalidateLocked(key string, by Client) {
	for tracker := range t.keys[key] {
		if tracker.state.On && tracker.state.Mode&Broadcasting == 0 && !tracker.skips(by) {
			tracker.send(resp.Array(resp.BulkString(key)))
		}
	}
	t.items -= len(t.keys[key])
	delete(t.keys, key)
}

// Flushed pushes to every tracker that all keys are gone.
func (t *Table) Flushed() {
	t.mu.Lock()
	defer t.mu.Unlock()
	for tracker := range t.trackers {
		if tracker.state.On {
			tracker.send(resp.Null)
		}
	}
	t.keys, t.items = nil, 0
}

// Counts is what INFO shows.
type Counts struct{ Clients, Keys, Items, Prefixes int }

// Counts counts what the table holds.
func (t *Table) Counts() Counts {
	t.mu.Lock()
	defer t.mu.Unlock()
	prefixes := make(map[string]struct{})
	for tracker := range t.trackers {
		for _, prefix := range tracker.state.Prefixes {
			prefixes[prefix] = struct{}{}
		}
	}
	return Counts{int(t.clients.Load()), len(t.keys), t.items, len(prefixes)}
}
