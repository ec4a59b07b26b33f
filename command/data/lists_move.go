package data

import (
	"bytes"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/emulate"
	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/store"
)

// The commands that pop from one list and push to another, which may be the same: then they rotate it (LMOVE command
// page). Of several keys the first list that is not empty is used.

var listMoveCommands = []command.Command{
	{Name: "lmove", Usage: "source destination <LEFT | RIGHT> <LEFT | RIGHT>", Arity: 5, Flags: writeDenyOOM,
		Keys: command.TwoKeys, Access: "RW access delete, RW insert", Since: "6.2.0",
		Summary: "Moves an element from one end of a list to an end of the same list or another.", Run: lmove},
	{Name: "lmpop", Usage: "numkeys key [key ...] <LEFT | RIGHT> [COUNT count]", Arity: -4,
		Flags: command.Write | command.MovableKeys, Keys: command.NumKeys(1),
		Access: "RW access delete", Since: "7.0.0",
		Summary: "Removes and returns elements at one end of the first non-empty list.", Run: lmpop},
	{Name: "rpoplpush", Usage: "source destination", Arity: 3, Flags: writeDenyOOM, Keys: command.TwoKeys,
		Access: "RW access delete, RW insert", Since: "1.2.0",
		Summary: "Moves the last element of a list to the front of the same list or another.", Run: rpoplpush},
}

// endAt reads argument i as an end of a list.
func endAt(c *command.Call, i int) (store.End, error) {
	switch {
	case c.Is(i, "left"):
		return store.Front, nil
	case c.Is(i, "right"):
		return store.Back, nil
	}
	return store.Front, command.ErrSyntax
}

// fromTo reads two ends of lists: arguments i and i+1.
func fromTo(c *command.Call, i int) (from, to store.End, err error) {
	if from, err = endAt(c, i); err != nil {
		return from, to, err
	}
	to, err = endAt(c, i+1)
	return from, to, err
}

// rpoplpush implements RPOPLPUSH source destination: LMOVE with RIGHT and LEFT.
func rpoplpush(c *command.Call) resp.Value { return moveElement(c, store.Back, store.Front) }

// lmove implements LMOVE source destination LEFT | RIGHT LEFT | RIGHT. It replies the element that it moved, null for a
// missing source.
func lmove(c *command.Call) resp.Value {
	from, to, err := fromTo(c, 3)
	if err != nil {
		return c.Fail(err)
	}
	return moveElement(c, from, to)
}

// moveElement pops from the list of argument 1 and pushes to that of argument 2, which may be the same. The event of
// the push comes first, as in Redis, then that of the pop, and "del" if the source is empty. The source counts as no
// further change.
func moveElement(c *command.Call, from, to store.End) resp.Value {
	source, destination := c.Key(1), c.Key(2)
	l, err := writeList(c, source)
	if err != nil || l == nil {
		return c.FailOr(err, resp.Null)
	}
	// The source exists, so a destination of another type is an error before the pop.
	target, err := makeList(c, destination)
	if err != nil {
		return c.Fail(err)
	}
	elem := bytes.Clone(l.Pop(from)) // the push may reuse its memory
	target.Push(elem, to)
	c.Changed(destination, store.EventList, pushEvent(to))
	c.Tx.Report(source, store.Change{Class: store.EventList, Event: popEvent(from)})
	c.DropEmpty(source, l.Len())
	return resp.Bulk(elem)
}

// lmpop implements LMPOP numkeys key [key ...] LEFT | RIGHT [COUNT count]. It replies the key and its elements, or a
// null array if no key exists. Keys after the first that exists are not read, so their type does not matter.
func lmpop(c *command.Call) resp.Value {
	o, err := parseMpop(c, "left", "right")
	if err != nil {
		return c.Fail(err)
	}
	key, l, err := firstExisting[*store.List](c, o.keys)
	if err != nil || l == nil {
		return c.FailOr(err, resp.NullArray)
	}
	popped := popElements(c, key, l, store.End(o.upper), o.count)
	if c.Propagates() {
		propagatePops(c, key, store.End(o.upper), len(popped))
	}
	return resp.Array(resp.Bulk(key), resp.Array(popped...))
}

// propagatePops sends LPOP or RPOP with a count.
func propagatePops(c *command.Call, key []byte, at store.End, count int) {
	c.PropagateAs(popName(at), key, decimal(int64(count)))
}

// popName is the name of the command that pops from an end.
func popName(at store.End) string { return either(at == store.Back, "RPOP", "LPOP") }

// propagateMove sends LMOVE or RPOPLPUSH for a move by a command that blocks. blocked says whether it has waited.
func propagateMove(c *command.Call, blocked bool) {
	if c.Len() == 4 {
		c.PropagateAs("RPOPLPUSH", c.Args[1:3]...)
		return
	}
	from, to := c.Arg(3), c.Arg(4)
	if blocked && !c.Does(emulate.BlockedCallsRunAgain) {
		from, to = bytes.ToLower(from), bytes.ToLower(to)
	}
	c.PropagateAs("LMOVE", c.Key(1), c.Key(2), from, to)
}
