package data

import (
	"slices"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/store"
)

// Lists: pushing and popping at the ends. Pushing creates the list, and popping the last element deletes it, with the
// event "del" after that of the pop. The ends are Front and Back in the store, LEFT and RIGHT in commands.

var listCommands = slices.Concat(listEndCommands, listBlockingCommands, listMoveCommands, listReadCommands,
	listEditCommands)

// listEndCommands push and pop at the ends of one list.
var listEndCommands = []command.Command{
	{Name: "llen", Usage: "key", Arity: 2, Flags: readOnlyFast, Keys: command.OneKey, Access: "RO", Since: "1.0.0",
		Summary: "Returns the length of a list.", Run: llen},
	{Name: "lpop", Usage: "key [count]", Arity: -2, Flags: writeFast, Keys: command.OneKey,
		Access: "RW access delete", Since: "1.0.0",
		Summary: "Removes and returns the first elements of a list.", Run: pop(store.Front)},
	{Name: "lpush", Usage: "key element [element ...]", Arity: -3, Flags: writeDenyOOMFast, Keys: command.OneKey,
		Access: "RW insert", Since: "1.0.0",
		Summary: "Prepends one or more elements to a list. Creates the list if it does not exist.",
		Run:     push(store.Front, makeList)},
	{Name: "lpushx", Usage: "key element [element ...]", Arity: -3, Flags: writeDenyOOMFast, Keys: command.OneKey,
		Access: "RW insert", Since: "2.2.0",
		Summary: "Prepends one or more elements to a list, only if the list exists.",
		Run:     push(store.Front, writeList)},
	{Name: "rpop", Usage: "key [count]", Arity: -2, Flags: writeFast, Keys: command.OneKey,
		Access: "RW access delete", Since: "1.0.0",
		Summary: "Removes and returns the last elements of a list.", Run: pop(store.Back)},
	{Name: "rpush", Usage: "key element [element ...]", Arity: -3, Flags: writeDenyOOMFast, Keys: command.OneKey,
		Access: "RW insert", Since: "1.0.0",
		Summary: "Appends one or more elements to a list. Creates the list if it does not exist.",
		Run:     push(store.Back, makeList)},
	{Name: "rpushx", Usage: "key element [element ...]", Arity: -3, Flags: writeDenyOOMFast, Keys: command.OneKey,
		Access: "RW insert", Since: "2.2.0",
		Summary: "Appends one or more elements to a list, only if the list exists.", Run: push(store.Back, writeList)},
}

// readList returns the list of a key for reading, nil if the key is missing. The lookup counts as hit or miss.
func readList(c *command.Call, key []byte) (*store.List, error) {
	return store.Get[*store.List](c.Tx, key, store.ForRead)
}

// writeList returns the list of a key for writing, nil if the key is missing.
func writeList(c *command.Call, key []byte) (*store.List, error) {
	return store.Get[*store.List](c.Tx, key, store.ForWrite)
}

// makeList returns the list for writing, created if it is missing.
func makeList(c *command.Call, key []byte) (*store.List, error) {
	return store.GetOrCreate(c.Tx, key, store.NewList)
}

// pushEvent is the event of a push at an end, also for LPUSHX and all commands that move an element.
func pushEvent(at store.End) string { return either(at == store.Front, "lpush", "rpush") }

// popEvent is the event of a pop from an end, also for all commands that move an element, and those that block.
func popEvent(at store.End) string { return either(at == store.Front, "lpop", "rpop") }

// llen implements LLEN key: 0 for a missing key.
func llen(c *command.Call) resp.Value {
	l, err := readList(c, c.Key(1))
	if err != nil || l == nil {
		return c.FailOr(err, resp.Zero)
	}
	return resp.Int(int64(l.Len()))
}

// push returns the handler of LPUSH key element [element ...], or of RPUSH, LPUSHX or RPUSHX. It pushes the elements
// one by one, so LPUSH reverses their order, and replies the new length. One event stands for all. target is makeList,
// or writeList for the last two, which reply 0 if there is no list.
func push(at store.End, target func(*command.Call, []byte) (*store.List, error)) func(*command.Call) resp.Value {
	return func(c *command.Call) resp.Value {
		key := c.Key(1)
		l, err := target(c, key)
		if err != nil || l == nil {
			return c.FailOr(err, resp.Zero)
		}
		for _, elem := range c.Rest(2) {
			l.Push(elem, at)
		}
		c.Tx.Report(key, store.Change{Class: store.EventList, Event: pushEvent(at), Count: c.Len() - 2})
		return resp.Int(int64(l.Len()))
	}
}

// pop returns the handler of LPOP key [count] or RPOP key [count]. With a count the reply is an array, and a null array
// for a missing key; without, one element or null (command page). RESP2 has two kinds of null. Count 0 replies an empty
// array, but a null array for a missing key.
func pop(at store.End) func(*command.Call) resp.Value {
	return func(c *command.Call) resp.Value {
		missing, count, err := resp.Null, 1, error(nil)
		switch {
		case c.Len() > 3:
			return c.Fail(command.ErrArity(c.Cmd))
		case c.Len() == 3:
			missing = resp.NullArray
			if count, err = c.AtLeast(2, 0, command.ErrNotPositive); err != nil {
				return c.Fail(err)
			}
		}
		l, err := writeList(c, c.Key(1))
		switch {
		case err != nil || l == nil:
			return c.FailOr(err, missing)
		case count == 0:
			return resp.Array()
		}
		popped := popElements(c, c.Key(1), l, at, count)
		if c.Len() == 2 {
			return popped[0]
		}
		return resp.Array(popped...)
	}
}

// popElements pops up to count elements from an end, with one event, and deletes a list that is empty then. Each
// element counts as a change. The elements are valid until the list is pushed to: the reply is encoded, or turned into
// Lua, before that.
func popElements(c *command.Call, key []byte, l *store.List, at store.End, count int) []resp.Value {
	count = min(count, l.Len())
	popped := make([]resp.Value, 0, count)
	for range count {
		popped = append(popped, resp.Bulk(l.Pop(at)))
	}
	c.Tx.Report(key, store.Change{Class: store.EventList, Event: popEvent(at), Count: count})
	c.DropEmpty(key, l.Len())
	return popped
}
