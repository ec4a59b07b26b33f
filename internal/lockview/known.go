package lockview

import (
	"cmp"
	"slices"
	"strings"

	"github.com/minilockd/minilockd/locks"
)

// Known is what a Tracker knows of a database, beyond its data. It is safe for concurrent use. A nil one knows nothing.
type Known struct {
	tracker *Tracker
	db      int
}

// In returns what the tracker knows of a database.
func (t *Tracker) In(db int) *Known { return &Known{t, db} }

// find returns what is known of a lock, and its kind; nil and "" for nothing.
func (k *Known) find(name string) (*tracked, locks.Kind) {
	if k == nil {
		return nil, ""
	}
	k.tracker.mu.Lock()
	defer k.tracker.mu.Unlock()
	e := k.tracker.locks[key{k.db, name}]
	if e == nil {
		return nil, ""
	}
	return e, e.kind
}

// complete adds to a lock what is known of its holders and waiters.
func (k *Known) complete(l *locks.Lock, e *tracked) {
	if e == nil {
		return
	}
	k.tracker.mu.Lock()
	defer k.tracker.mu.Unlock()
	for i := range l.Holders {
		h := &l.Holders[i]
		known := find(e.holders, &hold{owner: h.Owner, value: h.Value, write: h.Write})
		if known != nil {
			h.Since, h.Client = known.since, describe(known.conn)
		}
	}
	switch {
	case l.Kind == locks.Fair:
		e.completeQueue(l.Waiters)
	case len(e.claims) > 0:
		e.dropClaims(k.tracker.subscribersOf(e))
		l.Waiters = e.completeWaiters(l.Waiters)
	}
}

// completeQueue adds since when each waiter of a queue waits.
func (e *tracked) completeQueue(queue []locks.Waiter) {
	for i := range queue {
		queue[i].Since = e.attempts[queue[i].Owner].since
	}
}

// completeWaiters puts the owners that wait in place of the connections that subscribe for them.
func (e *tracked) completeWaiters(connections []locks.Waiter) (list []locks.Waiter) {
	owners := make(map[int64][]locks.Waiter) // by the ID of their connection
	for owner, a := range e.attempts {
		if a.waits {
			client := e.claims[owner[:uuidLen]].Describe()
			owners[client.ID] = append(owners[client.ID], locks.Waiter{Owner: owner, Since: a.since, Client: client})
		}
	}
	for _, w := range connections {
		known := owners[w.Client.ID]
		slices.SortFunc(known, func(a, b locks.Waiter) int {
			return cmp.Or(a.Since.Compare(b.Since), strings.Compare(a.Owner, b.Owner))
		})
		if len(known) == 0 {
			known = []locks.Waiter{w}
		}
		list = append(list, known...)
	}
	return list
}
