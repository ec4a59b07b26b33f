package lockview

import (
	"slices"

	"github.com/minilockd/minilockd/locks"
)

// In returns what the tracker knows of a database.
func (t *Tracker) In(db int) Known { return knownOf{t, db} }

// knownOf implements Known.
type knownOf struct {
	tracker *Tracker
	db      int
}

func (k knownOf) Kind(name string) locks.Kind {
	k.tracker.mu.Lock()
	defer k.tracker.mu.Unlock()
	if e := k.tracker.locks[key{k.db, name}]; e != nil {
		return e.kind
	}
	return ""
}

func (k knownOf) Complete(l *locks.Lock) {
	k.tracker.mu.Lock()
	defer k.tracker.mu.Unlock()
	e := k.tracker.locks[key{k.db, l.Name}]
	if e == nil {
		return
	}
	for i := range l.Holders {
		h := &l.Holders[i]
		if known := find(e.holders, &holder{Holder: *h}); known != nil {
			h.Since, h.Client = known.Since, describe(known.conn)
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
