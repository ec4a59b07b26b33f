package lockview

import (
	"slices"

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
	if len(e.attempts) == 0 {
		return // the data tells who waits
	}
	e.dropAttempts(k.tracker.subscribersOf(e), l.Kind)
	if l.Kind == locks.Fair {
		e.completeQueue(l.Waiters)
		return
	}
	l.Waiters = e.completeWaiters(l.Waiters)
}

// dropAttempts forgets those who do not wait any more: their client has ended its subscription. A client that several
// threads share keeps it while one of them waits.
func (e *tracked) dropAttempts(subscribers []Conn, kind locks.Kind) {
	if kind == locks.Fair {
		return // the queue tells who waits
	}
	for uuid, c := range e.claims {
		if !slices.Contains(subscribers, c) {
			delete(e.claims, uuid)
		}
	}
	e.attempts = slices.DeleteFunc(e.attempts, func(a attempt) bool { return e.claims[a.owner[:uuidLen]] == nil })
}

// completeQueue adds since when each waiter of a queue waits.
func (e *tracked) completeQueue(queue []locks.Waiter) {
	for i := range queue {
		for _, a := range e.attempts {
			if a.owner == queue[i].Owner {
				queue[i].Since = a.since
			}
		}
	}
}

// completeWaiters puts the owners that wait in place of the connections that subscribe for them.
func (e *tracked) completeWaiters(connections []locks.Waiter) (list []locks.Waiter) {
	for _, w := range connections {
		known := false
		for _, a := range e.attempts {
			if c := e.claims[a.owner[:uuidLen]]; c.Describe().ID == w.Client.ID {
				known = true
				list = append(list, locks.Waiter{Owner: a.owner, Since: a.since, Client: w.Client})
			}
		}
		if !known {
			list = append(list, w)
		}
	}
	return list
}
