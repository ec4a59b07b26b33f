package data

import (
	"errors"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/store"
)

// XREADGROUP reads for a consumer of a group (XREADGROUP command page). With ">" it delivers entries that no consumer
// has got yet, and adds them to the pending list; any other id replies the pending entries of the consumer after it,
// the history. It blocks only if all ids are ">" and there are no new entries. The group is checked for all keys
// before anything is delivered.

var streamReadGroupCommands = []command.Command{
	{Name: "xreadgroup",
		Usage: "GROUP group consumer [COUNT count] [BLOCK milliseconds] [NOACK] STREAMS key [key ...] id [id ...]",
		Arity: -7, Flags: command.Write | command.Blocking | command.MovableKeys,
		Keys: command.Keys{Find: streamKeys}, Since: "5.0.0",
		Specs:   []command.KeySpec{{Keyword: "STREAMS", From: 4, Last: -1, Limit: 2, Access: "RO access"}},
		Summary: "Returns new entries, or those pending already, of one or more streams to a consumer of a group.",
		Run:     xreadgroup},
}

// errStreamGone and errGroupGone end the wait of a client that blocks: its key was deleted or has another type, or its
// group was destroyed. XREAD would continue to wait.
var (
	errLastOfGroup = errors.New("ERR The $ ID is meaningless in the context of XREADGROUP: " +
		"you want to read the history of this consumer by specifying a proper ID, " +
		"or use the > ID to get new messages. The $ ID would just return an empty result set.")
	errStreamGone = errors.New("UNBLOCKED the stream key no longer exists")
	errGroupGone  = errors.New("NOGROUP the consumer group this client was blocked on no longer exists")
)

// readPosition is what to read from a stream: new entries or, as history, pending ones after an id.
type readPosition struct {
	history bool
	after   store.StreamID
}

// xreadgroup implements XREADGROUP GROUP group consumer [COUNT n] [BLOCK ms] [NOACK] STREAMS key [key ...] id [id ...].
// It replies a key with history even if no entry is pending, but a key with new entries only if it has any. It creates
// the consumer, with the event "xgroup-createconsumer", when it first delivers to it.
func xreadgroup(c *command.Call) resp.Value {
	o, err := parseXread(c, true)
	if err != nil {
		return c.Fail(err)
	}
	positions, err := o.positions(c)
	if err != nil {
		return c.Fail(err)
	}
	var found []resp.Value // keys and their entries in turn
	for i, key := range o.keys {
		if positions[i].history || o.hasNew(c, key) {
			found = append(found, resp.Bulk(key), o.deliver(c, key, positions[i]))
		}
	}
	return o.replyOrBlock(c, found, serveBlockedReadGroup)
}

// positions parses the ids. It checks the group of each key before its id.
func (o *xreadOptions) positions(c *command.Call) ([]readPosition, error) {
	positions := make([]readPosition, len(o.keys))
	for i, arg := range o.lastIDs {
		if _, _, err := readGroup(c, o.keys[i], o.group); err != nil {
			return nil, inXreadgroup(err)
		}
		switch string(arg) {
		case ">":
			continue
		case "$":
			return nil, errLastOfGroup
		}
		after, err := parseStreamID(arg, 0)
		if err != nil {
			return nil, err
		}
		positions[i] = readPosition{after != store.MaxStreamID, after} // Redis represents > by the highest id
	}
	return positions, nil
}

// readGroup returns a stream and a group of it for reading, or an error if either is missing.
func readGroup(c *command.Call, key, name []byte) (*store.Stream, *store.StreamGroup, error) {
	s, err := readStream(c, key)
	if err != nil {
		return nil, nil, err
	}
	if s != nil {
		if g := s.Group(name); g != nil {
			return s, g, nil
		}
	}
	return nil, nil, errNoKeyOrGroup(key, name)
}

// inXreadgroup is the error of XREADGROUP for a missing key or group.
func inXreadgroup(err error) error {
	if errors.Is(err, store.ErrWrongType) {
		return err
	}
	return errors.New(err.Error() + " in XREADGROUP with GROUP option")
}

// hasNew reports whether the stream has entries that the group has not delivered.
func (o *xreadOptions) hasNew(c *command.Call, key []byte) bool {
	s, g, err := readGroup(c, key, o.group)
	return err == nil && hasAfter(s, g.LastID())
}

// deliver gives the consumer entries of a stream whose group exists. It counts as one change, whatever it delivers.
func (o *xreadOptions) deliver(c *command.Call, key []byte, p readPosition) resp.Value {
	s, err := writeStream(c, key)
	if err != nil {
		return c.Fail(err)
	}
	g := s.Group(o.group)
	m := consumer(c, key, g, o.consumer)
	c.Tx.CountChanges(1)
	if p.history {
		return o.deliverHistory(c, s, m, p.after)
	}
	return o.deliverNew(c, s, g, m)
}

// deliverNew delivers up to count new entries, or all if count is 0. They are pending from now on, except with NOACK.
func (o *xreadOptions) deliverNew(
	c *command.Call, s *store.Stream, g *store.StreamGroup, m *store.StreamConsumer,
) resp.Value {
	var entries []resp.Value
	s.Walk(g.LastID().Next(), store.MaxStreamID, func(id store.StreamID, f store.Fields) bool {
		g.Advance(id)
		// NOACK entries never enter the pending list, as if they were acknowledged at once.
		if !o.noAck {
			g.Deliver(id, m, c.Tx.Latest(), 1)
		}
		entries = append(entries, entryReply(id, f))
		return len(entries) != o.count
	})
	return resp.Array(entries...)
}

// deliverHistory replies up to count entries after an id that are pending for the consumer, or all if count is 0. It
// counts a further delivery of each. For an entry that was deleted it replies the id and null.
func (o *xreadOptions) deliverHistory(
	c *command.Call, s *store.Stream, m *store.StreamConsumer, after store.StreamID,
) resp.Value {
	var entries []resp.Value
	m.PendingFrom(after.Next(), func(p *store.PendingEntry) bool {
		if f, ok := s.Entry(p.ID()); ok {
			entries = append(entries, entryReply(p.ID(), f))
			p.DeliveredAt = c.Tx.Latest()
			p.DeliveryCount++
		} else {
			entries = append(entries, resp.Array(idReply(p.ID()), resp.NullArray))
		}
		return len(entries) != o.count
	})
	return resp.Array(entries...)
}

// serveBlockedReadGroup serves a client that blocks, when one of its keys changes: with new entries, or with an error
// if the stream or the group is gone.
func serveBlockedReadGroup(c *command.Call, key []byte) (resp.Value, bool) {
	o, err := parseXread(c, true)
	if err != nil {
		return c.Fail(err), true
	}
	s, err := store.Get[*store.Stream](c.Tx, key, store.NoStats)
	if err != nil || s == nil {
		return c.Fail(errStreamGone), true
	}
	g := s.Group(o.group)
	switch {
	case g == nil:
		return c.Fail(errGroupGone), true
	// Another consumer of the group was faster, or the event was of another kind: block on.
	case s.LastID().Compare(g.LastID()) <= 0:
		return resp.None, false
	}
	return streamsReply(c, []resp.Value{resp.Bulk(key), o.deliver(c, key, readPosition{})}), true
}
