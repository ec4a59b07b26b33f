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
// on all streams; the first entry to any of them serves it, with that stream only. Scripts may not give BLOCK at all
// before 7.2; within MULTI, and in scripts of later versions, it does not block. $ is the last id when the command came, not when it is served.

// The errors of the ids and of GROUP. errMissingIDs names XREAD for XREADGROUP, too, as in Redis 7.0.
var (
	errMissingIDs = errors.New("ERR Unbalanced XREAD list of streams: " +
		"for each stream key an ID or '$' must be specified.")
	errNotReadGroup = errors.New("ERR The > ID can be specified only when calling XREADGROUP " +
		"using the GROUP <group> <consumer> option.")
	errNoGroupGiven = errors.New("ERR Missing GROUP option for XREADGROUP")
)

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
		case command.EqualFold(args[i], "count"), command.EqualFold(args[i], "block"):
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
			return o, o.parseStreams(c.Rest(i + 1))
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
func (o *xreadOptions) parseStreams(used [][]byte) error {
	o.keys, o.lastIDs = used[:len(used)/2], used[len(used)/2:]
	switch {
	case len(o.keys) != len(o.lastIDs):
		return errMissingIDs
	case o.ofGroup && o.group == nil:
		return errNoGroupGiven
	}
	return nil
}

// parseOption reads the option at argument i, which is not the last argument, and returns how many arguments it used.
func (o *xreadOptions) parseOption(c *command.Call, i int) (used int, err error) {
	isGroup, isNoAck := c.Is(i, "group") && i+2 < c.Len(), c.Is(i, "noack")
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
	case (isGroup || isNoAck) && !o.ofGroup:
		return 0, errGroupOption(c.Arg(i))
	case isGroup:
		o.group, o.consumer = c.Arg(i+1), c.Arg(i+2)
		return 3, nil
	case isNoAck:
		o.noAck = true
		return 1, nil
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
	streams, lastIDs, err := o.resolve(c)
	if err != nil {
		return c.Fail(err)
	}
	var found []resp.Value // each key is followed by its entries
	for i, s := range streams {
		if s == nil {
			c.Tx.Lookup(o.keys[i], store.NoTouch) // Redis looks a missing key up twice, and both count as misses
		}
		if hasAfter(s, lastIDs[i]) {
			found = append(found, resp.Bulk(o.keys[i]), o.entriesAfter(s, lastIDs[i]))
		}
	}
	return o.replyOrBlock(c, found, o.reader(lastIDs))
}

// replyOrBlock replies found, in which each key is followed by its entries. If that is empty it blocks with BLOCK,
// and else replies a null array.
func (o *xreadOptions) replyOrBlock(c *command.Call, found []resp.Value, try command.Attempt) resp.Value {
	switch {
	case len(found) > 0:
		return streamsReply(c, found)
	case !o.blocks:
		return resp.NullArray
	}
	return c.Block(o.keys, (*store.Stream)(nil), o.timeout, try, resp.NullArray)
}

// reader returns the attempt that serves a client that blocks. An entry that was added and deleted at once serves it
// too, with an empty array, as in Redis.
func (o *xreadOptions) reader(lastIDs []store.StreamID) command.Attempt {
	if !o.blocks {
		return nil
	}
	// The attempt runs after the memory of this request was reused.
	keys, waiting := command.CopyArgs(o.keys), xreadOptions{count: o.count}
	return func(c *command.Call, key []byte) (resp.Value, bool) {
		s, err := store.Get[*store.Stream](c.Tx, key, store.NoStats)
		i := slices.IndexFunc(keys, func(k []byte) bool { return bytes.Equal(k, key) })
		// The key may be gone, or hold another type now: XREAD blocks on.
		if err != nil || s == nil || i < 0 || s.LastID().Compare(lastIDs[i]) <= 0 {
			return resp.None, false
		}
		return streamsReply(c, []resp.Value{resp.Bulk(key), waiting.entriesAfter(s, lastIDs[i])}), true
	}
}

// resolve returns the streams, nil for a missing key, and the ids after which to read them.
func (o *xreadOptions) resolve(c *command.Call) (streams []*store.Stream, lastIDs []store.StreamID, err error) {
	for i, arg := range o.lastIDs {
		s, err := readStream(c, o.keys[i])
		if err != nil {
			return nil, nil, err
		}
		id, err := resolveLastID(s, arg)
		if err != nil {
			return nil, nil, err
		}
		streams, lastIDs = append(streams, s), append(lastIDs, id)
	}
	return streams, lastIDs, nil
}

// resolveLastID parses an id, where $ is the last id of the stream.
func resolveLastID(s *store.Stream, arg []byte) (id store.StreamID, err error) {
	if string(arg) == ">" {
		return id, errNotReadGroup
	}
	return groupStart(s, arg, parseStreamID)
}

// hasAfter reports whether a stream, which may be nil, has entries after an id.
func hasAfter(s *store.Stream, id store.StreamID) bool {
	if s == nil {
		return false
	}
	top, any := s.Top()
	return any && top.Compare(id) > 0
}

// entriesAfter replies up to count entries after an id, or all if count is 0.
func (o *xreadOptions) entriesAfter(s *store.Stream, id store.StreamID) resp.Value {
	if id == store.MaxStreamID {
		return resp.Array()
	}
	return entriesReply(s.Walk, id.Next(), store.MaxStreamID, o.count)
}

// streamsReply is a map of keys to entries in RESP3 and an array of pairs in RESP2. Scripts get the pairs in any case,
// so that a script reads the reply in the same way whatever the client of EVAL uses.
func streamsReply(c *command.Call, found []resp.Value) resp.Value {
	if c.Session.Proto() == resp.RESP3 && !c.FromScript() {
		return resp.Map(found...)
	}
	return pairs(found)
}
