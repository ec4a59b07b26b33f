package data

import (
	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/store"
)

// Blocking commands on sorted sets (BZPOPMIN command page). They block as those on lists do, see lists_blocking.go. A
// key that got another type in the meantime does not serve a client: it blocks on.

var zsetBlockingCommands = []command.Command{
	{Name: "bzmpop", Usage: "timeout numkeys key [key ...] <MIN | MAX> [COUNT count]", Arity: -5,
		Flags: command.Write | command.Blocking | command.MovableKeys, Keys: command.NumKeys(2),
		Access: "RW access delete", Since: "7.0.0",
		Summary: "Removes and returns members of the first non-empty sorted set. Blocks if all are empty.",
		Run:     bzmpop},
	{Name: "bzpopmax", Usage: "key [key ...] timeout", Arity: -3, Flags: blockingWrite | command.Fast,
		Keys: keysThenTimeout, Access: "RW access delete", Since: "5.0.0",
		Changes: blocksInScripts,
		Summary: "Removes and returns the member with the highest score. Blocks if all sorted sets are empty.",
		Run:     blockingZPop(true)},
	{Name: "bzpopmin", Usage: "key [key ...] timeout", Arity: -3, Flags: blockingWrite | command.Fast,
		Keys: keysThenTimeout, Access: "RW access delete", Since: "5.0.0",
		Changes: blocksInScripts,
		Summary: "Removes and returns the member with the lowest score. Blocks if all sorted sets are empty.",
		Run:     blockingZPop(false)},
}

// blockingZPop returns the handler of BZPOPMAX or BZPOPMIN key [key ...] timeout. It replies key, member and score in
// one flat array, in RESP3 too; a null array at the timeout.
func blockingZPop(highest bool) func(*command.Call) resp.Value {
	try := func(c *command.Call, key []byte) (resp.Value, bool) {
		z, ok := lookupForWrite[*store.ZSet](c, key)
		if !ok {
			return resp.None, false
		}
		popped := popMembersAndScores(c, key, z, highest, 1)
		if c.Propagates() {
			c.PropagateAs(zpopName(highest), key)
		}
		return resp.Array(append([]resp.Value{resp.Bulk(key)}, popped...)...), true
	}
	return blockOnArgs[*store.ZSet](try)
}

// bzmpop implements BZMPOP timeout numkeys key [key ...] MIN | MAX [COUNT count]. It replies the key and pairs of
// member and score, in RESP2 too.
func bzmpop(c *command.Call) resp.Value {
	timeout, o, err := parseBlockingMpop(c, "min", "max")
	if err != nil {
		return c.Fail(err)
	}
	return blockOn[*store.ZSet](c, o.keys, timeout, func(c *command.Call, key []byte) (resp.Value, bool) {
		z, ok := lookupForWrite[*store.ZSet](c, key)
		if !ok {
			return resp.None, false
		}
		return popFirst(c, key, z, o), true
	}, resp.NullArray)
}
