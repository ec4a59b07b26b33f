package journal

import (
	"context"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/minilockd/minilockd/internal/lockrank"
)

// Default is how many entries a journal keeps that is turned on without a number, Max how many it can keep.
const (
	Default = 1000
	Max     = 1_000_000
)

// Journal keeps the last commands that a server has received. It is off at first, and then costs nothing. All methods
// are safe for concurrent use.
type Journal struct {
	on     atomic.Bool
	change func(on bool) // called with mu held

	mu      lockrank.Mutex[lockrank.Journal] // guards what follows
	limit   int
	entries []Entry // the oldest is at first
	first   int
	lastID  int64
	added   chan struct{} // closed at the next entry; nil if nobody waits
}

// New returns a journal that is off. change is called when it is turned on or off. The journal of a server is that of
// Server.Commands.
func New(change func(on bool)) *Journal { return &Journal{change: change} }

// Start turns the journal on. It keeps the last count entries; 0 is Default, and more than Max is Max.
func (j *Journal) Start(count int) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if count <= 0 {
		count = Default
	}
	all := j.allLocked()
	j.limit = min(count, Max)
	j.entries, j.first = all[max(len(all)-j.limit, 0):], 0
	j.on.Store(true)
	j.change(true)
}

// Stop turns the journal off. The entries are kept.
func (j *Journal) Stop() {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.on.Store(false)
	j.change(false)
}

// Clear removes all entries.
func (j *Journal) Clear() {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.entries, j.first = nil, 0
}

// On reports whether the journal is on.
func (j *Journal) On() bool { return j.on.Load() }

// Add adds an entry and sets its ID. The server calls it.
func (j *Journal) Add(e Entry) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if !j.On() {
		return
	}
	j.lastID++
	e.ID = j.lastID
	if len(j.entries) < j.limit {
		j.entries = append(j.entries, e)
	} else {
		j.entries[j.first] = e
		j.first = (j.first + 1) % len(j.entries)
	}
	if j.added != nil {
		close(j.added)
		j.added = nil
	}
}

// SetError sets Err of the last entry of a client: of what it has sent, or of what its script has called. The server
// calls it.
func (j *Journal) SetError(client int64, script bool, text string) {
	j.mu.Lock()
	defer j.mu.Unlock()
	for i := range j.entries {
		at := len(j.entries) - 1 - i
		e := &j.entries[(j.first+at)%len(j.entries)]
		if e.Client == client && e.Script == script {
			e.Err = text
			return
		}
	}
}

// allLocked returns all entries, the oldest first.
func (j *Journal) allLocked() []Entry {
	return slices.Concat(j.entries[j.first:], j.entries[:j.first])
}

// Entries returns all entries, the oldest first.
func (j *Journal) Entries() []Entry {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.allLocked()
}

// Find returns the entries that match, the oldest first.
func (j *Journal) Find(match func(Entry) bool) []Entry {
	return slices.DeleteFunc(j.Entries(), func(e Entry) bool { return !match(e) })
}

// Count returns how many entries are of a command: see [Entry.Is].
func (j *Journal) Count(command string) int {
	return len(j.Find(func(e Entry) bool { return e.Is(command) }))
}

// Last returns the last entry of a command: see [Entry.Is].
func (j *Journal) Last(command string) (e Entry, ok bool) {
	for _, e := range slices.Backward(j.Entries()) {
		if e.Is(command) {
			return e, true
		}
	}
	return Entry{}, false
}

// WaitFor returns the first entry that matches, and waits for it if there is none yet. It returns the error of ctx if
// that ends first.
func (j *Journal) WaitFor(ctx context.Context, match func(Entry) bool) (Entry, error) {
	for seen := int64(0); ; {
		all, added := j.after(seen)
		if i := slices.IndexFunc(all, match); i >= 0 {
			return all[i], nil
		}
		if len(all) > 0 {
			seen = all[len(all)-1].ID
		}
		select {
		case <-added:
		case <-ctx.Done():
			return Entry{}, ctx.Err()
		}
	}
}

// after returns the entries after one, and a channel that is closed when there are more.
func (j *Journal) after(id int64) ([]Entry, <-chan struct{}) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.added == nil {
		j.added = make(chan struct{})
	}
	all := j.allLocked()
	i := slices.IndexFunc(all, func(e Entry) bool { return e.ID > id })
	if i < 0 {
		return nil, j.added
	}
	return all[i:], j.added
}

// String returns the entries as text, one a line.
func (j *Journal) String() string { return Text(j.Entries()) }

// Text returns entries as text, one a line.
func Text(entries []Entry) string {
	var text strings.Builder
	for _, e := range entries {
		text.WriteString(e.String() + "\n")
	}
	return text.String()
}
