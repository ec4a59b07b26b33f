package data

import (
	"errors"
	"slices"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/store"
)

// Streams: adding and removing entries. IDs only grow, and the last one is kept when its entry is gone; so a stream
// may be empty, the one type that can (XADD command page). An id is given whole, as ms-* or as *, which takes the
// time of the transaction.

var streamCommands = slices.Concat(streamEntryCommands, streamDeleteCommands, streamReadCommands,
	streamReadGroupCommands, streamGroupCommands, streamPendingCommands, streamClaimCommands, streamInfoCommands)

// streamEntryCommands add, remove and count entries.
var streamEntryCommands = []command.Command{
	{Name: "xadd",
		Usage: "key [NOMKSTREAM] [KEEPREF | DELREF | ACKED]{8.2} [<MAXLEN | MINID> [= | ~] threshold [LIMIT count]] " +
			"<* | id> field value [field value ...]",
		Arity: -5, Flags: writeDenyOOMFast, Keys: command.OneKey, Since: "5.0.0",
		Specs: []command.KeySpec{{Index: 1, Access: "RW update",
			Note: "UPDATE instead of INSERT because of the optional trimming feature"}},
		Tips:    "nondeterministic_output",
		Summary: "Appends an entry to a stream. Creates the stream if it does not exist.", Run: xadd},
	{Name: "xdel", Usage: "key id [id ...]", Arity: -3, Flags: writeFast, Keys: command.OneKey,
		Access: "RW delete", Since: "5.0.0",
		Summary: "Removes entries from a stream by their ids, and returns how many there were.", Run: xdel},
	{Name: "xlen", Usage: "key", Arity: 2, Flags: readOnlyFast, Keys: command.OneKey, Access: "RO", Since: "5.0.0",
		Summary: "Returns the number of entries of a stream.", Run: xlen},
	{Name: "xsetid", Usage: "key last-id [ENTRIESADDED entries_added] [MAXDELETEDID max_deleted_entry_id]", Arity: -3,
		Flags: writeDenyOOMFast, Keys: command.OneKey, Access: "RW update", Since: "5.0.0",
		Summary: "Sets the last id of a stream, and what else it tells of its past.", Run: xsetid},
	{Name: "xtrim",
		Usage: "key <MAXLEN | MINID> [= | ~] threshold [LIMIT count] [KEEPREF | DELREF | ACKED]{8.2}",
		Arity: -4, Flags: command.Write,
		Keys: command.OneKey, Access: "RW delete", Since: "5.0.0", Tips: "nondeterministic_output",
		Summary: "Removes the oldest entries of a stream.", Run: xtrim},
}

// Why XADD rejects an id. IDs must grow, so that a range can be found by its ends; 0-0 is the position before all
// entries.
var (
	errXaddZero        = errors.New("ERR The ID specified in XADD must be greater than 0-0")
	errXaddSmall       = errors.New("ERR The ID specified in XADD is equal or smaller than the target stream top item")
	errStreamExhausted = errors.New("ERR The stream has exhausted the last possible ID, unable to add more items")
)

// readStream returns the stream of a key for reading, nil if the key is missing. The lookup counts as hit or miss.
func readStream(c *command.Call, key []byte) (*store.Stream, error) {
	return store.Get[*store.Stream](c.Tx, key, store.ForRead)
}

// writeStream returns the stream of a key for writing, nil if the key is missing.
func writeStream(c *command.Call, key []byte) (*store.Stream, error) {
	return store.Get[*store.Stream](c.Tx, key, store.ForWrite)
}

// findStreamForWrite is writeStream for commands that look the key up for reading first: a missing key counts as a
// miss in INFO.
func findStreamForWrite(c *command.Call, key []byte) (*store.Stream, error) {
	if s, err := readStream(c, key); err != nil || s == nil {
		return nil, err
	}
	return writeStream(c, key)
}

// xlen implements XLEN key: 0 for a missing stream as for an empty one.
func xlen(c *command.Call) resp.Value {
	s, err := readStream(c, c.Key(1))
	if err != nil || s == nil {
		return c.FailOr(err, resp.Zero)
	}
	return resp.Int(int64(s.Len()))
}

// xadd implements XADD key [NOMKSTREAM] [MAXLEN | MINID [= | ~] threshold [LIMIT count]] * | id field value [field
// value ...], and replies the id of the entry, or null if NOMKSTREAM prevented it. It has a second event, "xtrim" after
// "xadd", if it trimmed, but counts one change. The new entry itself may be trimmed.
func xadd(c *command.Call) resp.Value {
	o, err := parseXadd(c)
	if err != nil {
		return c.Fail(err)
	}
	key := c.Key(1)
	s, err := o.target(c)
	if err != nil || s == nil {
		return c.FailOr(err, resp.Null)
	}
	id, err := o.nextID(c, s)
	switch {
	case err != nil:
		return c.Fail(err)
	case !s.Append(c.Env().Store.Thresholds(), id, c.Rest(o.fields)):
		return c.Fail(errXaddSmall)
	}
	c.Tx.Report(key, store.Change{Class: store.EventStream, Event: "xadd", Count: 1, Wake: true})
	if o.trims && s.Trim(o.trim) > 0 {
		c.Tx.Report(key, store.Change{Class: store.EventStream, Event: "xtrim"})
	}
	if c.Propagates() {
		o.propagate(c, s, id)
	}
	return idReply(id)
}

// propagate sends the call with the id of the entry, and with what trimming has left of the stream.
func (o *xaddOptions) propagate(c *command.Call, s *store.Stream, id store.StreamID) {
	args := o.exactly(c, s)
	if o.autoID || o.autoSeq {
		args[o.fields-1] = id.Append(nil)
	}
	c.Propagate(args...)
}

// target returns the stream to append to. With NOMKSTREAM a missing one is not created, and target returns nil.
func (o *xaddOptions) target(c *command.Call) (*store.Stream, error) {
	if o.noMkStream {
		return writeStream(c, c.Key(1))
	}
	return store.GetOrCreate(c.Tx, c.Key(1), store.NewStream)
}

// nextID returns the id of the new entry. No id follows the highest one. For * it is the time of the transaction, or
// the id after the last one if the clock has not moved on since then.
func (o *xaddOptions) nextID(c *command.Call, s *store.Stream) (store.StreamID, error) {
	switch {
	// Redis checks this first, even for an id that is too small.
	case s.LastID() == store.MaxStreamID:
		return o.id, errStreamExhausted
	case o.autoID:
		return s.NextID(c.Tx.Latest()), nil
	// ms-* fails if the last id is of a later millisecond, or no seq is left in this one.
	case o.autoSeq:
		id, ok := s.NextSeq(o.id.Ms)
		if !ok {
			return id, errXaddSmall
		}
		return id, nil
	}
	return o.id, nil
}

// xdel implements XDEL key id [id ...], and replies how many entries it deleted. It parses all ids before it deletes
// the first entry, but none for a missing key. Deleted entries stay in the pending lists of groups.
func xdel(c *command.Call) resp.Value {
	key := c.Key(1)
	s, err := writeStream(c, key)
	if err != nil || s == nil {
		return c.FailOr(err, resp.Zero)
	}
	ids, err := parseStreamIDs(c.Rest(2))
	if err != nil {
		return c.Fail(err)
	}
	deleted := int64(0)
	for _, id := range ids {
		if s.Delete(id) {
			deleted++
		}
	}
	if deleted > 0 {
		c.Tx.Report(key, store.Change{Class: store.EventStream, Event: "xdel", Count: int(deleted)})
	}
	return resp.Int(deleted)
}

// xtrim implements XTRIM key MAXLEN | MINID [= | ~] threshold [LIMIT count]. It replies how many entries it removed.
// With ~ those are whole nodes only (command page).
func xtrim(c *command.Call) resp.Value {
	o, err := parseXtrim(c)
	if err != nil {
		return c.Fail(err)
	}
	s, err := writeStream(c, c.Key(1))
	if err != nil || s == nil {
		return c.FailOr(err, resp.Zero)
	}
	removed := s.Trim(o.trim)
	if removed > 0 {
		c.Tx.Report(c.Key(1), store.Change{Class: store.EventStream, Event: "xtrim", Count: removed})
		if c.Propagates() {
			c.Propagate(o.exactly(c, s)...)
		}
	}
	return resp.Int(int64(removed))
}
