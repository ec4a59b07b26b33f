package data

import (
	"errors"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/store"
)

// XDELEX and XACKDEL delete entries and say what becomes of the references that groups have to them (XDELEX command
// page). The reply has a number for each id.

var streamDeleteCommands = []command.Command{
	{Name: "xackdel", Usage: "key group [KEEPREF | DELREF | ACKED] IDS numids id [id ...]", Arity: -6,
		Flags: writeFast, Keys: command.OneKey, Access: "RW update delete", Since: "8.2.0",
		Summary: "Acknowledges entries to a group, and removes those that were pending.", Run: xackdel},
	{Name: "xdelex", Usage: "key [KEEPREF | DELREF | ACKED] IDS numids id [id ...]", Arity: -5, Flags: writeFast,
		Keys: command.OneKey, Access: "RW delete", Since: "8.2.0",
		Summary: "Removes entries from a stream by their ids, and references to them.", Run: xdelex},
}

// What the reply says of an entry.
const (
	entryMissing  = -1
	entryDeleted  = 1
	entryReferred = 2 // not deleted, since a group refers to it
)

var (
	errNumIDs     = errors.New("ERR Number of IDs must be a positive integer")
	errNumIDsLess = errors.New("ERR The `numids` parameter must match the number of arguments")
)

// refsOption is KEEPREF, DELREF or ACKED, of which only one may be given.
type refsOption struct {
	refs      store.References
	refsGiven bool
}

// parseRefs reads argument i if it is such an option, and the first one.
func (o *refsOption) parseRefs(c *command.Call, i int) bool {
	switch {
	case o.refsGiven:
		return false
	case c.Is(i, "keepref"):
		o.refs = store.KeepRefs
	case c.Is(i, "delref"):
		o.refs = store.DropRefs
	case c.Is(i, "acked"):
		o.refs = store.OnlyAcked
	default:
		return false
	}
	o.refsGiven = true
	return true
}

// deletion is a call of XDELEX or XACKDEL.
type deletion struct {
	refsOption
	ids     [][]byte
	deleted int
}

// parseDeletion parses the options from argument i on. The ids are yet to be parsed.
func parseDeletion(c *command.Call, i int) (d deletion, err error) {
	for i < c.Len() {
		switch {
		case d.parseRefs(c, i):
			i++
		case c.Is(i, "ids") && i+1 < c.Len():
			if d.ids, err = parseNumIDs(c, i+1); err != nil {
				return d, err
			}
			i += 2 + len(d.ids)
		default:
			return d, command.ErrSyntax
		}
	}
	if d.ids == nil {
		return d, command.ErrSyntax
	}
	return d, nil
}

// parseNumIDs reads the number of ids at argument i and returns as many arguments behind it.
func parseNumIDs(c *command.Call, i int) ([][]byte, error) {
	n, err := c.Int(i)
	ids := c.Rest(i + 1)
	switch {
	case err != nil || n <= 0:
		return nil, errNumIDs
	case n > int64(len(ids)):
		return nil, errNumIDsLess
	}
	return ids[:n], nil
}

// noneFound replies that there is no entry of any id.
func (d *deletion) noneFound() resp.Value {
	return d.reply(make([]store.StreamID, len(d.ids)), func(store.StreamID) int64 { return entryMissing })
}

// reply replies for each id what one returns for it.
func (d *deletion) reply(ids []store.StreamID, one func(store.StreamID) int64) resp.Value {
	results := make([]resp.Value, len(ids))
	for i, id := range ids {
		results[i] = resp.Int(one(id))
	}
	return resp.Array(results...)
}

// remove deletes an entry unless a group refers to it that must not, and returns what became of it.
func (d *deletion) remove(s *store.Stream, id store.StreamID) int64 {
	if d.refs == store.OnlyAcked && s.HasRefs(id) {
		return entryReferred
	}
	if d.refs == store.DropRefs {
		s.AckInAll(id)
	}
	if !s.Delete(id) {
		return entryMissing
	}
	d.deleted++
	return entryDeleted
}

// xdelex implements XDELEX key [KEEPREF | DELREF | ACKED] IDS numids id [id ...]. For a missing key it does not parse
// the ids.
func xdelex(c *command.Call) resp.Value {
	key := c.Key(1)
	s, err := writeStream(c, key)
	if err != nil {
		return c.Fail(err)
	}
	d, err := parseDeletion(c, 2)
	if err != nil {
		return c.Fail(err)
	}
	if s == nil {
		return d.noneFound()
	}
	ids, err := parseStreamIDs(d.ids)
	if err != nil {
		return c.Fail(err)
	}
	reply := d.reply(ids, func(id store.StreamID) int64 { return d.remove(s, id) })
	if d.deleted > 0 {
		c.Tx.Report(key, store.Change{Class: store.EventStream, Event: "xdel", Count: d.deleted})
	}
	return reply
}

// xackdel implements XACKDEL key group [KEEPREF | DELREF | ACKED] IDS numids id [id ...]. Only entries that are pending
// in the group are deleted. Each of them is one change, be it deleted or not.
func xackdel(c *command.Call) resp.Value {
	key := c.Key(1)
	s, err := findStreamForWrite(c, key)
	if err != nil {
		return c.Fail(err)
	}
	d, err := parseDeletion(c, 3)
	if err != nil {
		return c.Fail(err)
	}
	var g *store.StreamGroup
	if s != nil {
		g = s.Group(c.Arg(2))
	}
	if g == nil {
		return d.noneFound()
	}
	ids, err := parseStreamIDs(d.ids)
	if err != nil {
		return c.Fail(err)
	}
	reply := d.reply(ids, func(id store.StreamID) int64 {
		if !g.Ack(id) {
			return entryMissing
		}
		c.Tx.CountChanges(1)
		if result := d.remove(s, id); result != entryMissing {
			return result
		}
		return entryDeleted // by XDEL or XTRIM before
	})
	if d.deleted > 0 {
		c.Tx.Report(key, store.Change{Class: store.EventStream, Event: "xdel"})
	}
	return reply
}
