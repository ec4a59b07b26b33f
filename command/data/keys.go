package data

import (
	"slices"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/store"
)

// Commands on keys of any type. EXISTS, TYPE and TTL do not mark a key as used for LRU and LFU, TOUCH always does,
// even after CLIENT NO-TOUCH (TOUCH command page). All of them count hits and misses. DEL and UNLINK have the event
// "del" for each key that existed.

var keyCommands = slices.Concat(existenceCommands, dumpCommands, expireCommands, iterationCommands, moveCommands,
	objectCommands)

// existenceCommands treat a key as a whole, whatever its value.
var existenceCommands = []command.Command{
	{Name: "del", Usage: "key [key ...]", Arity: -2, Flags: command.Write | command.Brief, Keys: command.AllKeys,
		Access: "RM delete", Since: "1.0.0", Tips: "request_policy:multi_shard response_policy:agg_sum",
		Summary: "Deletes one or more keys.", Run: del},
	{Name: "exists", Usage: "key [key ...]", Arity: -2, Flags: readOnlyFast, Keys: command.AllKeys, Access: "RO",
		Since: "1.0.0", Tips: "request_policy:multi_shard response_policy:agg_sum",
		Summary: "Counts the given keys that exist.", Run: exists},
	{Name: "touch", Usage: "key [key ...]", Arity: -2, Flags: readOnlyFast, Keys: command.AllKeys, Access: "RO",
		Since: "3.2.1", Tips: "request_policy:multi_shard response_policy:agg_sum",
		Summary: "Counts the given keys that exist, after marking them as used now.", Run: touch},
	{Name: "type", Usage: "key", Arity: 2, Flags: readOnlyFast, Keys: command.OneKey, Access: "RO", Since: "1.0.0",
		Summary: "Returns the type of the value of a key.", Run: typeOf},
	{Name: "unlink", Usage: "key [key ...]", Arity: -2, Flags: writeFast, Keys: command.AllKeys, Access: "RM delete",
		Since: "4.0.0", Tips: "request_policy:multi_shard response_policy:agg_sum",
		Summary: "Deletes one or more keys.", Run: unlink},
}

// del implements DEL key [key ...], and replies how many keys it deleted. A key given twice counts once, since it is
// gone the second time.
func del(c *command.Call) resp.Value {
	return countKeys(c, func(key []byte) bool { return deleteKey(c, key) })
}

// deleteKey deletes a key, with the event "del", and reports whether it existed.
func deleteKey(c *command.Call, key []byte) bool {
	if !c.Tx.Delete(key) {
		return false
	}
	c.Changed(key, store.EventGeneric, "del")
	return true
}

// exists implements EXISTS key [key ...], and replies how many of the arguments name a key: one given twice counts
// twice.
func exists(c *command.Call) resp.Value {
	return countKeys(c, func(key []byte) bool { return c.Tx.Lookup(key, store.NoTouch).Exists() })
}

// countKeys replies for how many of the arguments f returns true. All of them are keys, and repetitions are not removed
// (EXISTS command page).
func countKeys(c *command.Call, f func(key []byte) bool) resp.Value {
	n := int64(0)
	for _, key := range c.Rest(1) {
		if f(key) {
			n++
		}
	}
	return resp.Int(n)
}

// touch implements TOUCH key [key ...]: EXISTS that marks each key as used, even after CLIENT NO-TOUCH.
func touch(c *command.Call) resp.Value {
	return countKeys(c, func(key []byte) bool { return c.Tx.Lookup(key, store.AlwaysTouch).Exists() })
}

// typeOf implements TYPE key. It replies a status: string, list, set, zset, hash or stream, and "none" for a missing
// key.
func typeOf(c *command.Call) resp.Value {
	e := c.Tx.Lookup(c.Key(1), store.NoTouch)
	if !e.Exists() {
		return resp.Status("none")
	}
	return resp.Status(string(e.Value().Type()))
}
