package command

import (
	"slices"

	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/store"
)

var keyCommands = slices.Concat(existenceCommands, dumpCommands, expireCommands, iterationCommands, moveCommands, objectCommands)

var existenceCommands = []Command{
	{Name: "del", Usage: "key [key ...]", Arity: -2, Flags: Write | Brief, Keys: AllKeys,
		Access: "RM delete", Since: "1.0.0", Tips: "request_policy:multi_shard response_policy:agg_sum",
		Summary: "Deletes one or more keys.", Run: del},
	{Name: "exists", Usage: "key [key ...]", Arity: -2, Flags: ReadOnly | Fast, Keys: AllKeys,
		Access: "RO", Since: "1.0.0", Tips: "request_policy:multi_shard response_policy:agg_sum",
		Summary: "Counts the given keys that exist.", Run: exists},
	{Name: "touch", Usage: "key [key ...]", Arity: -2, Flags: ReadOnly | Fast, Keys: AllKeys,
		Access: "RO", Since: "3.2.1", Tips: "request_policy:multi_shard response_policy:agg_sum",
		Summary: "Counts the given keys that exist, after marking them as used now.", Run: touch},
	{Name: "type", Usage: "key", Arity: 2, Flags: ReadOnly | Fast, Keys: OneKey, Access: "RO", Since: "1.0.0",
		Summary: "Returns the type of the value of a key.", Run: typeOf},
	{Name: "unlink", Usage: "key [key ...]", Arity: -2, Flags: Write | Fast, Keys: AllKeys,
		Access: "RM delete", Since: "4.0.0", Tips: "request_policy:multi_shard response_policy:agg_sum",
		Summary: "Deletes one or more keys.", Run: unlink},
}

func del(c *Call) resp.Value {
	return c.countKeys(func(key []byte) bool { return deleteKey(c, key) })
}

// deleteKey removes a key, with the event "del", and reports whether it was there.
func deleteKey(c *Call, key []byte) bool {
	if !c.Tx.Delete(key) {
		return false
	}
	c.Changed(key, store.EventGeneric, "del")
	return true
}

func exists(c *Call) resp.Value {
	return c.countKeys(func(key []byte) bool { return c.Tx.Look(key).Exists() })
}

// countKeys tells for how many of its keys f holds, a key counting as often as it is named.
func (c *Call) countKeys(f func(key []byte) bool) resp.Value {
	n := int64(0)
	for _, key := range c.Rest(1) {
		if f(key) {
			n++
		}
	}
	return resp.Int(n)
}

func touch(c *Call) resp.Value { return c.countKeys(c.Tx.Touch) }

func typeOf(c *Call) resp.Value {
	e := c.Tx.Look(c.Key(1))
	if !e.Exists() {
		return resp.Status("none")
	}
	return resp.Status(string(e.Value().Type()))
}
