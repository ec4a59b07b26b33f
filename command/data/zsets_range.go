package data

import (
	"errors"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/emulate"
	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/store"
)

// All commands on ranges parse to one zrangeQuery; a zrangeForm says what their name decides. ZRANGE can be any of
// them by its options since Redis 6.2 (ZRANGE command page). For REV with scores or members the higher bound comes
// first; with ranks it does not, since ranks then count from the other end.

// zsetRangeCommands count, list, store or remove a range. Since Redis 6.2 ZRANGE can do what the others list.
var zsetRangeCommands = []command.Command{
	{Name: "zcount", Usage: "key min max", Arity: 4, Flags: readOnlyFast, Keys: command.OneKey,
		Access: "RO access", Since: "2.0.0",
		Summary: "Counts the members of a sorted set within a range of scores.", Run: zcount(byScore)},
	{Name: "zlexcount", Usage: "key min max", Arity: 4, Flags: readOnlyFast, Keys: command.OneKey,
		Access: "RO access", Since: "2.8.9",
		Summary: "Counts the members of a sorted set within a lexicographical range.", Run: zcount(byLex)},
	{Name: "zrange", Usage: "key start stop [BYSCORE | BYLEX] [REV] [LIMIT offset count] [WITHSCORES]", Arity: -4,
		Flags: command.ReadOnly, Keys: command.OneKey, Access: "RO access", Since: "1.2.0",
		Summary: "Returns the members of a sorted set within a range.", Run: zrange(zrangeForm{options: true})},
	{Name: "zrangebylex", Usage: "key min max [LIMIT offset count]", Arity: -4, Flags: command.ReadOnly,
		Keys: command.OneKey, Access: "RO access", Since: "2.8.9",
		Summary: "Returns the members of a sorted set within a lexicographical range.",
		Run:     zrange(zrangeForm{order: byLex})},
	{Name: "zrangebyscore", Usage: "key min max [WITHSCORES] [LIMIT offset count]", Arity: -4,
		Flags: command.ReadOnly, Keys: command.OneKey, Access: "RO access", Since: "1.0.5",
		Summary: "Returns the members of a sorted set within a range of scores.",
		Run:     zrange(zrangeForm{order: byScore})},
	{Name: "zrangestore", Usage: "dst src min max [BYSCORE | BYLEX] [REV] [LIMIT offset count]", Arity: -5,
		Flags: writeDenyOOM, Keys: command.TwoKeys, Access: "OW update, RO access", Since: "6.2.0",
		Summary: "Stores the members of a sorted set within a range under another key.", Run: zrangestore},
	{Name: "zremrangebylex", Usage: "key min max", Arity: 4, Flags: command.Write, Keys: command.OneKey,
		Access: "RW delete", Since: "2.8.9",
		Summary: "Removes the members of a sorted set within a lexicographical range.", Run: zremrange(byLex)},
	{Name: "zremrangebyrank", Usage: "key start stop", Arity: 4, Flags: command.Write, Keys: command.OneKey,
		Access: "RW delete", Since: "2.0.0",
		Summary: "Removes the members of a sorted set within a range of ranks.", Run: zremrange(byRank)},
	{Name: "zremrangebyscore", Usage: "key min max", Arity: 4, Flags: command.Write, Keys: command.OneKey,
		Access: "RW delete", Since: "1.2.0",
		Summary: "Removes the members of a sorted set within a range of scores.", Run: zremrange(byScore)},
	{Name: "zrevrange", Usage: "key start stop [WITHSCORES]", Arity: -4, Flags: command.ReadOnly,
		Keys: command.OneKey, Access: "RO access", Since: "1.2.0",
		Summary: "Returns the members of a sorted set within a range of ranks, from high to low.",
		Run:     zrange(zrangeForm{reverse: true})},
	{Name: "zrevrangebylex", Usage: "key max min [LIMIT offset count]", Arity: -4, Flags: command.ReadOnly,
		Keys: command.OneKey, Access: "RO access", Since: "2.8.9",
		Summary: "Returns the members of a sorted set within a lexicographical range, from high to low.",
		Run:     zrange(zrangeForm{order: byLex, reverse: true})},
	{Name: "zrevrangebyscore", Usage: "key max min [WITHSCORES] [LIMIT offset count]", Arity: -4,
		Flags: command.ReadOnly, Keys: command.OneKey, Access: "RO access", Since: "2.2.0",
		Summary: "Returns the members of a sorted set within a range of scores, from high to low.",
		Run:     zrange(zrangeForm{order: byScore, reverse: true})},
}

// These need to know the order of the range, so they are found when all options are parsed.
var (
	errLimitByRank = errors.New("ERR syntax error, " +
		"LIMIT is only supported in combination with either BYSCORE or BYLEX")
	errScoresOfMembers = errors.New("ERR syntax error, WITHSCORES not supported in combination with BYLEX")
)

// zrangeForm is what the name of the command decides about a range. The zero value is that of ZRANGE without options:
// by rank, from low to high.
type zrangeForm struct {
	order   zsetOrder
	reverse bool
	options bool // BYSCORE, BYLEX and REV are allowed: ZRANGE and its STORE form
	stores  bool // ZRANGESTORE, which takes no WITHSCORES
}

// zrangeQuery is a parsed range.
type zrangeQuery struct {
	zsetBounds
	reverse       bool
	withScores    bool
	offset, count int // LIMIT; a negative count means all
}

// parse parses the call; key is the index of the key. Options are parsed before the bounds, since they decide what
// these are.
func (f zrangeForm) parse(c *command.Call, key int) (zrangeQuery, error) {
	q := zrangeQuery{zsetBounds: zsetBounds{order: f.order}, reverse: f.reverse, count: -1}
	for i := key + 3; i < c.Len(); {
		n, err := q.parseOption(c, f, i)
		if err != nil {
			return q, err
		}
		i += n
	}
	switch {
	// LIMIT 0 -1 passes here even by rank, as in Redis.
	case q.count != -1 && q.order == byRank:
		return q, errLimitByRank
	case q.withScores && q.order == byLex:
		return q, errScoresOfMembers
	}
	lower, upper := key+1, key+2
	if q.reverse && q.order != byRank {
		lower, upper = upper, lower
	}
	var err error
	q.zsetBounds, err = parseBounds(c, q.order, lower, upper)
	return q, err
}

// parseOption reads the option at argument i and returns how many arguments it used.
func (q *zrangeQuery) parseOption(c *command.Call, f zrangeForm, i int) (used int, err error) {
	switch {
	case c.Is(i, "withscores") && !f.stores:
		q.withScores = true
	case c.Is(i, "limit") && i+2 < c.Len():
		q.offset, q.count, err = c.Span(i + 1)
		return 3, err
	case c.Is(i, "rev") && f.options && !q.reverse:
		q.reverse = true
	case c.Is(i, "byscore") && f.options && q.order == byRank:
		q.order = byScore
	case c.Is(i, "bylex") && f.options && q.order == byRank:
		q.order = byLex
	default:
		return 0, command.ErrSyntax
	}
	return 1, nil
}

// span returns the range within z, limited by LIMIT.
func (q *zrangeQuery) span(c *command.Call, z *store.ZSet) store.Span {
	s := q.zsetBounds.span(z, q.reverse)
	if q.order == byRank {
		return s
	}
	offset := q.offset
	if offset < 0 && !z.Packed() && c.Does(emulate.LimitFromEnd) {
		offset += s.Len()
	}
	return s.Limited(offset, q.count, q.reverse)
}

// zrange returns the handler that replies a range: ZRANGE, ZRANGEBYSCORE, ZRANGEBYLEX and their forms with REV. A
// syntax error comes before WRONGTYPE. A missing key is an empty array.
func zrange(form zrangeForm) func(*command.Call) resp.Value {
	return func(c *command.Call) resp.Value {
		q, err := form.parse(c, 1)
		if err != nil {
			return c.Fail(err)
		}
		z, err := readZSet(c, c.Key(1))
		if err != nil || z == nil {
			return c.FailOr(err, resp.Array())
		}
		return rangeReply(c, z, q.span(c, z), q.reverse, q.withScores)
	}
}

// rangeReply replies the members of a range, with their scores if withScores is set: as pairs in RESP3.
func rangeReply(c *command.Call, z *store.ZSet, s store.Span, reverse, withScores bool) resp.Value {
	if !withScores {
		elems := c.Elements(s.Len())
		walkZSet(z, s, reverse, func(member []byte, _ float64) bool {
			elems = append(elems, resp.Bulk(member))
			return true
		})
		return resp.Array(elems...)
	}
	elems := c.Elements(2 * s.Len())
	walkZSet(z, s, reverse, func(member []byte, score float64) bool {
		elems = append(elems, resp.Bulk(member), c.Double(score))
		return true
	})
	return resp.Pairs(elems...)
}

// walkZSet visits a range from its start, or from its end with reverse.
func walkZSet(z *store.ZSet, s store.Span, reverse bool, f func(member []byte, score float64) bool) {
	if reverse {
		z.WalkBack(s, f)
		return
	}
	z.Walk(s, f)
}

// zrangestore implements ZRANGESTORE dst src min max [BYSCORE | BYLEX] [REV] [LIMIT offset count], and replies how many
// members it has stored. It stores the range in the order of scores; REV only changes which part LIMIT selects.
func zrangestore(c *command.Call) resp.Value {
	q, err := zrangeForm{options: true, stores: true}.parse(c, 2)
	if err != nil {
		return c.Fail(err)
	}
	z, err := readZSet(c, c.Key(2))
	if err != nil {
		return c.Fail(err)
	}
	found := store.NewZSetTable()
	if z != nil {
		z.Walk(q.span(c, z), func(member []byte, score float64) bool { found.Set(member, score); return true })
	}
	return storeResult(c, c.Key(1), found, found.Len(), store.EventZSet, "zrangestore")
}

// zcount returns the handler of ZCOUNT key min max or ZLEXCOUNT. The bounds are parsed before the key is read, so
// they must be valid even for a missing key.
func zcount(order zsetOrder) func(*command.Call) resp.Value {
	return func(c *command.Call) resp.Value {
		b, err := parseBounds(c, order, 2, 3)
		if err != nil {
			return c.Fail(err)
		}
		z, err := readZSet(c, c.Key(1))
		if err != nil || z == nil {
			return c.FailOr(err, resp.Zero)
		}
		return resp.Int(int64(b.span(z, false).Len()))
	}
}

// zremrange returns the handler of ZREMRANGEBYRANK, ZREMRANGEBYSCORE or ZREMRANGEBYLEX key min max, which replies how
// many members it removed. It has one event, the name of the command, and "del" if no members remain.
func zremrange(order zsetOrder) func(*command.Call) resp.Value {
	return func(c *command.Call) resp.Value {
		b, err := parseBounds(c, order, 2, 3)
		if err != nil {
			return c.Fail(err)
		}
		key := c.Key(1)
		z, err := writeZSet(c, key)
		if err != nil || z == nil {
			return c.FailOr(err, resp.Zero)
		}
		removed := b.span(z, false)
		if removed.Len() == 0 {
			return resp.Zero
		}
		z.DeleteSpan(removed)
		c.Tx.Report(key, store.Change{Class: store.EventZSet, Event: c.Cmd.Name, Count: removed.Len()})
		c.DropEmpty(key, z.Len())
		return resp.Int(int64(removed.Len()))
	}
}
