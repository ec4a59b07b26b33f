package data

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/internal/words"
	"github.com/minilockd/minilockd/store"
)

var (
	errUnbalanced   = errors.New("ERR Unbalanced XREAD list of streams: for each stream key an ID or '$' must be specified.")
	errNotReadGroup = errors.New("ERR The > ID can be specified only when calling XREADGROUP using the GROUP <group> <consumer> option.")
	errNoGroupGiven = errors.New("ERR Missing GROUP option for XREADGROUP")
)

func errBlockInScript(name []byte) error {
	return words.Errorf("ERR %s command is not allowed with BLOCK option from scripts", name)
}

func errGroupOption(arg []byte) error {
	return errors.New("ERR The " + strings.ToUpper(string(arg)) + " option is only supported by XREADGROUP. You called XREAD instead.")
}

// streamKeys yields the positions of the keys of XREAD and XREADGROUP: the first half of the words behind STREAMS.
// There are none if what stands before it makes no sense, or what follows is no two halves.
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

// xreadOptions are the words of XREAD and XREADGROUP.
type xreadOptions struct {
	ofGroup  bool // XREADGROUP
	group    []byte
	consumer []byte
	noAck    bool
	count    int
	blocks   bool
	timeout  time.Duration // to block for, 0 for ever
	keys     [][]byte
	lastIDs  [][]byte
}

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

func (o *xreadOptions) parseStreams(used [][]byte) error {
	o.keys, o.lastIDs = used[:len(used)/2], used[len(used)/2:]
	switch {
	case len(o.keys) != len(o.lastIDs):
		return errUnbalanced
	case o.ofGroup && o.group == nil:
		return errNoGroupGiven
	}
	return nil
}

// take reads the option at word i, which is not the last one, and returns how many words it has.
func (o *xreadOptions) parseOption(c *command.Call, i int) (used int, err error) {
	isGroup, isNoAck := c.Is(i, "group") && i+2 < c.Len(), c.Is(i, "noack")
	switch {
	case c.Is(i, "count"):
		o.count, err = c.Index(i + 1)
		o.count = max(0, o.count)
		return 2, err
	case c.Is(i, "block"):
		if c.Scripted() {
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

// xread with BLOCK waits, if no stream has anything, for the first one that gets an entry, and replies that one only.
func xread(c *command.Call) resp.Value {
	o, err := parseXread(c, false)
	if err != nil {
		return c.Fail(err)
	}
	streams, lastIDs, err := o.resolve(c)
	if err != nil {
		return c.Fail(err)
	}
	var found []resp.Value // keys and their entries in turn
	for i, s := range streams {
		if s == nil {
			c.Tx.Lookup(o.keys[i], store.NoTouch) // Redis looks twice, and counts both
		}
		if hasAfter(s, lastIDs[i]) {
			found = append(found, resp.Bulk(o.keys[i]), o.entriesAfter(s, lastIDs[i]))
		}
	}
	return o.replyOrWait(c, found, o.reader(lastIDs))
}

// replyOrWait replies what was found, keys and their entries in turn; if that is nothing it may wait.
func (o *xreadOptions) replyOrWait(c *command.Call, found []resp.Value, try command.Attempt) resp.Value {
	switch {
	case len(found) > 0:
		return streamsReply(c, found)
	case !o.blocks:
		return resp.NullArray
	}
	return c.Block(o.keys, (*store.Stream)(nil), o.timeout, try, resp.NullArray)
}

// reader tries to read one of the streams, with $ meaning what it did when the command came. Entries that are gone
// already when the client is served wake it nevertheless, as in Redis.
func (o *xreadOptions) reader(lastIDs []store.StreamID) command.Attempt {
	if !o.blocks {
		return nil
	}
	keys, waiting := command.CopyArgs(o.keys), xreadOptions{count: o.count}
	return func(c *command.Call, key []byte) (resp.Value, bool) {
		s, err := store.Get[*store.Stream](c.Tx, key, store.NoStats)
		i := slices.IndexFunc(keys, func(k []byte) bool { return bytes.Equal(k, key) })
		if err != nil || s == nil || i < 0 || s.LastID().Compare(lastIDs[i]) <= 0 {
			return resp.None, false
		}
		return streamsReply(c, []resp.Value{resp.Bulk(key), waiting.entriesAfter(s, lastIDs[i])}), true
	}
}

// resolve finds the streams, nil where there is none, and the id behind which each is to be read.
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

// resolveLastID reads an id; $ is the last one of the stream.
func resolveLastID(s *store.Stream, arg []byte) (id store.StreamID, err error) {
	if string(arg) == ">" {
		return id, errNotReadGroup
	}
	return groupStart(s, arg, parseStreamID)
}

// hasAfter reports whether a stream, which may be nil, has entries behind an id.
func hasAfter(s *store.Stream, id store.StreamID) bool {
	if s == nil {
		return false
	}
	top, any := s.Top()
	return any && top.Compare(id) > 0
}

// entriesAfter lists up to count of the entries behind an id, or all if count is 0.
func (o *xreadOptions) entriesAfter(s *store.Stream, id store.StreamID) resp.Value {
	if id == store.MaxStreamID {
		return resp.Array()
	}
	return entriesReply(s.Walk, id.Next(), store.MaxStreamID, o.count)
}

// streamsReply is a map from keys to entries in RESP3, and an array of pairs in RESP2, which scripts see as well.
func streamsReply(c *command.Call, found []resp.Value) resp.Value {
	if c.Session.Proto() == resp.RESP3 && !c.Scripted() {
		return resp.Map(found...)
	}
	pairs := make([]resp.Value, 0, len(found)/2)
	for i := 0; i < len(found); i += 2 {
		pairs = append(pairs, resp.Array(found[i:i+2]...))
	}
	return resp.Array(pairs...)
}
