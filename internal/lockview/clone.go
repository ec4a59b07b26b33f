package lockview

import (
	"maps"
	"slices"
)

// Clone returns a copy of the tracker with what it knows and its history; nil for nil. Both may be used independently.
func (t *Tracker) Clone() *Tracker {
	if t == nil {
		return nil
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	c := &Tracker{Emit: t.Emit, Subscribers: t.Subscribers, locks: make(map[key]*tracked, len(t.locks)),
		most: t.most, history: t.history, tries: t.tries, clients: maps.Clone(t.clients)}
	c.history.events = slices.Clone(t.history.events)
	for k, e := range t.locks {
		own := *e
		own.holders, own.attempts, own.claims = slices.Clone(e.holders), maps.Clone(e.attempts), maps.Clone(e.claims)
		c.locks[k] = &own
	}
	return c
}

// Capacity is how many events the history keeps.
func (t *Tracker) Capacity() int { return t.history.capacity }
