package data

import (
	"errors"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/internal/words"
	"github.com/minilockd/minilockd/store"
)

var streamGroupCommands = []command.Command{
	{Name: "xgroup", Arity: -2, Since: "5.0.0",
		Summary: "Manages the consumer groups of streams.", Sub: []command.Command{
			{Name: "create", Usage: "key group <id | $> [MKSTREAM] [ENTRIESREAD entries_read]", Arity: -5,
				Flags: writeDenyOOM, Keys: secondArg, Access: "RW insert", Since: "5.0.0",
				Summary: "Creates a consumer group that reads a stream from behind an id.", Run: xgroupCreate},
			{Name: "createconsumer", Usage: "key group consumer", Arity: 5, Flags: writeDenyOOM, Keys: secondArg,
				Access: "RW insert", Since: "6.2.0",
				Summary: "Creates a consumer in a group.", Run: onGroup(createConsumer)},
			{Name: "delconsumer", Usage: "key group consumer", Arity: 5, Flags: command.Write, Keys: secondArg,
				Access: "RW delete", Since: "5.0.0",
				Summary: "Removes a consumer from a group, and returns how many pending entries it had.",
				Run:     onGroup(deleteConsumer)},
			{Name: "destroy", Usage: "key group", Arity: 4, Flags: command.Write, Keys: secondArg,
				Access: "RW delete", Since: "5.0.0",
				Summary: "Removes a consumer group with its consumers.", Run: xgroupDestroy},
			{Name: "help", Arity: 2, Flags: command.Loading | command.Stale, Since: "5.0.0",
				Summary: "Lists the subcommands.", Run: command.Help},
			{Name: "setid", Usage: "key group <id | $> [ENTRIESREAD entries_read]", Arity: -5, Flags: command.Write,
				Keys: secondArg, Access: "RW update", Since: "5.0.0",
				Summary: "Sets up to which entry a group has read.", Run: xgroupSetID},
		}},
}

var (
	errGroupExists    = errors.New("BUSYGROUP Consumer Group name already exists")
	errEntriesReadLow = errors.New("ERR value for ENTRIESREAD must be positive or -1")
	errGroupNeedsKey  = errors.New("ERR The XGROUP subcommand requires the key to exist. Note that for CREATE you may want to use the MKSTREAM option " +
		"to create an empty stream automatically.")
)

// errNoGroup is what XGROUP and XINFO answer, who know that there is such a key.
func errNoGroup(key, group []byte) error {
	return words.Errorf("NOGROUP No such consumer group '%s' for key name '%s'", group, key)
}

// errNoKeyOrGroup is what all others answer.
func errNoKeyOrGroup(key, group []byte) error {
	return words.Errorf("NOGROUP No such key '%s' or consumer group '%s'", key, group)
}

// xgroupOptions are the words of XGROUP CREATE and XGROUP SETID behind the id.
type xgroupOptions struct {
	mkStream bool
	read     int64 // entries
}

// parseXgroup reads the options; only CREATE takes MKSTREAM.
func parseXgroup(c *command.Call, creates bool) (o xgroupOptions, err error) {
	o.read = store.EntriesReadUnknown
	for i := 5; i < c.Len(); i++ {
		switch {
		case creates && c.Is(i, "mkstream"):
			o.mkStream = true
		case c.Is(i, "entriesread") && i+1 < c.Len():
			i++
			if o.read, err = c.Int(i); err == nil && o.read < store.EntriesReadUnknown {
				err = errEntriesReadLow
			}
			if err != nil {
				return o, err
			}
		default:
			return o, command.ErrSubcommandArity(c)
		}
	}
	return o, nil
}

func xgroupCreate(c *command.Call) resp.Value {
	o, err := parseXgroup(c, true)
	if err != nil {
		return c.Fail(err)
	}
	key := c.Key(2)
	s, err := writeStream(c, key)
	if err != nil || s == nil && !o.mkStream {
		return c.FailOr(err, c.Fail(errGroupNeedsKey))
	}
	last, err := groupStart(s, c.Arg(4), parseStreamID)
	if err != nil {
		return c.Fail(err)
	}
	if s == nil {
		if s, err = store.GetOrCreate(c.Tx, key, store.NewStream); err != nil {
			return c.Fail(err)
		}
		s.AddGroup(c.Arg(3), last, o.read)
		c.Changed(key, store.EventStream, "xgroup-create")
		return resp.OK
	}
	if s.AddGroup(c.Arg(3), last, o.read) == nil {
		return c.Fail(errGroupExists)
	}
	groupChanged(c, key, "xgroup-create")
	return resp.OK
}

// groupStart reads up to where a group has read; $ is the last id of the stream, which may be nil.
func groupStart(s *store.Stream, arg []byte, parse func([]byte, uint64) (store.StreamID, error)) (id store.StreamID, err error) {
	switch {
	case string(arg) != "$":
		return parse(arg, 0)
	case s != nil:
		id = s.LastID()
	}
	return id, nil
}

// groupChanged reports a change of a stream's groups: clients that watch the key are not told, as in Redis.
func groupChanged(c *command.Call, key []byte, event string) {
	c.Tx.Report(key, store.Change{Class: store.EventStream, Event: event, Count: 1, Unmodified: true})
}

// groupForWrite returns a group whose key and name are words 2 and 3, with its stream. The group is nil, without an
// error, if only that is missing.
func groupForWrite(c *command.Call) (s *store.Stream, g *store.StreamGroup, err error) {
	s, err = writeStream(c, c.Key(2))
	switch {
	case err != nil:
		return nil, nil, err
	case s == nil:
		return nil, nil, errGroupNeedsKey
	}
	return s, s.Group(c.Arg(3)), nil
}

// onGroup returns the handler of a subcommand of XGROUP that needs a group.
func onGroup(run func(c *command.Call, s *store.Stream, g *store.StreamGroup) resp.Value) func(*command.Call) resp.Value {
	return func(c *command.Call) resp.Value {
		s, g, err := groupForWrite(c)
		if err != nil || g == nil {
			return c.FailOr(err, c.Fail(errNoGroup(c.Key(2), c.Arg(3))))
		}
		return run(c, s, g)
	}
}

func xgroupSetID(c *command.Call) resp.Value {
	o, err := parseXgroup(c, false)
	if err != nil {
		return c.Fail(err)
	}
	return onGroup(func(c *command.Call, s *store.Stream, g *store.StreamGroup) resp.Value {
		last, err := groupStart(s, c.Arg(4), parseStreamBound)
		if err != nil {
			return c.Fail(err)
		}
		g.Seek(last, o.read)
		groupChanged(c, c.Key(2), "xgroup-setid")
		return resp.OK
	})(c)
}

// xgroupDestroy also serves clients that block on the stream: their reply is that the group is gone.
func xgroupDestroy(c *command.Call) resp.Value {
	s, g, err := groupForWrite(c)
	if err != nil || g == nil {
		return c.FailOr(err, resp.Zero)
	}
	s.RemoveGroup(c.Arg(3))
	c.Tx.Report(c.Key(2), store.Change{Class: store.EventStream, Event: "xgroup-destroy", Count: 1, Unmodified: true,
		Wake: true})
	return resp.One
}

func createConsumer(c *command.Call, _ *store.Stream, g *store.StreamGroup) resp.Value {
	if g.AddConsumer(c.Arg(4), c.Tx.Latest()) == nil {
		return resp.Zero
	}
	groupChanged(c, c.Key(2), "xgroup-createconsumer")
	return resp.One
}

func deleteConsumer(c *command.Call, _ *store.Stream, g *store.StreamGroup) resp.Value {
	pending, ok := g.RemoveConsumer(c.Arg(4))
	if ok {
		groupChanged(c, c.Key(2), "xgroup-delconsumer")
	}
	return resp.Int(int64(pending))
}

// consumer returns the consumer of a name, made if there is none, for a command that gives it entries.
func consumer(c *command.Call, key []byte, g *store.StreamGroup, name []byte) *store.StreamConsumer {
	m := g.Consumer(name)
	if m == nil {
		m = g.AddConsumer(name, c.Tx.Latest())
		groupChanged(c, key, "xgroup-createconsumer")
	}
	m.See(c.Tx.Latest())
	return m
}
