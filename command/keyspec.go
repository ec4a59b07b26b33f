package command

import (
	"github.com/minilockd/minilockd/internal/num"
	"github.com/minilockd/minilockd/store"
)

// Keys says which words of a command are keys (Redis key specifications).
type Keys struct {
	// First, Last and Step name a range of positions. A negative Last counts from the end: -1 is the last word.
	First, Last, Step int
	// Count is the position of a number of keys, which follow it (numkeys).
	Count int
	// Find yields positions that no range can tell.
	Find func(args [][]byte, yield func(pos int))
	// Whole marks commands that look at the whole keyspace.
	Whole bool
}

// Common places of keys.
var (
	NoKeys  = Keys{}
	OneKey  = Keys{First: 1, Last: 1, Step: 1}
	TwoKeys = Keys{First: 1, Last: 2, Step: 1}
	AllKeys = Keys{First: 1, Last: -1, Step: 1}
	Whole   = Keys{Whole: true}
)

// NumKeys are keys behind their number, which stands at position at.
func NumKeys(at int) Keys { return Keys{Count: at} }

// DestAndNumKeys are a destination at position 1 and keys behind their number at position 2.
func DestAndNumKeys() Keys { return Keys{First: 1, Last: 1, Step: 1, Count: 2} }

// each yields the position of every key of a call.
func (k *Keys) each(args [][]byte, yield func(pos int)) {
	first, last := k.span(args)
	for pos := first; pos <= last; pos += k.Step {
		yield(pos)
	}
	for pos := k.Count + 1; pos <= k.Count+k.counted(args); pos++ {
		yield(pos)
	}
	if k.Find != nil {
		k.Find(args, yield)
	}
}

// span is the first and the last position of the range; the last is before the first where there is none.
func (k *Keys) span(args [][]byte) (first, last int) {
	if k.First == 0 {
		return 0, -1
	}
	last = k.Last
	if last < 0 {
		last += len(args)
	}
	return k.First, min(last, len(args)-1)
}

// counted is the number of keys that the word at Count tells, 0 where it is no number or larger than the call.
func (k *Keys) counted(args [][]byte) int {
	if k.Count == 0 || k.Count >= len(args) {
		return 0
	}
	n, ok := num.ParseInt(args[k.Count])
	if !ok || n < 0 || n > int64(len(args)-k.Count-1) {
		return 0
	}
	return int(n)
}

// locks is the set of shards that a call needs. It is each without the closure, which would cost an allocation.
func (k *Keys) locks(tx *store.Tx, args [][]byte) store.Locks {
	if k.Whole {
		return store.All
	}
	var locks store.Locks
	first, last := k.span(args)
	for pos := first; pos <= last; pos += k.Step {
		locks |= tx.LockOf(args[pos])
	}
	if k.Count != 0 {
		for pos, last := k.Count+1, k.Count+k.counted(args); pos <= last; pos++ {
			locks |= tx.LockOf(args[pos])
		}
	}
	if k.Find != nil {
		locks |= locksOf(tx, args, k.Find)
	}
	return locks
}

func locksOf(tx *store.Tx, args [][]byte, find func(args [][]byte, yield func(pos int))) (locks store.Locks) {
	find(args, func(pos int) { locks |= tx.LockOf(args[pos]) })
	return locks
}
