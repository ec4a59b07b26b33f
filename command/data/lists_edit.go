package data

import (
	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/emulate"
	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/store"
)

// Changes inside a list. A missing list is an error for LSET only; the others reply that nothing was done.

var listEditCommands = []command.Command{
	{Name: "linsert", Usage: "key <BEFORE | AFTER> pivot element", Arity: 5, Flags: writeDenyOOM,
		Keys: command.OneKey, Access: "RW insert", Since: "2.2.0",
		Summary: "Inserts an element before or after another element of a list.", Run: linsert},
	{Name: "lrem", Usage: "key count element", Arity: 4, Flags: command.Write, Keys: command.OneKey,
		Access: "RW delete", Since: "1.0.0",
		Summary: "Removes elements that equal one from a list. Deletes the list if none remain.", Run: lrem},
	{Name: "lset", Usage: "key index element", Arity: 4, Flags: writeDenyOOM, Keys: command.OneKey,
		Access: "RW update", Since: "1.0.0",
		Summary: "Sets an element of a list by its index.", Run: lset},
	{Name: "ltrim", Usage: "key start stop", Arity: 4, Flags: command.Write, Keys: command.OneKey,
		Access: "RW delete", Since: "1.0.0",
		Summary: "Removes all elements of a list but a range. Deletes the list if none remain.", Run: ltrim},
}

// lset implements LSET key index element. It replies "no such key" before it checks the index. An index out of range is
// an error, too.
func lset(c *command.Call) resp.Value {
	key := c.Key(1)
	l, err := writeList(c, key)
	if err != nil || l == nil {
		return c.FailOr(err, c.Fail(command.ErrNoSuchKey))
	}
	index, err := c.Index(2)
	if err != nil {
		return c.Fail(err)
	}
	if c.Does(emulate.ListIndexIsInt32) {
		index = int(int32(index))
	}
	i, ok := listIndex(l, index)
	if !ok {
		return c.Fail(command.ErrOutOfRange)
	}
	l.Set(i, c.Arg(3))
	c.Changed(key, store.EventList, "lset")
	return resp.OK
}

// linsert implements LINSERT key BEFORE | AFTER pivot element. The pivot is the first element that equals it. It
// replies the new length, 0 for a missing list and -1 for a missing pivot (command page); there is an event only if it
// has inserted.
func linsert(c *command.Call) resp.Value {
	after := c.Is(2, "after")
	if !after && !c.Is(2, "before") {
		return c.Fail(command.ErrSyntax)
	}
	key := c.Key(1)
	l, err := writeList(c, key)
	if err != nil || l == nil {
		return c.FailOr(err, resp.Zero)
	}
	if !l.Insert(c.Arg(3), c.Arg(4), after) {
		return resp.Int(-1)
	}
	c.Changed(key, store.EventList, "linsert")
	return resp.Int(int64(l.Len()))
}

// lrem implements LREM key count element, and replies how many elements it removed. It removes from the back if the
// count is negative, and all matches if it is 0 (command page). The count must be an integer even for a missing key.
func lrem(c *command.Call) resp.Value {
	count, err := signed(c, 2)
	if err != nil {
		return c.Fail(err)
	}
	key := c.Key(1)
	l, err := writeList(c, key)
	if err != nil || l == nil {
		return c.FailOr(err, resp.Zero)
	}
	removed := l.Remove(c.Arg(3), max(count, -count, 0), store.End(count < 0))
	if removed > 0 {
		c.Tx.Report(key, store.Change{Class: store.EventList, Event: "lrem", Count: removed})
		c.DropEmpty(key, l.Len())
	}
	return resp.Int(int64(removed))
}

// ltrim implements LTRIM key start stop, and replies OK also for a missing key. It has an event even if nothing was
// removed, as in Redis, followed by "del" if nothing is left.
func ltrim(c *command.Call) resp.Value {
	start, stop, err := c.Span(2)
	if err != nil {
		return c.Fail(err)
	}
	key := c.Key(1)
	l, err := writeList(c, key)
	if err != nil || l == nil {
		return c.FailOr(err, resp.OK)
	}
	before := l.Len()
	l.Trim(store.SpanOf(start, stop, before))
	c.Tx.Report(key, store.Change{Class: store.EventList, Event: "ltrim", Count: before - l.Len()})
	c.DropEmpty(key, l.Len())
	return resp.OK
}
