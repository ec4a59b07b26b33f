package data

import (
	"strconv"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/store"
)

// Entries that were delivered to a consumer and not acknowledged are pending, for the group and for the consumer
// (XPENDING command page). XACK has no event and does not modify the key for WATCH. The list of the group has all of
// them in the order of their ids; each consumer has a list of its own part (store.StreamGroup).

var streamPendingCommands = []command.Command{
	{Name: "xack", Usage: "key group id [id ...]", Arity: -4, Flags: writeFast, Keys: command.OneKey,
		Access: "RW update", Since: "5.0.0",
		Summary: "Acknowledges entries to a group, and returns how many of them were pending.", Run: xack},
	{Name: "xpending", Usage: "key group [[IDLE min-idle-time] start end count [consumer]]", Arity: -3,
		Flags: command.ReadOnly, Keys: command.OneKey, Access: "RO access",
		Since: "5.0.0", Tips: "nondeterministic_output",
		Summary: "Returns the entries that were delivered and not acknowledged, or an overview of them.",
		Run:     xpending},
}

// xack implements XACK key group id [id ...], and replies how many of the entries were pending. It parses all ids
// before it acknowledges the first entry. A missing key or group is not an error, and then the ids are not parsed.
func xack(c *command.Call) resp.Value {
	s, err := findStreamForWrite(c, c.Key(1))
	if err != nil || s == nil {
		return c.FailOr(err, resp.Zero)
	}
	g := s.Group(c.Arg(2))
	if g == nil {
		return resp.Zero
	}
	ids, err := parseStreamIDs(c.Rest(3))
	if err != nil {
		return c.Fail(err)
	}
	acked := int64(0)
	for _, id := range ids {
		if g.Ack(id) {
			acked++
			c.Tx.CountChanges(1)
		}
	}
	return resp.Int(acked)
}

// xpendingOptions are the arguments of XPENDING after the group.
type xpendingOptions struct {
	summary     bool // no arguments: reply the summary
	minIdle     int64
	first, last store.StreamID
	count       int
	consumer    []byte // nil for all consumers
}

// parseXpending accepts the numbers of arguments that Redis accepts: it ignores one after the consumer. IDLE needs all
// of start, end and count after it.
func parseXpending(c *command.Call) (o xpendingOptions, err error) {
	o.summary = c.Len() == 3
	if o.summary {
		return o, nil
	}
	if c.Len() < 6 || c.Len() > 9 {
		return o, command.ErrSyntax
	}
	at := 3
	if c.Is(at, "idle") {
		if o.minIdle, err = c.Int(4); err != nil {
			return o, err
		}
		if at = 5; c.Len() < 8 {
			return o, command.ErrSyntax
		}
	}
	if o.count, err = c.Index(at + 2); err != nil {
		return o, err
	}
	// A negative count lists nothing, and is no error in Redis.
	o.count = max(0, o.count)
	if at+3 < c.Len() {
		o.consumer = c.Arg(at + 3)
	}
	o.first, o.last, err = parseStreamRange(c.Arg(at), c.Arg(at+1))
	return o, err
}

// xpending implements XPENDING key group [[IDLE ms] start end count [consumer]]. It parses all arguments before it
// looks the group up. An unknown consumer has no pending entries.
func xpending(c *command.Call) resp.Value {
	o, err := parseXpending(c)
	if err != nil {
		return c.Fail(err)
	}
	_, g, err := readGroup(c, c.Key(1), c.Arg(2))
	switch {
	case err != nil:
		return c.Fail(err)
	case o.summary:
		return pendingSummary(g)
	}
	walk := g.PendingFrom
	if o.consumer != nil {
		m := g.Consumer(o.consumer)
		if m == nil {
			return resp.Array()
		}
		walk = m.PendingFrom
	}
	return o.list(walk, c.Tx.Latest())
}

// list replies for each pending entry its id, its consumer, the ms since its delivery, and how often it was
// delivered.
func (o *xpendingOptions) list(walk func(store.StreamID, func(*store.PendingEntry) bool), now int64) resp.Value {
	var entries []resp.Value
	if o.count == 0 {
		return resp.Array()
	}
	walk(o.first, func(p *store.PendingEntry) bool {
		if p.ID().Compare(o.last) > 0 {
			return false
		}
		if idle := now - p.DeliveredAt; o.minIdle == 0 || idle >= o.minIdle {
			entries = append(entries, resp.Array(idReply(p.ID()), resp.BulkString(p.Consumer().Name()),
				resp.Int(max(0, idle)), resp.Int(p.DeliveryCount)))
		}
		return len(entries) != o.count
	})
	return resp.Array(entries...)
}

// pendingSummary replies how many entries are pending, the lowest and the highest id, and the number for each consumer
// that has any, as a string. Without pending entries three of these are null, the last a null array.
func pendingSummary(g *store.StreamGroup) resp.Value {
	if g.PendingCount() == 0 {
		return resp.Array(resp.Zero, resp.Null, resp.Null, resp.NullArray)
	}
	var consumers []resp.Value
	for m := range g.Consumers {
		if n := m.PendingCount(); n > 0 {
			consumers = append(consumers, resp.Array(resp.BulkString(m.Name()), resp.BulkString(strconv.Itoa(n))))
		}
	}
	return resp.Array(resp.Int(int64(g.PendingCount())), idReply(g.NextPending(store.StreamID{}).ID()),
		idReply(g.LastPending().ID()), resp.Array(consumers...))
}
