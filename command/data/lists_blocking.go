package data

import (
	"time"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/emulate"
	"github.com/minilockd/minilockd/internal/resp"
	"github.com/minilockd/minilockd/store"
)

// Blocking commands on lists try their keys in order. If none has an element, blockOn registers the session for all
// of them and returns; the transaction that fills one of the keys runs the attempt again, before any other client
// sees the element (BLPOP command page). Within MULTI or a script they do not block, and reply as after a timeout.

// blockingWrite are the flags of all blocking pops but BLMPOP and BZMPOP, which scripts may call.
const blockingWrite = command.Write | command.NoScript | command.Blocking

// keysThenTimeout says that all arguments are keys but the last, which is the timeout.
var keysThenTimeout = command.Keys{First: 1, Last: -2, Step: 1}

var listBlockingCommands = []command.Command{
	{Name: "blmove", Usage: "source destination <LEFT | RIGHT> <LEFT | RIGHT> timeout", Arity: 6,
		Flags: blockingWrite | command.DenyOOM, Keys: command.TwoKeys,
		Access: "RW access delete, RW insert", Since: "6.2.0",
		Changes: blocksInScripts,
		Summary: "Moves an element from one list to another. Blocks if the first list is empty.", Run: blmove},
	{Name: "blmpop", Usage: "timeout numkeys key [key ...] <LEFT | RIGHT> [COUNT count]", Arity: -5,
		Flags: command.Write | command.Blocking | command.MovableKeys, Keys: command.NumKeys(2),
		Access: "RW access delete", Since: "7.0.0",
		Summary: "Removes and returns elements of the first non-empty list. Blocks if all are empty.",
		Run:     blmpop},
	{Name: "blpop", Usage: "key [key ...] timeout", Arity: -3, Flags: blockingWrite, Keys: keysThenTimeout,
		Access: "RW access delete", Since: "2.0.0",
		Changes: blocksInScripts,
		Summary: "Removes and returns the first element of a list. Blocks if all lists are empty.",
		Run:     blockingPop(store.Front)},
	{Name: "brpop", Usage: "key [key ...] timeout", Arity: -3, Flags: blockingWrite, Keys: keysThenTimeout,
		Access: "RW access delete", Since: "2.0.0",
		Changes: blocksInScripts,
		Summary: "Removes and returns the last element of a list. Blocks if all lists are empty.",
		Run:     blockingPop(store.Back)},
	{Name: "brpoplpush", Usage: "source destination timeout", Arity: 4, Flags: blockingWrite | command.DenyOOM,
		Keys: command.TwoKeys, Access: "RW access delete, RW insert", Since: "2.2.0",
		Changes: blocksInScripts,
		Summary: "Moves the last element of a list to the front of another. Blocks if the first list is empty.",
		Run:     brpoplpush},
}

// blockOn tries the keys in order and blocks the session if no attempt succeeds. timeoutReply is the reply when the
// timeout passes. A key of another type is an error, if no key before it has an element. It does not disturb a client
// that blocks already, until another key changes (runAgain).
func blockOn[T storeValue](
	c *command.Call, keys [][]byte, timeout time.Duration, try command.Attempt, timeoutReply resp.Value,
) resp.Value {
	if v, ok := firstServed[T](c, keys, try); ok {
		return v
	}
	if !c.Nested() && c.Does(emulate.BlockedCallsRunAgain) {
		try = runAgain[T](keys, try)
	}
	var kind T
	return c.Block(keys, kind, timeout, try, timeoutReply)
}

// firstServed tries the keys in order, and fails for one of another type.
func firstServed[T storeValue](c *command.Call, keys [][]byte, try command.Attempt) (resp.Value, bool) {
	for _, key := range keys {
		if _, err := store.Get[T](c.Tx, key, store.NoStats); err != nil {
			return c.Fail(err), true
		}
		if v, ok := try(c, key); ok {
			return v, true
		}
	}
	return resp.None, false
}

// runAgain returns the attempt that tries all keys in order when one of them has got a value of the type.
func runAgain[T storeValue](keys [][]byte, try command.Attempt) command.Attempt {
	keys = command.CopyArgs(keys)
	return func(c *command.Call, key []byte) (resp.Value, bool) {
		if _, ok := lookupForWrite[T](c, key); !ok {
			return resp.None, false
		}
		return firstServed[T](c, keys, try)
	}
}

// lookupForWrite returns the value of a key for writing; ok is false if it is missing or of another type.
func lookupForWrite[T storeValue](c *command.Call, key []byte) (v T, ok bool) {
	var none T
	v, err := store.Get[T](c.Tx, key, store.ForWrite)
	return v, err == nil && v != none
}

// blockingPop returns the handler of BLPOP key [key ...] timeout or BRPOP, which reply the key and one element, or a
// null array at the timeout. The event is that of LPOP or RPOP.
func blockingPop(at store.End) func(*command.Call) resp.Value {
	try := func(c *command.Call, key []byte) (resp.Value, bool) {
		l, ok := lookupForWrite[*store.List](c, key)
		if !ok {
			return resp.None, false
		}
		elem := popElements(c, key, l, at, 1)[0]
		if c.Propagates() {
			c.PropagateAs(popName(at), key)
		}
		return resp.Array(resp.Bulk(key), elem), true
	}
	return blockOnArgs[*store.List](try)
}

// blockOnArgs returns the handler of a command whose arguments are keysThenTimeout. The timeout, in seconds and maybe a
// fraction, is checked before the keys are read.
func blockOnArgs[T storeValue](try command.Attempt) func(*command.Call) resp.Value {
	return func(c *command.Call) resp.Value {
		last := c.Len() - 1
		timeout, err := c.Seconds(last)
		if err != nil {
			return c.Fail(err)
		}
		return blockOn[T](c, c.Args[1:last], timeout, try, resp.NullArray)
	}
}

// blmpop implements BLMPOP timeout numkeys key [key ...] LEFT | RIGHT [COUNT count]. It replies the key and its
// elements, or a null array at the timeout.
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
		popped := popElements(c, key, l, store.End(o.upper), o.count)
		if c.Propagates() {
			propagatePops(c, key, store.End(o.upper), len(popped))
		}
		return resp.Array(resp.Bulk(key), resp.Array(popped...)), true
	}, resp.NullArray)
}

// parseBlockingMpop parses what parseMpop does, after a timeout. The timeout is checked last, as in Redis.
func parseBlockingMpop(c *command.Call, lower, upper string) (timeout time.Duration, o mpopOptions, err error) {
	// Without argument 0 the indexes are those of the form that does not block.
	rest := command.Call{Cmd: c.Cmd, Args: c.Args[1:]}
	if o, err = parseMpop(&rest, lower, upper); err != nil {
		return 0, o, err
	}
	timeout, err = c.Seconds(1)
	return timeout, o, err
}

// brpoplpush implements BRPOPLPUSH source destination timeout: RPOPLPUSH that blocks.
func brpoplpush(c *command.Call) resp.Value { return blockingMove(c, 3, store.Back, store.Front) }

// blmove implements BLMOVE source destination LEFT | RIGHT LEFT | RIGHT timeout. It parses the two ends before the
// timeout.
func blmove(c *command.Call) resp.Value {
	from, to, err := fromTo(c, 3)
	if err != nil {
		return c.Fail(err)
	}
	return blockingMove(c, 5, from, to)
}

// blockingMove is moveElement that blocks on its source only. A destination of another type is an error when there is
// an element to move, which stays in the source: also for a client that has blocked until then.
func blockingMove(c *command.Call, timeoutAt int, from, to store.End) resp.Value {
	timeout, err := c.Seconds(timeoutAt)
	if err != nil {
		return c.Fail(err)
	}
	timeoutReply := resp.NullArray
	// Where it may not block (EXEC and scripts), Redis replies the null of the form that never blocks.
	if c.Nested() {
		timeoutReply = resp.Null
	}
	first := c
	return blockOn[*store.List](c, c.Args[1:2], timeout, func(c *command.Call, key []byte) (resp.Value, bool) {
		if _, ok := lookupForWrite[*store.List](c, key); !ok {
			return resp.None, false
		}
		v := moveElement(c, from, to)
		if v.Kind() == resp.KindBulk && c.Propagates() {
			propagateMove(c, c != first)
		}
		return v, true
	}, timeoutReply)
}
