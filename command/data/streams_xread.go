package data

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/emulate"
	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/internal/words"
	"github.com/minilockd/minilockd/store"
)

// XREAD and XREADGROUP share their options (XREAD command page). With BLOCK and nothing to reply the session blocks
// on all streams; the first entry to any of them serves it, before Redis 7.2 with that stream only. Within MULTI and
// scripts nothing blocks. $ is the last id when the command came, not when it is served.

// The errors of the ids and of GROUP.
var (
	errNotReadGroup = errors.New("ERR The > ID can be specified only when calling XREADGROUP " +
		"using the GROUP <group> <consumer> option.")
	errNeverAdded   = errors.New("ERR the stream last element ID is 0-0")
	errNoGroupGiven = errors.New("ERR Missing GROUP option for XREADGROUP")
)

// errMissingIDs is the error of different numbers of keys and ids. Redis 7.0 names XREAD for XREADGROUP, too.
func errMissingIDs(c *command.Call, ofGroup bool) error {
	name, id := "'"+c.Cmd.Name+"'", "ID or '$'"
	switch {
	case !c.Does(emulate.UnbalancedNamesCommand):
		name = "XREAD"
	case ofGroup:
		id = "ID or '>'"
	case c.Does(emulate.UnbalancedNamesPlus):
		id = "ID, '+', or '$'"
	}
	return words.Errorf("ERR Unbalanced %s list of streams: for each stream key an %s must be specified.", name, id)
}

// errBlockInScript prints the name as the script wrote it.
func errBlockInScript(name []byte) error {
	return words.Errorf("ERR %s command is not allowed with BLOCK option from scripts", name)
}

// errGroupOption is the error of XREAD for GROUP and NOACK; it prints the option in upper case.
func errGroupOption(arg []byte) error {
	return errors.New("ERR The " + strings.ToUpper(string(arg)) +
		" option is only supported by XREADGROUP. You called XREAD instead.")
}

// streamKeys yields the positions of the keys of XREAD and XREADGROUP: the first half of the arguments after STREAMS.
// It yields none if an option before STREAMS is unknown, or the halves differ in length.
func streamKeys(args [][]byte, yield func(pos int)) {
	for i := 1; i < len(args); i++ {
		switch {
		case command.EqualFold(args[i], "count"), command.EqualFold(args[i], "block"),
			command.EqualFold(args[i], "claim"):
			i++
		case command.EqualFold(args[i], "group"):
			i += 2
		case command.EqualFold(args[i], "noack"):
		case command.EqualFold(args[i], "streams") && (len(args)-i-1)%2 == 0:
			for pos := i + 1; pos <= i+(len(args)-i-1)/2; pos++ {
				yield(pos)
			}
			return
		default:
			return
		}
	}
}

// xreadOptions are the arguments of XREAD and XREADGROUP. All slices alias the request; what a client that blocks still
// needs is copied, or parsed again from its arguments.
type xreadOptions struct {
	ofGroup  bool // XREADGROUP
	group    []byte
	consumer []byte
	noAck    bool
	claims   bool  // CLAIM
	minIdle  int64 // of CLAIM, ms
	count    int
	blocks   bool
	timeout  time.Duration // of BLOCK, 0 for ever
	keys     [][]byte
	lastIDs  [][]byte
}

// parseXread parses the options up to STREAMS, which is required and must be the last option: all arguments after it
// are keys and ids. Without an argument after it, STREAMS is a syntax error like any option that lacks its value.
func parseXread(c *command.Call, ofGroup bool) (o xreadOptions, err error) {
	o.ofGroup = ofGroup
	for i := 1; i+1 < c.Len(); {
		if c.Is(i, "streams") {
			return o, o.parseStreams(c, c.Rest(i+1))
		}
		used, err := o.parseOption(c, i)
		if err != nil {
			return o, err
		}
		i += used
	}
	return o, command.ErrSyntax
}

// parseStreams splits the arguments after STREAMS into keys and ids.
func (o *xreadOptions) parseStreams(c *command.Call, used [][]byte) error {
	o.keys, o.lastIDs = used[:len(used)/2], used[len(used)/2:]
	switch {
	case len(o.keys) != len(o.lastIDs):
		return errMissingIDs(c, o.ofGroup)
	case o.ofGroup && o.group == nil:
		return errNoGroupGiven
	}
	return nil
}

// parseOption reads the option at argument i, which is not the last argument, and returns how many arguments it used.
func (o *xreadOptions) parseOption(c *command.Call, i int) (used int, err error) {
	isGroup, isNoAck, isClaim := c.Is(i, "group") && i+2 < c.Len(), c.Is(i, "noack"), c.Is(i, "claim")
	switch {
	case c.Is(i, "count"):
		o.count, err = c.Index(i + 1)
		o.count = max(0, o.count)
		return 2, err
	case c.Is(i, "block"):
		if c.FromScript() && !c.Does(emulate.BlockingInScripts) {
			return 0, errBlockInScript(c.Arg(0))
		}
		o.blocks = true
		o.timeout, err = c.Milliseconds(i + 1)
		return 2, err
	case (isGroup || isNoAck || isClaim) && !o.ofGroup:
		return 0, errGroupOption(c.Arg(i))
	case isGroup:
		o.group, o.consumer = c.Arg(i+1), c.Arg(i+2)
		return 3, nil
	case isNoAck:
		o.noAck = true
		return 1, nil
	case isClaim:
		return 2, o.parseClaim(c, i+1)
	}
	return 0, command.ErrSyntax
}

// xread implements XREAD [COUNT n] [BLOCK ms] STREAMS key [key ...] id [id ...]. It replies the streams that have
// entries after their ids, in the order of the keys; null if there are none. Any key of another type is an error.
func xread(c *command.Call) resp.Value {
	o, err := parseXread(c, false)
	if err != nil {
		return c.Fail(err)
	}
	streams, positions, err := o.resolve(c)
	if err != nil {
		return c.Fail(err)
	}
	return o.replyOrBlock(c, o.read(c, streams, positions), o.reader(positions))
}

// read replies the entries of those streams that have any to read. Each key is followed by them.
func (o *xreadOptions) read(c *command.Call, streams []*store.Stream, positions []xreadPosition) (found []resp.Value) {
	for i, s := range streams {
		c.Tx.Lookup(o.keys[i], store.ForRead) // Redis looks each key up twice, and both count as hits or misses
		if positions[i].hasMore(s) {
			found = append(found, resp.Bulk(o.keys[i]), o.entries(s, positions[i]))
		}
	}
	return found
}

// replyOrBlock replies found, in which each key is followed by its entries. If that is empty it blocks with BLOCK,
// and else replies a null array.
func (o *xreadOptions) replyOrBlock(c *command.Call, found []resp.Value, try command.Attempt) resp.Value {
	switch {
	case len(found) > 0:
		return resp.PairMap(found...)
	case !o.blocks:
		return resp.NullArray
	}
	return c.Block(o.keys, (*store.Stream)(nil), o.timeout, try, resp.NullArray)
}

// xreadPosition is what XREAD reads from a stream: the entries after an id, or for + the last entry.
type xreadPosition struct {
	after store.StreamID
	last  bool
	skips bool // last is that of the entries which are left; else only the one that was added last
}

// check returns an error if a stream, which may be nil, never had an entry that could be the last.
func (p xreadPosition) check(c *command.Call, s *store.Stream) error {
	if p.last && s != nil && s.LastID() == p.after && c.Does(emulate.LastEntryIDFails) {
		return errNeverAdded
	}
	return nil
}

// hasMore reports whether a stream, which may be nil, has entries that are to be read.
func (p xreadPosition) hasMore(s *store.Stream) bool {
	if !p.last || s == nil {
		return hasAfter(s, p.after)
	}
	top, any := s.Top()
	return any && (p.skips || top == s.LastID())
}

// reader returns the attempt that serves a client that blocks.
func (o *xreadOptions) reader(positions []xreadPosition) command.Attempt {
	if !o.blocks {
		return nil
	}
	// The attempt runs after the memory of this request was reused.
	waiting := xreadOptions{count: o.count, keys: command.CopyArgs(o.keys)}
	return func(c *command.Call, key []byte) (resp.Value, bool) {
		s, err := store.Get[*store.Stream](c.Tx, key, store.NoStats)
		switch {
		// The key may be gone, or hold another type now: XREAD blocks on.
		case err != nil || s == nil:
			return resp.None, false
		case c.Does(emulate.BlockedCallsRunAgain):
			return waiting.readAgain(c, positions)
		}
		return waiting.readOne(c, key, s, positions)
	}
}

// readAgain serves a client that blocks from all streams.
func (o *xreadOptions) readAgain(c *command.Call, positions []xreadPosition) (resp.Value, bool) {
	streams := make([]*store.Stream, len(o.keys))
	for i, key := range o.keys {
		s, err := readStream(c, key)
		if err == nil {
			err = positions[i].check(c, s)
		}
		if err != nil {
			return c.Fail(err), true
		}
		streams[i] = s
	}
	found := o.read(c, streams, positions)
	if len(found) == 0 {
		return resp.None, false
	}
	return resp.PairMap(found...), true
}

// readOne serves a client that blocks from the stream that has changed. An entry that was added and deleted at once
// serves it too, with an empty array.
func (o *xreadOptions) readOne(
	c *command.Call, key []byte, s *store.Stream, positions []xreadPosition,
) (resp.Value, bool) {
	i := slices.IndexFunc(o.keys, func(k []byte) bool { return bytes.Equal(k, key) })
	if i < 0 || s.LastID().Compare(positions[i].after) <= 0 {
		return resp.None, false
	}
	return resp.PairMap(resp.Bulk(key), o.entries(s, positions[i])), true
}

// resolve returns the streams, nil for a missing key, and from where to read them.
func (o *xreadOptions) resolve(c *command.Call) (streams []*store.Stream, positions []xreadPosition, err error) {
	for i, arg := range o.lastIDs {
		s, err := readStream(c, o.keys[i])
		if err != nil {
			return nil, nil, err
		}
		p, err := resolvePosition(c, s, arg)
		if err != nil {
			return nil, nil, err
		}
		streams, positions = append(streams, s), append(positions, p)
	}
	return streams, positions, nil
}

// resolvePosition parses an id, where $ is the last id of the stream, and + its last entry.
func resolvePosition(c *command.Call, s *store.Stream, arg []byte) (p xreadPosition, err error) {
	switch {
	case string(arg) == ">":
		return p, errNotReadGroup
	case string(arg) == "+" && c.Does(emulate.LastEntryID):
		p = xreadPosition{last: true, skips: c.Does(emulate.LastEntryIDSkips)}
		return p, p.check(c, s)
	}
	p.after, err = groupStart(s, arg, parseStreamID)
	return p, err
}

// hasAfter reports whether a stream, which may be nil, has entries after an id.
func hasAfter(s *store.Stream, id store.StreamID) bool {
	if s == nil {
		return false
	}
	top, any := s.Top()
	return any && top.Compare(id) > 0
}

// entries replies the last entry, or up to count entries after an id, all if count is 0.
func (o *xreadOptions) entries(s *store.Stream, p xreadPosition) resp.Value {
	switch {
	case p.last:
		return entriesReply(s.WalkBack, store.StreamID{}, store.MaxStreamID, 1)
	case p.after == store.MaxStreamID:
		return resp.Array()
	}
	return entriesReply(s.Walk, p.after.Next(), store.MaxStreamID, o.count)
}
