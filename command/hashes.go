package command

import (
	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/store"
)

var hashCommands = []Command{
	{Name: "hdel", Usage: "key field [field ...]", Arity: -3, Flags: Write | Fast, Keys: OneKey, Since: "2.0.0",
		Summary: "Deletes one or more fields and their values from a hash. Deletes the hash if no fields remain.", Run: hdel},
	{Name: "hexists", Usage: "key field", Arity: 3, Flags: ReadOnly | Fast, Keys: OneKey, Since: "2.0.0",
		Summary: "Determines whether a field exists in a hash.", Run: hexists},
	{Name: "hget", Usage: "key field", Arity: 3, Flags: ReadOnly | Fast, Keys: OneKey, Since: "2.0.0",
		Summary: "Returns the value of a field in a hash.", Run: hget},
	{Name: "hgetall", Usage: "key", Arity: 2, Flags: ReadOnly, Keys: OneKey, Since: "2.0.0",
		Summary: "Returns all fields and values in a hash.", Run: hgetall},
	{Name: "hset", Usage: "key field value [field value ...]", Arity: -4, Flags: Write | DenyOOM | Fast, Keys: OneKey, Since: "2.0.0",
		Summary: "Creates or modifies the value of a field in a hash.", Run: hset},
}

func makeHash(c *Call, key []byte) (*store.Hash, error) { return store.Make(c.Tx, key, store.NewHash) }

func readHash(c *Call, key []byte) (*store.Hash, error) { return store.Read[*store.Hash](c.Tx, key) }

func hset(c *Call) resp.Value {
	if c.Len()%2 != 0 {
		return c.Fail(errArity(c.Cmd))
	}
	key := c.Key(1)
	h, err := makeHash(c, key)
	if err != nil {
		return c.Fail(err)
	}
	created := int64(0)
	for i := 2; i < c.Len(); i += 2 {
		if h.Set(c.Arg(i), c.Arg(i+1)) {
			created++
		}
	}
	c.Changed(key, store.EventHash, "hset")
	return resp.Int(created)
}

func hget(c *Call) resp.Value {
	h, err := readHash(c, c.Key(1))
	if err != nil {
		return c.Fail(err)
	}
	return hashField(h, c.Arg(2))
}

// hashField is the value of a field, null where the field or the hash is missing.
func hashField(h *store.Hash, field []byte) resp.Value {
	if h != nil {
		if value, ok := h.Get(field); ok {
			return resp.Bulk(value)
		}
	}
	return resp.Null
}

func hexists(c *Call) resp.Value {
	h, err := readHash(c, c.Key(1))
	if err != nil {
		return c.Fail(err)
	}
	return resp.Flag(!hashField(h, c.Arg(2)).IsNull())
}

func hdel(c *Call) resp.Value {
	key := c.Key(1)
	h, err := store.Write[*store.Hash](c.Tx, key)
	if err != nil || h == nil {
		return c.noneOr(err)
	}
	deleted := int64(0)
	for _, field := range c.Rest(2) {
		if h.Delete(field) {
			deleted++
		}
	}
	if deleted > 0 {
		c.Changed(key, store.EventHash, "hdel")
		c.DropEmpty(key, h.Len())
	}
	return resp.Int(deleted)
}

func hgetall(c *Call) resp.Value {
	h, err := readHash(c, c.Key(1))
	if err != nil {
		return c.Fail(err)
	}
	if h == nil {
		return resp.Map()
	}
	elems := make([]resp.Value, 0, 2*h.Len())
	h.Each(func(field, value []byte) bool {
		elems = append(elems, resp.Bulk(field), resp.Bulk(value))
		return true
	})
	return resp.Map(elems...)
}
