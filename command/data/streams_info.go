package data

import (
	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/emulate"
	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/store"
)

// XINFO shows streams, groups and consumers as maps (XINFO STREAM command page). Numbers about the radix tree are
// computed from the entries, as Redis would have them.

var streamInfoCommands = []command.Command{
	{Name: "xinfo", Arity: -2, Since: "5.0.0",
		Summary: "Inspects streams and their consumer groups.", Sub: []command.Command{
			{Name: "consumers", Usage: "key group", Arity: 4, Flags: command.ReadOnly, Keys: secondArg,
				Access: "RO access", Since: "5.0.0", Tips: "nondeterministic_output",
				Summary: "Lists the consumers of a group.", Run: xinfoConsumers},
			{Name: "groups", Usage: "key", Arity: 3, Flags: command.ReadOnly, Keys: secondArg,
				Access: "RO access", Since: "5.0.0",
				Summary: "Lists the consumer groups of a stream.", Run: xinfoGroups},
			{Name: "help", Arity: 2, Flags: command.Loading | command.Stale, Since: "5.0.0",
				Summary: "Lists the subcommands.", Run: command.Help},
			{Name: "stream", Usage: "key [FULL [COUNT count]]", Arity: -3, Flags: command.ReadOnly, Keys: secondArg,
				Access: "RO access", Since: "5.0.0",
				Summary: "Describes a stream.", Run: xinfoStream},
		}},
}

// existingStream returns the stream of argument 2, or ErrNoSuchKey.
func existingStream(c *command.Call) (*store.Stream, error) {
	s, err := readStream(c, c.Key(2))
	if err == nil && s == nil {
		err = command.ErrNoSuchKey
	}
	return s, err
}

// xinfoConsumers implements XINFO CONSUMERS key group. It lists the consumers by name. idle is the ms since a consumer
// last read or claimed, inactive those since it last got an entry, -1 if it never did.
func xinfoConsumers(c *command.Call) resp.Value {
	s, err := existingStream(c)
	if err != nil {
		return c.Fail(err)
	}
	g := s.Group(c.Arg(3))
	if g == nil {
		return c.Fail(errNoGroup(c.Key(2), c.Arg(3)))
	}
	var list []resp.Value
	for m := range g.Consumers {
		fields := []any{"name", m.Name(), "pending", m.PendingCount(), "idle", max(0, c.Tx.Latest()-m.Seen())}
		if c.Does(emulate.ConsumersTryAndGet) {
			fields = append(fields, "inactive", inactive(c, m))
		}
		list = append(list, command.Fields(fields...))
	}
	return resp.Array(list...)
}

// inactive is the ms since a consumer last got an entry, -1 if it never did.
func inactive(c *command.Call, m *store.StreamConsumer) int64 {
	if m.Active() < 0 {
		return -1
	}
	return max(0, c.Tx.Latest()-m.Active())
}

// xinfoGroups implements XINFO GROUPS key. It lists the groups by name. lag is how far a group is behind the stream.
func xinfoGroups(c *command.Call) resp.Value {
	s, err := existingStream(c)
	if err != nil {
		return c.Fail(err)
	}
	var list []resp.Value
	for g := range s.Groups {
		list = append(list, command.Fields(
			"name", g.Name(), "consumers", g.ConsumerCount(), "pending", g.PendingCount(),
			"last-delivered-id", idReply(g.LastID()), "entries-read", entriesReadReply(g), "lag", lagReply(c, g)))
	}
	return resp.Array(list...)
}

// entriesReadReply is how many entries the group has read, null if that is unknown.
func entriesReadReply(g *store.StreamGroup) resp.Value {
	if g.EntriesRead() == store.EntriesReadUnknown {
		return resp.Null
	}
	return resp.Int(g.EntriesRead())
}

// lagReply is how many entries the group has not read, null if deleted entries make that unknown.
func lagReply(c *command.Call, g *store.StreamGroup) resp.Value {
	lag, ok := g.Lag(counting(c))
	if !ok {
		return resp.Null
	}
	return resp.Int(lag)
}

// counting is how the emulated server counts what a group has read.
func counting(c *command.Call) store.Counting {
	return store.Counting{HeedsDeleted: c.Does(emulate.CountHeedsDeleted),
		KnowsUnread: c.Does(emulate.CountKnowsUnread), CountsTrimmed: c.Does(emulate.CountsTrimmedAnew)}
}

// xinfoStream implements XINFO STREAM key [FULL [COUNT count]]. It replies the first and last entries or, with FULL,
// entries, groups and consumers in full. It looks the key up before it parses the options.
func xinfoStream(c *command.Call) resp.Value {
	s, err := existingStream(c)
	if err != nil {
		return c.Fail(err)
	}
	count, full, err := parseXinfoStream(c)
	if err != nil {
		return c.Fail(err)
	}
	first, _ := s.First()
	fields := []any{"length", s.Len(), "radix-tree-keys", s.Chunks(), "radix-tree-nodes", s.RadixNodes(),
		"last-generated-id", idReply(s.LastID()), "max-deleted-entry-id", idReply(s.MaxDeletedID()),
		"entries-added", int64(s.EntriesAdded()), "recorded-first-entry-id", idReply(first)}
	if full {
		entries := entriesReply(s.Walk, store.StreamID{}, store.MaxStreamID, count)
		fields = append(fields, "entries", entries, "groups", fullGroups(c, s, count))
	} else {
		fields = append(fields, "groups", s.GroupCount(), "first-entry", firstEntry(s.Walk),
			"last-entry", firstEntry(s.WalkBack))
	}
	return command.Fields(fields...)
}

// xinfoDefaultCount is COUNT of FULL if it is not given, or negative.
const xinfoDefaultCount = 10

// parseXinfoStream parses FULL and COUNT, where 0 means all. Any other argument is an arity error of the subcommand.
func parseXinfoStream(c *command.Call) (count int, full bool, err error) {
	switch {
	case c.Len() == 3:
		return 0, false, nil
	case !c.Is(3, "full"), c.Len() != 4 && c.Len() != 6, c.Len() == 6 && !c.Is(4, "count"):
		return 0, false, command.ErrSubcommandArity(c)
	case c.Len() == 4:
		return xinfoDefaultCount, true, nil
	}
	// Redis replaces a negative COUNT by the default.
	if count, err = c.Index(5); count < 0 {
		count = xinfoDefaultCount
	}
	return count, true, err
}

// firstEntry replies the first entry that walk visits, null for an empty stream.
func firstEntry(walk entryWalk) resp.Value {
	v := resp.Null
	walk(store.StreamID{}, store.MaxStreamID, func(id store.StreamID, f store.Fields) bool {
		v = entryReply(id, f)
		return false
	})
	return v
}

// fullGroups replies all groups with up to count pending entries each, or all if count is 0. A pending entry of a group
// names its consumer; one of a consumer does not (fullConsumers). pel-count is the number of all of them, whatever
// COUNT is.
func fullGroups(c *command.Call, s *store.Stream, count int) resp.Value {
	var groups []resp.Value
	for g := range s.Groups {
		pending := fullPending(g.Pending, count, func(p *store.PendingEntry) resp.Value {
			return resp.Array(idReply(p.ID()), resp.BulkString(p.Consumer().Name()), resp.Int(p.DeliveredAt),
				resp.Int(p.DeliveryCount))
		})
		groups = append(groups, command.Fields("name", g.Name(), "last-delivered-id", idReply(g.LastID()),
			"entries-read", entriesReadReply(g), "lag", lagReply(c, g),
			"pel-count", g.PendingCount(), "pending", pending, "consumers", fullConsumers(c, g, count)))
	}
	return resp.Array(groups...)
}

// fullConsumers replies all consumers of a group with up to count pending entries each.
func fullConsumers(c *command.Call, g *store.StreamGroup, count int) resp.Value {
	var list []resp.Value
	for m := range g.Consumers {
		pending := fullPending(m.Pending, count, func(p *store.PendingEntry) resp.Value {
			return resp.Array(idReply(p.ID()), resp.Int(p.DeliveredAt), resp.Int(p.DeliveryCount))
		})
		fields := []any{"name", m.Name(), "seen-time", m.Seen()}
		if c.Does(emulate.ConsumersTryAndGet) {
			fields = append(fields, "active-time", m.Active())
		}
		list = append(list, command.Fields(append(fields, "pel-count", m.PendingCount(), "pending", pending)...))
	}
	return resp.Array(list...)
}

// fullPending replies up to count pending entries, each as reply returns it.
func fullPending(
	walk func(func(*store.PendingEntry) bool), count int, reply func(*store.PendingEntry) resp.Value,
) resp.Value {
	var list []resp.Value
	for p := range walk {
		list = append(list, reply(p))
		if len(list) == count {
			break
		}
	}
	return resp.Array(list...)
}
