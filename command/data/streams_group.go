package data

import (
	"errors"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/emulate"
	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/internal/words"
	"github.com/minilockd/minilockd/store"
)

// XGROUP manages consumer groups (XGROUP CREATE command page). A group is where its consumers have read to, with the
// entries that are pending. Changes of groups have events, but do not modify the key for WATCH. DESTROY also wakes
// clients that block in XREADGROUP, since they will not be served.

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

// errGroupNeedsKey is for all subcommands on a missing key. errEntriesReadLow is not exact: 0 is allowed, too.
var (
	errGroupExists    = errors.New("BUSYGROUP Consumer Group name already exists")
	errEntriesReadLow = errors.New("ERR value for ENTRIESREAD must be positive or -1")
	errGroupNeedsKey  = errors.New("ERR The XGROUP subcommand requires the key to exist. " +
		"Note that for CREATE you may want to use the MKSTREAM option to create an empty stream automatically.")
)

// errNoGroup is the error of XGROUP and XINFO, which have checked the key already.
func errNoGroup(key, group []byte) error {
	return words.Errorf("NOGROUP No such consumer group '%s' for key name '%s'", group, key)
}

// errNoKeyOrGroup is the error of all other commands.
func errNoKeyOrGroup(key, group []byte) error {
	return words.Errorf("NOGROUP No such key '%s' or consumer group '%s'", key, group)
}

// xgroupOptions are the options of XGROUP CREATE and XGROUP SETID.
type xgroupOptions struct {
	mkStream bool
	read     int64 // ENTRIESREAD, EntriesReadUnknown if not given
}

// parseXgroup parses the options. Only CREATE takes MKSTREAM. An unknown option is an arity error of the subcommand,
// as in Redis.
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

// entriesRead is ENTRIESREAD for a group of a stream.
func (o *xgroupOptions) entriesRead(c *command.Call, s *store.Stream) int64 {
	if c.Does(emulate.CapsEntriesRead) {
		return min(o.read, int64(s.EntriesAdded()))
	}
	return o.read
}

// xgroupCreate implements XGROUP CREATE key group id | $ [MKSTREAM] [ENTRIESREAD n]. It creates the stream with
// MKSTREAM only, and after the id was parsed. A new stream modifies the key, a new group does not.
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
		s.AddGroup(c.Arg(3), last, o.entriesRead(c, s))
		c.Changed(key, store.EventStream, "xgroup-create")
		return resp.OK
	}
	// AddGroup returns nil if the group exists.
	if s.AddGroup(c.Arg(3), last, o.entriesRead(c, s)) == nil {
		return c.Fail(errGroupExists)
	}
	groupChanged(c, key, "xgroup-create")
	return resp.OK
}

// groupStart parses the id after which a group reads. $ is the last id of s, which may be nil: then it is 0-0.
func groupStart(
	s *store.Stream, arg []byte, parse func([]byte, uint64) (store.StreamID, error),
) (id store.StreamID, err error) {
	switch {
	case string(arg) != "$":
		return parse(arg, 0)
	case s != nil:
		id = s.LastID()
	}
	return id, nil
}

// groupChanged reports a change of a group: an event and a change, but no modification for WATCH, as in Redis.
func groupChanged(c *command.Call, key []byte, event string) {
	c.Tx.Report(key, store.Change{Class: store.EventStream, Event: event, Count: 1, Unmodified: true})
}

// groupForWrite returns the stream of argument 2 and its group of argument 3. A missing group is nil, but no error:
// DESTROY replies 0 for it.
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

// onGroup returns the handler of a subcommand that needs an existing group. A missing key and a missing group are
// different errors.
func onGroup(
	run func(c *command.Call, s *store.Stream, g *store.StreamGroup) resp.Value,
) func(*command.Call) resp.Value {
	return func(c *command.Call) resp.Value {
		s, g, err := groupForWrite(c)
		if err != nil || g == nil {
			return c.FailOr(err, c.Fail(errNoGroup(c.Key(2), c.Arg(3))))
		}
		return run(c, s, g)
	}
}

// xgroupSetID implements XGROUP SETID key group id | $ [ENTRIESREAD n]. It parses the options before it looks the group
// up, and the id after. Unlike CREATE it takes "-" and "+" for the lowest and the highest id. Pending entries stay
// pending. Without ENTRIESREAD it is unknown from then on how many entries the group has read.
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
		g.Seek(last, o.entriesRead(c, s))
		groupChanged(c, c.Key(2), "xgroup-setid")
		return resp.OK
	})(c)
}

// xgroupDestroy implements XGROUP DESTROY key group: 1, or 0 if there is no such group. It also serves the clients that
// block on the group: they get an error.
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

// createConsumer implements XGROUP CREATECONSUMER key group consumer. It replies 0 if the consumer exists.
func createConsumer(c *command.Call, _ *store.Stream, g *store.StreamGroup) resp.Value {
	if g.AddConsumer(c.Arg(4), c.Tx.Latest()) == nil {
		return resp.Zero
	}
	groupChanged(c, c.Key(2), "xgroup-createconsumer")
	return resp.One
}

// deleteConsumer implements XGROUP DELCONSUMER key group consumer. It replies how many entries were pending for the
// consumer, 0 also if there is no such consumer. They leave the pending list of the group, too: nothing but XCLAIM with
// FORCE can claim them.
func deleteConsumer(c *command.Call, _ *store.Stream, g *store.StreamGroup) resp.Value {
	pending, ok := g.RemoveConsumer(c.Arg(4))
	if ok {
		groupChanged(c, c.Key(2), "xgroup-delconsumer")
	}
	return resp.Int(int64(pending))
}

// consumer returns the consumer with that name, for a command that gives it entries. It creates a missing one, with the
// event of XGROUP CREATECONSUMER, and notes that it was seen (idle of XINFO CONSUMERS).
func consumer(c *command.Call, key []byte, g *store.StreamGroup, name []byte) *store.StreamConsumer {
	m := g.Consumer(name)
	if m == nil {
		m = g.AddConsumer(name, c.Tx.Latest())
		groupChanged(c, key, "xgroup-createconsumer")
	}
	// A command that delivers nothing counts as activity of the consumer, too (XINFO CONSUMERS command page).
	m.See(c.Tx.Latest())
	return m
}
