package command

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/store"
)

var (
	errBlockInScript = errors.New("ERR XREAD command is not allowed with BLOCK option from scripts")
	errUnbalanced    = errors.New("ERR Unbalanced XREAD list of streams: for each stream key an ID or '$' must be specified.")
	errNotReadGroup  = errors.New("ERR The > ID can be specified only when calling XREADGROUP using the GROUP <group> <consumer> option.")
)

func errGroupOption(word string) error {
	return errors.New("ERR The " + word + " option is only supported by XREADGROUP. You called XREAD instead.")
}

// streamKeys yields the positions of the keys of XREAD: the first half of the words behind STREAMS.
func streamKeys(args [][]byte, yield func(pos int)) {
	for i := 1; i < len(args); i++ {
		if equalFold(args[i], "streams") {
			for pos := i + 1; pos <= i+(len(args)-i-1)/2; pos++ {
				yield(pos)
			}
			return
		}
	}
}

// xreadOptions are the words of XREAD.
type xreadOptions struct {
	count   int
	blocks  bool
	timeout time.Duration // to block for, 0 for ever
	keys    [][]byte
	lastIDs [][]byte
}

func parseXread(c *Call) (o xreadOptions, err error) {
	for i := 1; i+1 < c.Len(); i += 2 {
		if c.Is(i, "streams") {
			words := c.Rest(i + 1)
			o.keys, o.lastIDs = words[:len(words)/2], words[len(words)/2:]
			if len(o.keys) != len(o.lastIDs) {
				err = errUnbalanced
			}
			return o, err
		}
		if err := o.take(c, i); err != nil {
			return o, err
		}
	}
	return o, errSyntax
}

// take reads the option at word i with its value.
func (o *xreadOptions) take(c *Call, i int) (err error) {
	switch {
	case c.Is(i, "count"):
		o.count, err = c.Index(i + 1)
		o.count = max(0, o.count)
	case c.Is(i, "block"):
		if c.scripted {
			return errBlockInScript
		}
		o.blocks = true
		o.timeout, err = c.milliseconds(i + 1)
	case c.Is(i, "group"), c.Is(i, "noack"):
		err = errGroupOption(strings.ToUpper(string(c.Arg(i))))
	default:
		err = errSyntax
	}
	return err
}

// xread with BLOCK waits, if no stream has anything, for the first one that gets an entry, and replies that one only.
func xread(c *Call) resp.Value {
	o, err := parseXread(c)
	if err != nil {
		return c.Fail(err)
	}
	streams, lastIDs, err := o.resolve(c)
	if err != nil {
		return c.Fail(err)
	}
	var found []resp.Value // keys and their entries in turn
	for i, s := range streams {
		if entries, ok := entriesBehind(s, lastIDs[i], o.count); ok {
			found = append(found, resp.Bulk(o.keys[i]), entries)
		}
	}
	switch {
	case len(found) > 0:
		return streamsReply(c, found)
	case !o.blocks:
		return resp.NullArray
	}
	return c.park(o.keys, o.timeout, o.reader(lastIDs), resp.NullArray)
}

// reader tries to read one of the streams, with $ meaning what it did when the command came.
func (o *xreadOptions) reader(lastIDs []store.StreamID) attempt {
	keys, count := copyWords(o.keys), o.count
	return func(c *Call, key []byte) (resp.Value, bool) {
		s, err := readStream(c, key)
		i := slices.IndexFunc(keys, func(k []byte) bool { return bytes.Equal(k, key) })
		if err != nil || i < 0 {
			return resp.None, false
		}
		entries, ok := entriesBehind(s, lastIDs[i], count)
		if !ok {
			return resp.None, false
		}
		return streamsReply(c, []resp.Value{resp.Bulk(key), entries}), true
	}
}

// resolve finds the streams, nil where there is none, and the id behind which each is to be read.
func (o *xreadOptions) resolve(c *Call) (streams []*store.Stream, lastIDs []store.StreamID, err error) {
	for i, word := range o.lastIDs {
		s, err := readStream(c, o.keys[i])
		if err != nil {
			return nil, nil, err
		}
		id, err := resolveLastID(s, word)
		if err != nil {
			return nil, nil, err
		}
		streams, lastIDs = append(streams, s), append(lastIDs, id)
	}
	return streams, lastIDs, nil
}

// resolveLastID reads an id; $ is the last one of the stream.
func resolveLastID(s *store.Stream, word []byte) (id store.StreamID, err error) {
	switch {
	case string(word) == ">":
		return id, errNotReadGroup
	case string(word) != "$":
		return parseStreamID(word, 0)
	case s != nil:
		id = s.LastID()
	}
	return id, nil
}

// entriesBehind lists up to count of the entries behind an id, or all if count is 0; ok is false if there is none.
func entriesBehind(s *store.Stream, id store.StreamID, count int) (entries resp.Value, ok bool) {
	if s == nil {
		return resp.None, false
	}
	if top, any := s.Top(); !any || top.Compare(id) <= 0 {
		return resp.None, false
	}
	return entriesReply(s.Walk, id.Next(), store.MaxStreamID, count), true
}

// streamsReply is a map from keys to entries in RESP3, and an array of pairs in RESP2, which scripts see as well.
func streamsReply(c *Call, found []resp.Value) resp.Value {
	if c.Session.proto == resp.RESP3 && !c.scripted {
		return resp.Map(found...)
	}
	pairs := make([]resp.Value, 0, len(found)/2)
	for i := 0; i < len(found); i += 2 {
		pairs = append(pairs, resp.Array(found[i:i+2]...))
	}
	return resp.Array(pairs...)
}
