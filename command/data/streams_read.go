package data

import (
	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/store"
)

// Reading entries by id: the rows, and the replies with entries. An entry is its id and a flat array of fields and
// values, in RESP3 too.

var streamReadCommands = []command.Command{
	{Name: "xrange", Usage: "key start end [COUNT count]", Arity: -4, Flags: command.ReadOnly, Keys: command.OneKey,
		Access: "RO access", Since: "5.0.0",
		Summary: "Returns the entries of a stream within a range of ids.", Run: xrange(false)},
	{Name: "xread", Usage: "[COUNT count] [BLOCK milliseconds] STREAMS key [key ...] id [id ...]", Arity: -4,
		Flags: command.ReadOnly | command.Blocking | command.MovableKeys, Keys: command.Keys{Find: streamKeys},
		Since:   "5.0.0",
		Specs:   []command.KeySpec{{Keyword: "STREAMS", From: 1, Last: -1, Limit: 2, Access: "RO access"}},
		Summary: "Returns the entries of one or more streams that come behind given ids.", Run: xread},
	{Name: "xrevrange", Usage: "key end start [COUNT count]", Arity: -4, Flags: command.ReadOnly,
		Keys: command.OneKey, Access: "RO access", Since: "5.0.0",
		Summary: "Returns the entries of a stream within a range of ids, the last one first.", Run: xrange(true)},
}

// xrange returns the handler of XRANGE key start end [COUNT count] or, with reverse, of XREVRANGE, whose end comes
// before its start. COUNT 0 replies a null array, but an empty array for a missing key, as in Redis.
func xrange(reverse bool) func(*command.Call) resp.Value {
	lower, upper := 2, 3
	if reverse {
		lower, upper = 3, 2
	}
	return func(c *command.Call) resp.Value {
		first, last, err := parseStreamRange(c.Arg(lower), c.Arg(upper))
		if err != nil {
			return c.Fail(err)
		}
		count, err := parseRangeCount(c)
		if err != nil {
			return c.Fail(err)
		}
		s, err := readStream(c, c.Key(1))
		switch {
		case err != nil || s == nil:
			return c.FailOr(err, resp.Array())
		case count == 0:
			return resp.NullArray
		case reverse:
			return entriesReply(s.WalkBack, first, last, count)
		}
		return entriesReply(s.Walk, first, last, count)
	}
}

// parseRangeCount parses COUNT, -1 if it is not given. A negative COUNT is 0.
func parseRangeCount(c *command.Call) (count int, err error) {
	count = -1
	for i := 4; i < c.Len(); i += 2 {
		if i+1 == c.Len() || !c.Is(i, "count") {
			return 0, command.ErrSyntax
		}
		if count, err = c.Index(i + 1); err != nil {
			return 0, err
		}
		count = max(0, count)
	}
	return count, nil
}

// entriesReply replies up to count of the entries that walk visits, or all if count is not positive.
func entriesReply(walk entryWalk, first, last store.StreamID, count int) resp.Value {
	var entries []resp.Value
	walk(first, last, func(id store.StreamID, f store.Fields) bool {
		entries = append(entries, entryReply(id, f))
		return len(entries) != count
	})
	return resp.Array(entries...)
}

// entryWalk is Stream.Walk or Stream.WalkBack.
type entryWalk = func(first, last store.StreamID, f func(store.StreamID, store.Fields) bool)

// entryReply replies the id of an entry and its fields and values.
func entryReply(id store.StreamID, f store.Fields) resp.Value {
	fields := make([]resp.Value, 0, 2*f.Len())
	f.Each(func(field, value []byte) { fields = append(fields, resp.Bulk(field), resp.Bulk(value)) })
	return resp.Array(idReply(id), resp.Array(fields...))
}
