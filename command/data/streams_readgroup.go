package data

import (
	"errors"
	"strings"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/emulate"
	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/store"
)

// XREADGROUP reads for a consumer of a group (XREADGROUP command page). With ">" it delivers entries that no consumer
// has got yet, and adds them to the pending list; any other id replies the pending entries of the consumer after it,
// the history. It blocks only if all ids are ">" and there are no new entries. The group is checked for all keys
// before anything is delivered. With CLAIM and ">" it first delivers what has been pending for others for long.

var streamReadGroupCommands = []command.Command{
	{Name: "xreadgroup",
		Usage: "GROUP group consumer [COUNT count] [BLOCK milliseconds] [CLAIM min-idle-time]{8.4} [NOACK] " +
			"STREAMS key [key ...] id [id ...]",
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
	errPlusOfGroup = errors.New(strings.ReplaceAll(errLastOfGroup.Error(), "$", "+"))
	errStreamGone  = errors.New("UNBLOCKED the stream key no longer exists")
	errGroupGone   = errors.New("NOGROUP the consumer group this client was blocked on no longer exists")
)

// readPosition is what to read from a stream: new entries or, as history, pending ones after an id.
type readPosition struct {
	history bool
	after   store.StreamID
}

// xreadgroup implements XREADGROUP GROUP group consumer [COUNT n] [BLOCK ms] [NOACK] STREAMS key [key ...] id [id ...].
// It replies a key with history even if no entry is pending, but a key with new entries only if it has any. It creates
// the consumer, with the event "xgroup-createconsumer"; Redis 7.0 does so only when there is something to deliver.
func xreadgroup(c *command.Call) resp.Value {
	o, err := parseXread(c, true)
	if err != nil {
		return c.Fail(err)
	}
	positions, err := o.positions(c)
	if err != nil {
		return c.Fail(err)
	}
	found := o.readGroups(c, positions)
	if len(found) == 0 {
		o.retryWhenIdle(c)
	}
	c.ServeWhenGone()
	return o.replyOrBlock(c, found, serveBlockedReadGroup)
}

// readGroups delivers entries of all streams, whose groups exist. Each key is followed by its entries.
func (o *xreadOptions) readGroups(c *command.Call, positions []readPosition) (found []resp.Value) {
	for i, key := range o.keys {
		p := positions[i]
		has := o.hasNew(c, key) || p.history
		if !has && !c.Does(emulate.ConsumersTryAndGet) {
			continue
		}
		d, err := o.delivery(c, key)
		if err != nil {
			return []resp.Value{resp.Bulk(key), c.Fail(err)}
		}
		if !p.history {
			has = d.claim() || has
		}
		if has {
			found = append(found, resp.Bulk(key), d.deliver(p))
		}
	}
	return found
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
		case "+":
			if c.Does(emulate.LastEntryID) {
				return nil, errPlusOfGroup
			}
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

// groupDelivery delivers entries of a stream to a consumer.
type groupDelivery struct {
	*xreadOptions
	c       *command.Call
	key     []byte
	s       *store.Stream
	g       *store.StreamGroup
	m       *store.StreamConsumer
	entries []resp.Value
}

// delivery is that of a stream whose group exists. It creates the consumer.
func (o *xreadOptions) delivery(c *command.Call, key []byte) (groupDelivery, error) {
	s, err := writeStream(c, key)
	if err != nil {
		return groupDelivery{}, err
	}
	g := s.Group(o.group)
	c.Propagate() // entries are propagated one by one
	if g.Consumer(o.consumer) == nil && o.noAck && c.Propagates() {
		c.PropagateAs("XGROUP", []byte("CREATECONSUMER"), key, o.group, o.consumer)
	}
	return groupDelivery{xreadOptions: o, c: c, key: key, s: s, g: g, m: consumer(c, key, g, o.consumer)}, nil
}

// deliver delivers new entries, or the history. It counts as one change, whatever it delivers.
func (d *groupDelivery) deliver(p readPosition) resp.Value {
	if !p.history || !d.c.Does(emulate.HistoryIsNoChange) {
		d.c.Tx.CountChanges(1)
	}
	return d.reply(p)
}

// reply is deliver without counting a change.
func (d *groupDelivery) reply(p readPosition) resp.Value {
	if p.history {
		d.deliverHistory(p.after)
	} else if d.count == 0 || len(d.entries) < d.count {
		d.deliverNew()
	}
	return resp.Array(d.entries...)
}

// deliverNew delivers up to count new entries, or all if count is 0. They are pending from now on, except with NOACK.
func (d *groupDelivery) deliverNew() {
	by, now, before := counting(d.c), d.c.Tx.Latest(), d.g.LastID()
	d.s.Walk(d.g.LastID().Next(), store.MaxStreamID, func(id store.StreamID, f store.Fields) bool {
		d.g.Advance(id, by)
		// NOACK entries never enter the pending list, as if they were acknowledged at once.
		if !d.noAck {
			d.g.Deliver(id, d.m, now, 1)
			d.m.SetActive(now)
			d.propagateEntry(id)
		}
		if d.claims {
			d.entries = append(d.entries, claimedReply(id, f, 0, 0))
		} else {
			d.entries = append(d.entries, entryReply(id, f))
		}
		return len(d.entries) != d.count
	})
	if d.g.LastID() != before && d.c.Propagates() && (d.noAck || d.c.Does(emulate.ReplicatesGroupID)) {
		propagateGroup(d.c, d.key, d.group, d.g)
	}
}

// propagateEntry sends the replicas an entry that was delivered.
func (d *groupDelivery) propagateEntry(id store.StreamID) {
	if d.c.Propagates() {
		propagateClaim(d.c, d.key, d.group, d.g, d.g.PendingAt(id))
	}
}

// deliverHistory replies up to count entries after an id that are pending for the consumer, or all if count is 0. It
// counts a further delivery of each. For an entry that was deleted it replies the id and null.
func (d *groupDelivery) deliverHistory(after store.StreamID) {
	d.m.PendingFrom(after.Next(), func(p *store.PendingEntry) bool {
		if f, ok := d.s.Entry(p.ID()); ok {
			d.entries = append(d.entries, entryReply(p.ID(), f))
			p.DeliveredAt = d.c.Tx.Latest()
			p.DeliveryCount++
		} else {
			d.entries = append(d.entries, resp.Array(idReply(p.ID()), resp.NullArray))
		}
		return len(d.entries) != d.count
	})
}

// serveBlockedReadGroup serves a client that blocks, when one of its keys changes: with new entries, or with an error
// if the stream or the group is gone.
func serveBlockedReadGroup(c *command.Call, key []byte) (resp.Value, bool) {
	o, err := parseXread(c, true)
	if err != nil {
		return c.Fail(err), true
	}
	if c.Does(emulate.BlockedCallsRunAgain) {
		return o.readGroupsAgain(c)
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
	d, err := o.delivery(c, key)
	if err != nil {
		return c.Fail(err), true
	}
	return resp.PairMap(resp.Bulk(key), d.reply(readPosition{})), true
}

// readGroupsAgain serves a client that blocks from all streams.
func (o *xreadOptions) readGroupsAgain(c *command.Call) (resp.Value, bool) {
	positions, err := o.positions(c)
	if err != nil {
		return c.Fail(err), true
	}
	found := o.readGroups(c, positions)
	if len(found) == 0 {
		o.retryWhenIdle(c)
		return resp.None, false
	}
	return resp.PairMap(found...), true
}
