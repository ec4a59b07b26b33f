package data

import (
	"time"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/store"
)

const blockingWrite = command.Write | command.NoScript | command.Blocking

// keysThenTimeout are all words but the name and the last one, which is a timeout.
var keysThenTimeout = command.Keys{First: 1, Last: -2, Step: 1}

var listBlockingCommands = []command.Command{
	{Name: "blmove", Usage: "source destination <LEFT | RIGHT> <LEFT | RIGHT> timeout", Arity: 6,
		Flags: blockingWrite | command.DenyOOM, Keys: command.TwoKeys,
		Access: "RW access delete, RW insert", Since: "6.2.0",
		Summary: "Moves an element from one list to another, and waits for it if there is none.", Run: blmove},
	{Name: "blmpop", Usage: "timeout numkeys key [key ...] <LEFT | RIGHT> [COUNT count]", Arity: -5,
		Flags: command.Write | command.Blocking | command.MovableKeys, Keys: command.NumKeys(2),
		Access: "RW access delete", Since: "7.0.0",
		Summary: "Removes and returns elements of the first list there is, and waits for one if there is none.",
		Run:     blmpop},
	{Name: "blpop", Usage: "key [key ...] timeout", Arity: -3, Flags: blockingWrite, Keys: keysThenTimeout,
		Access: "RW access delete", Since: "2.0.0",
		Summary: "Removes and returns the first element of a list, and waits for one if there is none.",
		Run:     blockingPop(store.Front)},
	{Name: "brpop", Usage: "key [key ...] timeout", Arity: -3, Flags: blockingWrite, Keys: keysThenTimeout,
		Access: "RW access delete", Since: "2.0.0",
		Summary: "Removes and returns the last element of a list, and waits for one if there is none.",
		Run:     blockingPop(store.Back)},
	{Name: "brpoplpush", Usage: "source destination timeout", Arity: 4, Flags: blockingWrite | command.DenyOOM,
		Keys: command.TwoKeys, Access: "RW access delete, RW insert", Since: "2.2.0",
		Summary: "Moves the last element of a list to the front of another, and waits for it if there is none.",
		Run:     brpoplpush},
}

// blockOn tries the keys in their order, and blocks the session if none serves. A key of another type is an error, but
// only now: a session that waits is not disturbed by one.
func blockOn[T storeValue](c *command.Call, keys [][]byte, timeout time.Duration, try command.Attempt, timeoutReply resp.Value) resp.Value {
	for _, key := range keys {
		if _, err := store.Get[T](c.Tx, key, store.NoStats); err != nil {
			return c.Fail(err)
		}
		if v, ok := try(c, key); ok {
			return v
		}
	}
	var kind T
	return c.Block(keys, kind, timeout, try, timeoutReply)
}

// writable returns the value under a key to be changed, and whether there is one of that type.
func lookupForWrite[T storeValue](c *command.Call, key []byte) (v T, ok bool) {
	var none T
	v, err := store.Get[T](c.Tx, key, store.ForWrite)
	return v, err == nil && v != none
}

func blockingPop(at store.End) func(*command.Call) resp.Value {
	try := func(c *command.Call, key []byte) (resp.Value, bool) {
		l, ok := lookupForWrite[*store.List](c, key)
		if !ok {
			return resp.None, false
		}
		return resp.Array(resp.Bulk(key), popElements(c, key, l, at, 1)[0]), true
	}
	return func(c *command.Call) resp.Value {
		last := c.Len() - 1
		timeout, err := c.Seconds(last)
		if err != nil {
			return c.Fail(err)
		}
		return blockOn[*store.List](c, c.Args[1:last], timeout, try, resp.NullArray)
	}
}

func blmpop(c *command.Call) resp.Value {
	timeout, o, err := parseBlockingMpop(c, "left", "right")
	if err != nil {
		return c.Fail(err)
	}
	return blockOn[*store.List](c, o.keys, timeout, func(c *command.Call, key []byte) (resp.Value, bool) {
		l, ok := lookupForWrite[*store.List](c, key)
		if !ok {
			return resp.None, false
		}
		return resp.Array(resp.Bulk(key), resp.Array(popElements(c, key, l, store.End(o.upper), o.count)...)), true
	}, resp.NullArray)
}

// parseBlockingMpop reads what parseMpop reads, behind a timeout; that is looked at last.
func parseBlockingMpop(c *command.Call, lower, upper string) (timeout time.Duration, o mpopOptions, err error) {
	rest := command.Call{Args: c.Args[1:]}
	if o, err = parseMpop(&rest, lower, upper); err != nil {
		return 0, o, err
	}
	o.keys = command.CopyArgs(o.keys) // they outlive the call if it has to wait
	timeout, err = c.Seconds(1)
	return timeout, o, err
}

func brpoplpush(c *command.Call) resp.Value { return blockingMove(c, 3, store.Back, store.Front) }

func blmove(c *command.Call) resp.Value {
	from, to, err := fromTo(c, 3)
	if err != nil {
		return c.Fail(err)
	}
	return blockingMove(c, 5, from, to)
}

// blockingMove moves an element from the list at word 1 to that at word 2, and waits for one if there is none.
func blockingMove(c *command.Call, timeoutAt int, from, to store.End) resp.Value {
	timeout, err := c.Seconds(timeoutAt)
	if err != nil {
		return c.Fail(err)
	}
	timeoutReply := resp.NullArray
	if c.Nested() {
		timeoutReply = resp.Null
	}
	return blockOn[*store.List](c, c.Args[1:2], timeout, func(c *command.Call, key []byte) (resp.Value, bool) {
		if _, ok := lookupForWrite[*store.List](c, key); !ok {
			return resp.None, false
		}
		return moveElement(c, from, to), true
	}, timeoutReply)
}
