package command

import (
	"slices"

	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/store"
)

var keyCommands = slices.Concat(existenceCommands, dumpCommands, expireCommands, iterationCommands, moveCommands, objectCommands)

var existenceCommands = []Command{
	{Name: "del", Usage: "key [key ...]", Arity: -2, Flags: Write, Keys: AllKeys, Since: "1.0.0",
		Summary: "Deletes one or more keys.", Run: del},
	{Name: "exists", Usage: "key [key ...]", Arity: -2, Flags: ReadOnly | Fast, Keys: AllKeys, Since: "1.0.0",
		Summary: "Counts the given keys that exist.", Run: exists},
	{Name: "touch", Usage: "key [key ...]", Arity: -2, Flags: ReadOnly | Fast, Keys: AllKeys, Since: "3.2.1",
		Summary: "Counts the given keys that exist, after marking them as used now.", Run: exists},
	{Name: "type", Usage: "key", Arity: 2, Flags: ReadOnly | Fast, Keys: OneKey, Since: "1.0.0",
		Summary: "Returns the type of the value of a key.", Run: typeOf},
	{Name: "unlink", Usage: "key [key ...]", Arity: -2, Flags: Write | Fast, Keys: AllKeys, Since: "4.0.0",
		Summary: "Deletes one or more keys.", Run: del},
}

func del(c *Call) resp.Value {
	deleted := int64(0)
	for _, key := range c.Rest(1) {
		if deleteKey(c, key) {
			deleted++
		}
	}
	return resp.Int(deleted)
}

// deleteKey removes a key, with the event "del", and reports whether it was there.
func deleteKey(c *Call, key []byte) bool {
	if !c.Tx.Delete(key) {
		return false
	}
	c.Changed(key, store.EventGeneric, "del")
	return true
}

// exists counts a key as often as it is named.
func exists(c *Call) resp.Value {
	n := int64(0)
	for _, key := range c.Rest(1) {
		if c.Tx.Exists(key) {
			n++
		}
	}
	return resp.Int(n)
}

func typeOf(c *Call) resp.Value {
	e := c.Tx.Find(c.Key(1))
	if !e.Exists() {
		return resp.Status("none")
	}
	return resp.Status(string(e.Value().Type()))
}
