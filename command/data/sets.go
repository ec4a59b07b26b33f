package data

import (
	"slices"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/emulate"
	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/store"
)

// Sets: members. Adding a member creates the set, and removing the last member deletes it. A set of integers is an
// intset up to its threshold (set-max-intset-entries), which decides the order of SMEMBERS here as in Redis.

var setCommands = slices.Concat(setMemberCommands, setOperationCommands, setRandomCommands)

// setMemberCommands add, remove and look up members.
var setMemberCommands = []command.Command{
	{Name: "sadd", Usage: "key member [member ...]", Arity: -3, Flags: writeDenyOOMFast, Keys: command.OneKey,
		Access: "RW insert", Since: "1.0.0",
		Summary: "Adds one or more members to a set. Creates the set if it does not exist.", Run: sadd},
	{Name: "scard", Usage: "key", Arity: 2, Flags: readOnlyFast, Keys: command.OneKey, Access: "RO", Since: "1.0.0",
		Summary: "Returns the number of members of a set.", Run: scard},
	{Name: "sismember", Usage: "key member", Arity: 3, Flags: readOnlyFast, Keys: command.OneKey,
		Access: "RO", Since: "1.0.0",
		Summary: "Determines whether a member belongs to a set.", Run: sismember},
	{Name: "smembers", Usage: "key", Arity: 2, Flags: command.ReadOnly, Keys: command.OneKey, Access: "RO access",
		Since: "1.0.0", Tips: "nondeterministic_output_order",
		Summary: "Returns all members of a set.", Run: smembers},
	{Name: "smismember", Usage: "key member [member ...]", Arity: -3, Flags: readOnlyFast, Keys: command.OneKey,
		Access: "RO access", Since: "6.2.0",
		Summary: "Determines for each of several members whether it belongs to a set.", Run: smismember},
	{Name: "smove", Usage: "source destination member", Arity: 4, Flags: writeFast, Keys: command.TwoKeys,
		Access: "RW access delete, RW insert", Since: "1.0.0",
		Summary: "Moves a member from one set to another.", Run: smove},
	{Name: "srem", Usage: "key member [member ...]", Arity: -3, Flags: writeFast, Keys: command.OneKey,
		Access: "RW delete", Since: "1.0.0",
		Summary: "Removes one or more members from a set. Deletes the set if none remain.", Run: srem},
}

// readSet returns the set of a key for reading, nil if the key is missing. The lookup counts as hit or miss.
func readSet(c *command.Call, key []byte) (*store.Set, error) {
	return store.Get[*store.Set](c.Tx, key, store.ForRead)
}

// writeSet returns the set of a key for writing, nil if the key is missing.
func writeSet(c *command.Call, key []byte) (*store.Set, error) {
	return store.Get[*store.Set](c.Tx, key, store.ForWrite)
}

// makeSet returns the set for writing, created if it is missing.
func makeSet(c *command.Call, key []byte) (*store.Set, error) {
	return store.GetOrCreate(c.Tx, key, store.NewSet)
}

// sadd implements SADD key member [member ...]. It replies how many members are new. If none is, the key counts as
// unmodified and there is no event.
func sadd(c *command.Call) resp.Value {
	key := c.Key(1)
	s, err := makeSet(c, key)
	if err != nil {
		return c.Fail(err)
	}
	if c.Does(emulate.SizesByArguments) {
		s.Expect(c.Arg(2), c.Len()-2)
	}
	added := int64(0)
	for _, member := range c.Rest(2) {
		if s.Add(member) {
			added++
		}
	}
	if added > 0 {
		c.Tx.Report(key, store.Change{Class: store.EventSet, Event: "sadd", Count: int(added)})
	}
	return resp.Int(added)
}

// srem implements SREM key member [member ...], and replies how many members it removed. One event "srem" stands for
// all of them, followed by "del" if the set is empty.
func srem(c *command.Call) resp.Value {
	key := c.Key(1)
	s, err := writeSet(c, key)
	if err != nil || s == nil {
		return c.FailOr(err, resp.Zero)
	}
	removed := int64(0)
	for _, member := range c.Rest(2) {
		if s.Remove(member) {
			removed++
		}
	}
	if removed > 0 {
		c.Tx.Report(key, store.Change{Class: store.EventSet, Event: "srem", Count: int(removed)})
		c.DropEmpty(key, s.Len())
	}
	return resp.Int(removed)
}

// scard implements SCARD key: 0 for a missing key.
func scard(c *command.Call) resp.Value {
	s, err := readSet(c, c.Key(1))
	if err != nil || s == nil {
		return c.FailOr(err, resp.Zero)
	}
	return resp.Int(int64(s.Len()))
}

// sismember implements SISMEMBER key member: 1 or 0, and 0 for a missing key.
func sismember(c *command.Call) resp.Value {
	s, err := readSet(c, c.Key(1))
	if err != nil {
		return c.Fail(err)
	}
	return resp.Flag(s != nil && s.Has(c.Arg(2)))
}

// smismember implements SMISMEMBER key member [member ...]. It replies 0 for each member of a missing set.
func smismember(c *command.Call) resp.Value {
	s, err := readSet(c, c.Key(1))
	if err != nil {
		return c.Fail(err)
	}
	flags := c.Elements(c.Len() - 2)
	for _, member := range c.Rest(2) {
		flags = append(flags, resp.Flag(s != nil && s.Has(member)))
	}
	return resp.Array(flags...)
}

// smembers implements SMEMBERS key. It replies a set in RESP3, an array in RESP2; an empty one for a missing key.
func smembers(c *command.Call) resp.Value {
	s, err := readSet(c, c.Key(1))
	if err != nil || s == nil {
		return c.FailOr(err, resp.Set())
	}
	return resp.Set(membersOf(c, s)...)
}

// membersOf returns the members in the order of the set.
func membersOf(c *command.Call, s *store.Set) []resp.Value {
	members := c.Elements(s.Len())
	s.Each(func(member []byte) bool {
		members = append(members, resp.Bulk(member))
		return true
	})
	return members
}

// smove implements SMOVE source destination member, and replies 1 if it has moved the member. It checks the type of the
// destination only if the source exists, as Redis does. A member that both sets have is removed from the source, with
// one event: "srem" without "sadd".
func smove(c *command.Call) resp.Value {
	source, destination, member := c.Key(1), c.Key(2), c.Arg(3)
	to, wrong := store.Get[*store.Set](c.Tx, destination, store.NoStats)
	from, err := writeSet(c, source)
	if err != nil || from == nil {
		return c.FailOr(err, resp.Zero)
	}
	switch {
	case wrong != nil:
		return c.Fail(wrong)
	// Source and destination are one key: nothing moves, and there is no event.
	case from == to:
		return resp.Flag(from.Has(member))
	case !from.Remove(member):
		return resp.Zero
	}
	c.Changed(source, store.EventSet, "srem")
	c.DropEmpty(source, from.Len())
	if to, _ = makeSet(c, destination); to.Add(member) {
		c.Changed(destination, store.EventSet, "sadd")
	}
	return resp.One
}
