package lockview

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/locks"
	"github.com/minilockd/minilockd/store"
)

// change is a lock that a transaction has changed, maybe. It is used under the mutex of the tracker.
type change struct {
	tracker *Tracker
	tx      *store.Tx
	key
	by Call
}

// compare finds what has happened to a lock, whose state is read. Once its key is gone, another kind of lock may get
// the name.
func (c *change) compare(e *tracked) {
	now := &c.tracker.now
	e.setKind(now.kind)
	if e.kind == locks.Semaphore && now.numeric {
		c.count(e, now.number)
		return
	}
	c.compareHolders(e, now.holders)
	clear(e.holders) // lets go of connections
	e.holders, now.holders = now.holders, e.holders
	if now.kind == "" {
		e.kind, e.counted = "", false
	}
}

// setKind sets the kind, unless more is known: a fair or a fenced lock has the data of a plain one, and a semaphore
// whose permits have leases has the channel of one without.
func (e *tracked) setKind(kind locks.Kind) {
	switch {
	case kind == "":
	case kind == locks.Plain && (e.kind == locks.Fair || e.kind == locks.Fenced):
	case kind == locks.Semaphore && e.kind == locks.Permits:
	default:
		e.kind = kind
	}
}

// count finds what has happened to a semaphore, which knows only how many permits are free.
func (c *change) count(e *tracked, number int64) {
	switch taken := e.number - number; {
	case !e.counted, taken == 0:
	case taken > 0:
		c.add(e, locks.Event{Type: locks.Taken, Holds: taken, Client: describe(c.by.Conn)})
	default:
		c.add(e, locks.Event{Type: locks.Released, Holds: -taken, Client: describe(c.by.Conn)})
	}
	e.number, e.counted = number, true
}

// compareHolders finds what has happened to the holders: those who have left come first.
func (c *change) compareHolders(e *tracked, now []holder) {
	for i := range e.holders {
		if find(now, &e.holders[i].hold) == nil {
			c.leave(e, &e.holders[i])
		}
	}
	for i := range now {
		h := &now[i]
		was := find(e.holders, &h.hold)
		if was == nil {
			h.since, h.conn = c.tx.Time(), c.by.Conn
			delete(e.attempts, h.owner)
			c.report(e, locks.Taken, h)
			continue
		}
		h.since, h.conn = was.since, was.conn
		c.stay(e, was, h)
	}
}

// find returns the same holder of a list, which is sorted; nil if the list does not have it.
func find(list []holder, h *hold) *holder {
	i, found := slices.BinarySearchFunc(list, *h, func(l holder, h hold) int { return l.compare(&h) })
	if !found {
		return nil
	}
	return &list[i]
}

// leave finds why a holder is gone: its lease has ended, it has released the lock, or someone else has removed it.
func (c *change) leave(e *tracked, h *holder) {
	gone := *h
	gone.holds, gone.deadline = 0, 0
	switch {
	case h.deadline != 0 && h.deadline <= c.tx.Now():
		c.report(e, locks.Lapsed, &gone)
	case c.isBy(h):
		c.report(e, locks.Released, &gone)
	default:
		c.report(e, locks.Forced, &gone)
	}
}

// isBy reports whether the holder itself makes the change: it uses the connection by which it has taken the lock, or
// its name is among the arguments.
func (c *change) isBy(h *holder) bool {
	if c.by.Conn != nil && c.by.Conn == h.conn {
		return true
	}
	return slices.ContainsFunc(c.by.Args, func(arg []byte) bool {
		return h.isNamed(arg) || len(arg) == permitBytes && permitID(resp.Bulk(arg).Text()) == h.owner
	})
}

// isNamed reports whether an argument names the holder, maybe with the suffix of a writer.
func (h *holder) isNamed(arg []byte) bool {
	return strings.TrimSuffix(resp.Bulk(arg).Text(), writeSuffix) == h.owner
}

// stay finds what has happened to a holder that is still there.
func (c *change) stay(e *tracked, was, now *holder) {
	switch {
	case now.holds > was.holds:
		c.report(e, locks.Reentered, now)
	case now.holds < was.holds:
		c.report(e, locks.Released, now)
	case now.deadline > was.deadline || now.deadline == 0 && was.deadline != 0:
		c.report(e, locks.Renewed, now)
	}
}

// report adds the event of a holder to the history.
func (c *change) report(e *tracked, what locks.EventType, h *holder) {
	event := locks.Event{Type: what, Owner: h.owner, Holds: h.holds}
	if what == locks.Lapsed {
		event.Client = describe(h.conn)
		event.Lost = h.conn != nil && !h.conn.Closed()
	} else {
		event.Client = describe(c.by.Conn)
	}
	if e.kind == locks.ReadWrite {
		event.Mode = "read"
		if h.write {
			event.Mode = "write"
		}
	}
	switch {
	case h.deadline != 0:
		event.Lease = time.Duration(max(0, h.deadline-c.tx.Now())) * time.Millisecond
	case h.holds > 0:
		event.Lease = locks.Forever
	}
	c.add(e, event)
}

// describe returns what is known of a connection.
func describe(c Conn) locks.Client {
	if c == nil {
		return locks.Client{}
	}
	return c.Describe()
}

// add adds an event to the history.
func (c *change) add(e *tracked, event locks.Event) {
	event.Time, event.DB, event.Lock = c.tx.Time(), c.db, e.key.name
	event.Kind = cmp.Or(e.kind, locks.Plain)
	added := c.tracker.history.add(&event)
	if c.tracker.Emit != nil {
		c.tracker.Emit(added)
	}
}
