package data

import (
	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/resp"
)

// The commands that read whole hashes. Redis leaves the order of fields open; here it is that of the store, and all
// commands agree on it. HGETALL is a map in RESP3, also for a missing key.

// hashReadCommands read several fields or all.
var hashReadCommands = []command.Command{
	{Name: "hgetall", Usage: "key", Arity: 2, Flags: command.ReadOnly, Keys: command.OneKey, Access: "RO access",
		Since: "2.0.0", Tips: "nondeterministic_output_order",
		Summary: "Returns all fields and values in a hash.", Run: hgetall},
	{Name: "hkeys", Usage: "key", Arity: 2, Flags: command.ReadOnly, Keys: command.OneKey, Access: "RO access",
		Since: "2.0.0", Tips: "nondeterministic_output_order",
		Summary: "Returns all fields in a hash.", Run: hashList(func(field, _ []byte) []byte { return field })},
	{Name: "hlen", Usage: "key", Arity: 2, Flags: readOnlyFast, Keys: command.OneKey, Access: "RO", Since: "2.0.0",
		Summary: "Returns the number of fields in a hash.", Run: hlen},
	{Name: "hmget", Usage: "key field [field ...]", Arity: -3, Flags: readOnlyFast, Keys: command.OneKey,
		Access: "RO access", Since: "2.0.0",
		Summary: "Returns the values of several fields in a hash.", Run: hmget},
	{Name: "hvals", Usage: "key", Arity: 2, Flags: command.ReadOnly, Keys: command.OneKey, Access: "RO access",
		Since: "2.0.0", Tips: "nondeterministic_output_order",
		Summary: "Returns all values in a hash.", Run: hashList(func(_, value []byte) []byte { return value })},
}

// hgetall implements HGETALL key. It replies an empty map for a missing key.
func hgetall(c *command.Call) resp.Value {
	h, err := readHash(c, c.Key(1))
	if err != nil {
		return c.Fail(err)
	}
	if h == nil {
		return resp.Map()
	}
	elems := c.Elements(2 * h.Len())
	h.Each(func(field, value []byte) bool {
		elems = append(elems, resp.Bulk(field), resp.Bulk(value))
		return true
	})
	return resp.Map(elems...)
}

// hashList returns the handler of HKEYS key or HVALS key: part chooses what to list of each field. The reply for a
// missing key is an empty array.
func hashList(part func(field, value []byte) []byte) func(*command.Call) resp.Value {
	return func(c *command.Call) resp.Value {
		h, err := readHash(c, c.Key(1))
		if err != nil {
			return c.Fail(err)
		}
		if h == nil {
			return resp.Array()
		}
		elems := c.Elements(h.Len())
		h.Each(func(field, value []byte) bool {
			elems = append(elems, resp.Bulk(part(field, value)))
			return true
		})
		return resp.Array(elems...)
	}
}

// hlen implements HLEN key: 0 for a missing key. Fields whose expiry has passed do not count, since the lookup has
// removed them, unless DEBUG has turned that off.
func hlen(c *command.Call) resp.Value {
	h, err := readHash(c, c.Key(1))
	if err != nil || h == nil {
		return c.FailOr(err, resp.Zero)
	}
	return resp.Int(int64(h.Len()))
}

// hmget implements HMGET key field [field ...]. It replies null for each missing field, and for all fields of a missing
// key.
func hmget(c *command.Call) resp.Value {
	h, err := readNamed(c, c.Rest(2))
	if err != nil {
		return c.Fail(err)
	}
	elems := c.Elements(c.Len() - 2)
	for _, field := range c.Rest(2) {
		elems = append(elems, hashField(h, field))
	}
	return resp.Array(elems...)
}
