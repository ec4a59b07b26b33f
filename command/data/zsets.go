package data

import (
	"slices"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/store"
)

// Sorted sets: members and scores. A small set is a listpack, a large one a skip list with a table (package store).
// Equal scores are ordered by member (ZADD command page). Scores are doubles in RESP3, text with 17 digits at most in
// RESP2.

var zsetCommands = slices.Concat(zsetMemberCommands, zsetAddCommands, zsetRangeCommands, zsetPopCommands,
	zsetBlockingCommands, zsetOperationCommands, zsetScanCommands)

// zsetMemberCommands look up and remove members.
var zsetMemberCommands = []command.Command{
	{Name: "zcard", Usage: "key", Arity: 2, Flags: readOnlyFast, Keys: command.OneKey, Access: "RO", Since: "1.2.0",
		Summary: "Returns the number of members of a sorted set.", Run: zcard},
	{Name: "zmscore", Usage: "key member [member ...]", Arity: -3, Flags: readOnlyFast, Keys: command.OneKey,
		Access: "RO access", Since: "6.2.0",
		Summary: "Returns the scores of one or more members of a sorted set.", Run: zmscore},
	{Name: "zrank", Usage: "key member [WITHSCORE]{7.2}", Arity: 3, Flags: readOnlyFast, Keys: command.OneKey,
		Access: "RO access", Since: "2.0.0",
		Changes: []command.Change{{Since: "7.2", Arity: -3}},
		Summary: "Returns how many members of a sorted set come before one.", Run: zrank(false)},
	{Name: "zrem", Usage: "key member [member ...]", Arity: -3, Flags: writeFast, Keys: command.OneKey,
		Access: "RW delete", Since: "1.2.0",
		Summary: "Removes one or more members from a sorted set. Deletes the sorted set if none remain.", Run: zrem},
	{Name: "zrevrank", Usage: "key member [WITHSCORE]{7.2}", Arity: 3, Flags: readOnlyFast, Keys: command.OneKey,
		Access: "RO access", Since: "2.0.0",
		Changes: []command.Change{{Since: "7.2", Arity: -3}},
		Summary: "Returns how many members of a sorted set come behind one.", Run: zrank(true)},
	{Name: "zscore", Usage: "key member", Arity: 3, Flags: readOnlyFast, Keys: command.OneKey,
		Access: "RO access", Since: "1.2.0",
		Summary: "Returns the score of a member of a sorted set.", Run: zscore},
}

// readZSet returns the sorted set of a key for reading, nil if the key is missing. The lookup counts as hit or miss.
func readZSet(c *command.Call, key []byte) (*store.ZSet, error) {
	return store.Get[*store.ZSet](c.Tx, key, store.ForRead)
}

// writeZSet returns the sorted set of a key for writing, nil if the key is missing.
func writeZSet(c *command.Call, key []byte) (*store.ZSet, error) {
	return store.Get[*store.ZSet](c.Tx, key, store.ForWrite)
}

// zcard implements ZCARD key: 0 for a missing key.
func zcard(c *command.Call) resp.Value {
	z, err := readZSet(c, c.Key(1))
	if err != nil || z == nil {
		return c.FailOr(err, resp.Zero)
	}
	return resp.Int(int64(z.Len()))
}

// zscore implements ZSCORE key member: null for a missing member or key.
func zscore(c *command.Call) resp.Value {
	z, err := readZSet(c, c.Key(1))
	if err != nil {
		return c.Fail(err)
	}
	return scoreOf(c, z, c.Arg(2))
}

// zmscore implements ZMSCORE key member [member ...]. It replies null for each missing member, and for all members of a
// missing key.
func zmscore(c *command.Call) resp.Value {
	z, err := readZSet(c, c.Key(1))
	if err != nil {
		return c.Fail(err)
	}
	scores := make([]resp.Value, 0, c.Len()-2)
	for _, member := range c.Rest(2) {
		scores = append(scores, scoreOf(c, z, member))
	}
	return resp.Array(scores...)
}

// scoreOf replies the score of a member, null if the member or the sorted set is missing.
func scoreOf(c *command.Call, z *store.ZSet, member []byte) resp.Value {
	if z != nil {
		if score, ok := z.Score(member); ok {
			return c.Double(score)
		}
	}
	return resp.Null
}

// zrank returns the handler of ZRANK key member [WITHSCORE] or, with reverse, ZREVRANK. Ranks count from 0. The rank of
// a missing member is null.
func zrank(reverse bool) func(*command.Call) resp.Value {
	return func(c *command.Call) resp.Value {
		missing, withScore := resp.Null, c.Len() > 3
		switch {
		case c.Len() > 4:
			return c.Fail(command.ErrArity(c.Cmd))
		case withScore && !c.Is(3, "withscore"):
			return c.Fail(command.ErrSyntax)
		case withScore:
			missing = resp.NullArray
		}
		z, err := readZSet(c, c.Key(1))
		if err != nil || z == nil {
			return c.FailOr(err, missing)
		}
		rank, ok := z.Rank(c.Arg(2))
		switch {
		case !ok:
			return missing
		case reverse:
			rank = z.Len() - 1 - rank
		}
		if withScore {
			return resp.Array(resp.Int(int64(rank)), scoreOf(c, z, c.Arg(2)))
		}
		return resp.Int(int64(rank))
	}
}

// zrem implements ZREM key member [member ...]. It replies how many members it removed. One event stands for all of
// them.
func zrem(c *command.Call) resp.Value {
	key := c.Key(1)
	z, err := writeZSet(c, key)
	if err != nil || z == nil {
		return c.FailOr(err, resp.Zero)
	}
	removed := int64(0)
	for _, member := range c.Rest(2) {
		if z.Delete(member) {
			removed++
		}
	}
	if removed > 0 {
		c.Tx.Report(key, store.Change{Class: store.EventZSet, Event: "zrem", Count: int(removed)})
		c.DropEmpty(key, z.Len())
	}
	return resp.Int(removed)
}
