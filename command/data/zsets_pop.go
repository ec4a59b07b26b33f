package data

import (
	"bytes"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/store"
)

// The commands that pop members from an end of a sorted set. Popping the last member deletes it. Of several keys the
// first sorted set that is not empty is used (command page).

var zsetPopCommands = []command.Command{
	{Name: "zmpop", Usage: "numkeys key [key ...] <MIN | MAX> [COUNT count]", Arity: -4,
		Flags: command.Write | command.MovableKeys, Keys: command.NumKeys(1),
		Access: "RW access delete", Since: "7.0.0",
		Summary: "Removes and returns the members with the lowest or highest scores of the first sorted set there is.",
		Run:     zmpop},
	{Name: "zpopmax", Usage: "key [count]", Arity: -2, Flags: writeFast, Keys: command.OneKey,
		Access: "RW access delete", Since: "5.0.0",
		Summary: "Removes and returns the members of a sorted set with the highest scores.", Run: zpop(true)},
	{Name: "zpopmin", Usage: "key [count]", Arity: -2, Flags: writeFast, Keys: command.OneKey,
		Access: "RW access delete", Since: "5.0.0",
		Summary: "Removes and returns the members of a sorted set with the lowest scores.", Run: zpop(false)},
}

// zpop returns the handler of ZPOPMIN key [count] or ZPOPMAX. With a count the reply in RESP3 is an array of pairs,
// else flat (command page). A missing key is an empty array, also without a count.
func zpop(highest bool) func(*command.Call) resp.Value {
	return func(c *command.Call) resp.Value {
		count, reply := 1, resp.Array
		if c.Len() > 3 {
			return c.Fail(command.ErrSyntax)
		}
		if c.Len() == 3 {
			var err error
			if count, err = c.AtLeast(2, 0, command.ErrNotPositive); err != nil {
				return c.Fail(err)
			}
			reply = resp.Pairs
		}
		z, err := writeZSet(c, c.Key(1))
		if err != nil || z == nil || count == 0 {
			return c.FailOr(err, resp.Array())
		}
		return reply(popMembersAndScores(c, c.Key(1), z, highest, count)...)
	}
}

// zmpop implements ZMPOP numkeys key [key ...] MIN | MAX [COUNT count]. It replies the key and pairs of member and
// score, in RESP2 too, or a null array if no key exists.
func zmpop(c *command.Call) resp.Value {
	o, err := parseMpop(c, "min", "max")
	if err != nil {
		return c.Fail(err)
	}
	key, z, err := firstExisting[*store.ZSet](c, o.keys)
	if err != nil || z == nil {
		return c.FailOr(err, resp.NullArray)
	}
	return popFirst(c, key, z, o)
}

// popFirst pops from the first sorted set that ZMPOP or BZMPOP have found. It replies the key and pairs.
func popFirst(c *command.Call, key []byte, z *store.ZSet, o mpopOptions) resp.Value {
	popped := popMembersAndScores(c, key, z, o.upper, o.count)
	if c.Propagates() {
		c.PropagateAs(zpopName(o.upper), key, decimal(int64(len(popped)/2)))
	}
	return resp.Array(resp.Bulk(key), pairs(popped))
}

// zpopName is the name of the command that pops from an end.
func zpopName(highest bool) string { return either(highest, "ZPOPMAX", "ZPOPMIN") }

// popMembersAndScores removes up to count members from an end, with one event, and returns members and scores in turn:
// the lowest first, or with highest the highest first. Members are copied, since the removal may reuse their memory.
func popMembersAndScores(c *command.Call, key []byte, z *store.ZSet, highest bool, count int) []resp.Value {
	count = min(count, z.Len())
	popped := make([]resp.Value, 0, 2*count)
	s := z.All().Limited(0, count, highest)
	walkZSet(z, s, highest, func(member []byte, score float64) bool {
		popped = append(popped, resp.Bulk(bytes.Clone(member)), c.Double(score))
		return true
	})
	z.DeleteSpan(s)
	c.Tx.Report(key, store.Change{Class: store.EventZSet, Event: either(highest, "zpopmax", "zpopmin"), Count: count})
	c.DropEmpty(key, z.Len())
	return popped
}
