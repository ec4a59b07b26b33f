package lockview

import (
	"cmp"
	"encoding/hex"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/locks"
	"github.com/minilockd/minilockd/store"
)

// change is a key that a transaction has changed and that may belong to a lock.
type change struct {
	key
	tracker *Tracker
	tx      *store.Tx
	by      Conn
	args    [][]byte

	committed bool // what changes now is another change
}

// Commit implements store.Effect. It compares the lock with what it was before the transaction.
func (c *change) Commit() {
	c.committed = true
	c.tx.In(c.db, func() {
		t := c.tracker
		t.mu.Lock()
		defer t.mu.Unlock()
		e := t.locks[c.key]
		now, ok := c.state(e)
		if !ok && e == nil {
			return // no lock
		}
		if e == nil {
			e = t.entry(c.key)
		}
		e.setKind(now.kind)
		if e.kind == locks.Semaphore && now.numeric {
			c.count(e, now.number)
			return
		}
		c.compare(e, now.holders)
	})
}

// state is what the keys of a lock say now.
type state struct {
	kind    locks.Kind
	holders []holder
	numeric bool
	number  int64
}

// setKind sets the kind, unless more is known: a fair or a fenced lock has the data of a plain one, and a semaphore
// whose permits have leases has the channel of one without.
func (e *tracked) setKind(kind locks.Kind) {
	if e.kind == "" || kind != "" && kind != locks.Plain && !(kind == locks.Semaphore && e.kind == locks.Permits) {
		e.kind = kind
	}
}

// state reads the lock; ok is false if its key does not exist, or is none of a lock. The companions of a lock have its
// hash tag and so are in the same shard. e is what was known of the lock, nil for nothing.
func (c *change) state(e *tracked) (s state, ok bool) {
	entry := c.tx.Lookup([]byte(c.name), store.Inspect)
	if !entry.Exists() {
		return s, false
	}
	ttl := ttlOf(c.tx, entry)
	switch v := entry.Value().(type) {
	case *store.Hash:
		return c.hashState(e, v, ttl)
	case *store.String:
		if text := v.Bytes(); len(text) <= MaxText {
			return c.stringState(e, string(text), ttl)
		}
	}
	return s, false
}

func (c *change) read(name string) Value { return ReadKey(c.tx, name) }

// hashState reads the lock from its hash without a copy of what is known already: most changes are of a lock that is
// held, by its holder.
func (c *change) hashState(e *tracked, h *store.Hash, ttl int64) (s state, ok bool) {
	if h.Len() > MaxElems {
		return s, false
	}
	d := hashDecoder{keep: e.textOf, get: func(field string) string {
		value, _ := h.Get([]byte(field))
		return string(value)
	}}
	h.Each(func(field, value []byte) bool {
		ok = d.add(resp.Bulk(field).Text(), resp.Bulk(value).Text())
		return ok
	})
	if !ok || !d.end() {
		return s, false
	}
	s.kind = d.kind
	for _, held := range d.holders {
		now := holder{Holder: held, deadline: c.deadline(ttl)}
		if d.kind == locks.ReadWrite && !held.Write {
			now.deadline = c.readerDeadline(held)
		}
		s.holders = append(s.holders, now)
	}
	return s, true
}

// textOf returns a copy of a text, which is the name of a holder if it is known.
func (e *tracked) textOf(text string) string {
	if e != nil {
		for i := range e.holders {
			if h := &e.holders[i]; h.Owner == text {
				return h.Owner
			}
		}
	}
	return strings.Clone(text)
}

// deadline returns when a TTL ends, in ms since 1970; 0 for none.
func (c *change) deadline(ttl int64) int64 {
	if ttl < 0 {
		return 0
	}
	return c.tx.Now() + ttl
}

// readerDeadline returns when the last of a reader's leases ends: each of its holds has one.
func (c *change) readerDeadline(h locks.Holder) (last int64) {
	for i := int64(1); i <= h.Holds; i++ {
		if v := c.read(readerKey(c.name, h.Owner, i)); v.Type == String {
			last = max(last, c.deadline(v.TTL))
		}
	}
	return last
}

// stringState reads a semaphore, with its permits if they have leases, or a token.
func (c *change) stringState(e *tracked, text string, ttl int64) (s state, ok bool) {
	number, err := strconv.ParseInt(text, 10, 64)
	if err == nil {
		permits := c.read(braced(c.name) + permitsSuffix)
		switch {
		case permits.Type == SortedSet:
			return state{kind: locks.Permits, holders: permitHolders(permits)}, true
		case e != nil && e.kind != locks.Token:
			return state{kind: e.kind, numeric: true, number: number}, true
		}
	}
	if e != nil && e.kind == locks.Token || ttl >= 0 && err != nil && isToken(text) {
		held := holder{Holder: locks.Holder{Owner: text, Holds: 1}, deadline: c.deadline(ttl)}
		return state{kind: locks.Token, holders: []holder{held}}, true
	}
	return s, false
}

func permitHolders(permits Value) (list []holder) {
	for pair := range slices.Chunk(permits.Elems, 2) {
		score, _ := strconv.ParseFloat(pair[1], 64)
		deadline := int64(score)
		if deadline >= noLease {
			deadline = 0
		}
		list = append(list, holder{Holder: locks.Holder{Owner: permitID(pair[0]), Holds: 1}, deadline: deadline})
	}
	return list
}

// permitBytes is the length of a permit's id, as Redisson 4 stores it.
const permitBytes = 16

// permitID returns the id of a permit as Redisson's API does: version 4 stores it as 16 bytes, 3.13 as its digits.
func permitID(member string) string {
	if len(member) == permitBytes {
		return hex.EncodeToString([]byte(member))
	}
	return member
}

// count finds what has happened to a semaphore, which knows only how many permits are free.
func (c *change) count(e *tracked, number int64) {
	switch taken := e.number - number; {
	case !e.counted, taken == 0:
	case taken > 0:
		c.emit(e, locks.Event{Type: locks.Taken, Holds: taken, Client: describe(c.by)})
	default:
		c.emit(e, locks.Event{Type: locks.Released, Holds: -taken, Client: describe(c.by)})
	}
	e.number, e.counted = number, true
}

// compare finds what has happened to the holders: those who have left come first.
func (c *change) compare(e *tracked, now []holder) {
	before := e.holders
	e.holders = nil
	for i := range before {
		if find(now, &before[i]) == nil {
			c.leave(e, &before[i])
		}
	}
	for i := range now {
		h := &now[i]
		was := find(before, h)
		if was == nil {
			h.Since, h.conn = c.tx.Time(), c.by
			e.forget(h.Owner)
			c.emitOf(e, locks.Taken, h, c.by)
			continue
		}
		h.Since, h.conn = was.Since, was.conn
		c.keep(e, was, h)
	}
	e.holders = now
}

// find returns the same holder of a list, nil if there is none.
func find(list []holder, h *holder) *holder {
	for i := range list {
		if list[i].Owner == h.Owner && list[i].Value == h.Value && list[i].Write == h.Write {
			return &list[i]
		}
	}
	return nil
}

// leave finds why a holder is gone: its lease has ended, it has released the lock, or someone else has removed it.
func (c *change) leave(e *tracked, h *holder) {
	gone := *h
	gone.Holds, gone.deadline = 0, 0
	switch {
	case h.deadline != 0 && h.deadline <= c.tx.Now():
		lost := h.conn != nil && !h.conn.Closed()
		event := c.eventOf(e, locks.Lapsed, &gone, h.conn)
		event.Lost = lost
		c.emit(e, event)
	case c.isBy(h):
		c.emitOf(e, locks.Released, &gone, c.by)
	default:
		c.emitOf(e, locks.Forced, &gone, c.by)
	}
}

// isBy reports whether the holder itself makes the change: its name is among the arguments, or it uses the connection
// by which it has taken the lock.
func (c *change) isBy(h *holder) bool {
	if c.by != nil && c.by == h.conn {
		return true
	}
	return slices.ContainsFunc(c.args, func(arg []byte) bool {
		owner := strings.TrimSuffix(resp.Bulk(arg).Text(), writeSuffix)
		return owner == h.Owner || len(arg) == permitBytes && permitID(owner) == h.Owner
	})
}

// keep finds what has happened to a holder that is still there.
func (c *change) keep(e *tracked, was, now *holder) {
	switch {
	case now.Holds > was.Holds:
		c.emitOf(e, locks.Reentered, now, c.by)
	case now.Holds < was.Holds:
		c.emitOf(e, locks.Released, now, c.by)
	case now.deadline > was.deadline || now.deadline == 0 && was.deadline != 0:
		c.emitOf(e, locks.Renewed, now, c.by)
	}
}

func (e *tracked) forget(owner string) {
	e.attempts = slices.DeleteFunc(e.attempts, func(a attempt) bool { return a.owner == owner })
}

func (c *change) emitOf(e *tracked, what locks.EventType, h *holder, by Conn) {
	c.emit(e, c.eventOf(e, what, h, by))
}

func (c *change) eventOf(e *tracked, what locks.EventType, h *holder, by Conn) locks.Event {
	event := locks.Event{Type: what, Owner: h.Owner, Holds: h.Holds, Client: describe(by)}
	if e.kind == locks.ReadWrite {
		event.Mode = "read"
		if h.Write {
			event.Mode = "write"
		}
	}
	switch {
	case h.deadline != 0:
		event.Lease = time.Duration(h.deadline-c.tx.Now()) * time.Millisecond
	case h.Holds > 0:
		event.Lease = locks.Forever
	}
	return event
}

// describe returns what is known of a connection.
func describe(c Conn) locks.Client {
	if c == nil {
		return locks.Client{}
	}
	return c.Describe()
}

// emit adds an event to the history.
func (c *change) emit(e *tracked, event locks.Event) {
	event.Time, event.DB, event.Lock = c.tx.Time(), c.db, c.name
	event.Kind = cmp.Or(e.kind, locks.Plain)
	c.tracker.history.add(event)
	if c.tracker.Emit != nil {
		c.tracker.Emit(event)
	}
}
