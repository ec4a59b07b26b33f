package data

import (
	"bytes"
	"errors"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/emulate"
	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/store"
)

// The commands that read elements of lists. Indexes count from 0, negative ones from the end. Out of range, an index
// replies null, and a range what exists of it.

var listReadCommands = []command.Command{
	{Name: "lindex", Usage: "key index", Arity: 3, Flags: command.ReadOnly, Keys: command.OneKey,
		Access: "RO access", Since: "1.0.0",
		Summary: "Returns an element of a list by its index.", Run: lindex},
	{Name: "lpos", Usage: "key element [RANK rank] [COUNT num-matches] [MAXLEN len]", Arity: -3,
		Flags: command.ReadOnly, Keys: command.OneKey, Access: "RO access", Since: "6.0.6",
		Summary: "Returns the indexes of matching elements of a list.", Run: lpos},
	{Name: "lrange", Usage: "key start stop", Arity: 4, Flags: command.ReadOnly, Keys: command.OneKey,
		Access: "RO access", Since: "1.0.0",
		Summary: "Returns a range of the elements of a list.", Run: lrange},
}

// All errors of LPOS but for the syntax. Those of COUNT and MAXLEN are also for a value that is not an integer, for
// which RANK has the common error.
var (
	errRankIsZero = errors.New("ERR RANK can't be zero: use 1 to start from the first match, 2 from the second ... " +
		"or use negative to start from the end of the list")
	errMatchesTooLow = errors.New("ERR COUNT can't be negative")
	errMaxLenTooLow  = errors.New("ERR MAXLEN can't be negative")
)

// listIndex converts an index that may be negative to a position; ok is false if it is out of range.
func listIndex(l *store.List, index int) (i int, ok bool) {
	if index < 0 {
		index += l.Len()
	}
	return index, 0 <= index && index < l.Len()
}

// lindex implements LINDEX key index. It parses the index after it read the key: a missing key is null whatever the
// index is.
func lindex(c *command.Call) resp.Value {
	l, err := readList(c, c.Key(1))
	if err != nil || l == nil {
		return c.FailOr(err, resp.Null)
	}
	index, err := c.Index(2)
	if err != nil {
		return c.Fail(err)
	}
	i, ok := listIndex(l, index)
	if !ok {
		return resp.Null
	}
	return resp.Bulk(l.At(i))
}

// lrange implements LRANGE key start stop; both ends are part of the range. It parses the range first: an index that is
// not an integer is an error even for a missing key. The reply for an empty range is an empty array, never null.
func lrange(c *command.Call) resp.Value {
	start, stop, err := c.Span(2)
	if err != nil {
		return c.Fail(err)
	}
	l, err := readList(c, c.Key(1))
	if err != nil || l == nil {
		return c.FailOr(err, resp.Array())
	}
	s := store.SpanOf(start, stop, l.Len())
	elems := c.Elements(s.Len())
	l.Walk(s, func(elem []byte) bool {
		elems = append(elems, resp.Bulk(elem))
		return true
	})
	return resp.Array(elems...)
}

// lposOptions are the options of LPOS. MAXLEN counts from the end at which the search begins.
type lposOptions struct {
	rank   int  // RANK without its sign: the first match to reply
	back   bool // RANK is negative: search from the end
	counts bool // COUNT is given: reply an array
	count  int  // matches to reply; 0 for all
	maxLen int  // elements to compare; 0 for all
}

// parseLpos parses RANK, COUNT and MAXLEN, each followed by its value.
func parseLpos(c *command.Call) (lposOptions, error) {
	o := lposOptions{rank: 1, count: 1}
	for i := 3; i < c.Len(); i += 2 {
		if err := o.parseOption(c, i); err != nil {
			return o, err
		}
	}
	if o.back = o.rank < 0; o.back {
		o.rank = -o.rank
	}
	return o, nil
}

// parseOption reads the option at argument i and its value.
func (o *lposOptions) parseOption(c *command.Call, i int) (err error) {
	switch {
	case i+1 == c.Len():
		return command.ErrSyntax
	case c.Is(i, "rank"):
		o.rank, err = lposRank(c, i+1)
	case c.Is(i, "count"):
		o.counts = true
		o.count, err = c.AtLeast(i+1, 0, errMatchesTooLow)
	case c.Is(i, "maxlen"):
		o.maxLen, err = c.AtLeast(i+1, 0, errMaxLenTooLow)
	default:
		err = command.ErrSyntax
	}
	return err
}

// lposRank reads RANK, whose sign says where the search begins.
func lposRank(c *command.Call, i int) (rank int, err error) {
	if rank, err = signed(c, i); err == nil && rank == 0 {
		err = errRankIsZero
	}
	return rank, err
}

// signed reads an integer whose sign is changed.
func signed(c *command.Call, i int) (int, error) {
	if c.Does(emulate.RankHasMinimum) {
		return c.Count(i)
	}
	return c.Index(i)
}

// lpos implements LPOS key element [RANK rank] [COUNT num-matches] [MAXLEN len]. It replies an index or null without
// COUNT, and an array with it, empty for a missing list (command page). Indexes count from the front even if the search
// runs from the back.
func lpos(c *command.Call) resp.Value {
	o, err := parseLpos(c)
	if err != nil {
		return c.Fail(err)
	}
	l, err := readList(c, c.Key(1))
	if err != nil {
		return c.Fail(err)
	}
	var found []resp.Value
	if l != nil {
		found = o.search(l, c.Arg(2))
	}
	switch {
	case o.counts:
		return resp.Array(found...)
	case len(found) == 0:
		return resp.Null
	}
	return found[0]
}

// search returns the indexes of the matches, in the order of the search. With a negative RANK that is from the back.
func (o *lposOptions) search(l *store.List, elem []byte) (found []resp.Value) {
	i, step, walk := 0, 1, l.Walk
	if o.back {
		i, step, walk = l.Len()-1, -1, l.WalkBack
	}
	all := store.Span{Stop: l.Len()}
	if o.maxLen > 0 {
		all = all.Limited(0, o.maxLen, o.back)
	}
	matches := 0
	walk(all, func(got []byte) bool {
		if bytes.Equal(got, elem) {
			if matches++; matches >= o.rank {
				found = append(found, resp.Int(int64(i)))
			}
		}
		i += step
		return o.count == 0 || len(found) < o.count
	})
	return found
}
