package command

import (
	"strconv"

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
func (k Keys) each(args [][]byte, yield func(pos int)) {
	if k.First > 0 {
		last := k.Last
		if last < 0 {
			last += len(args)
		}
		for pos := k.First; pos <= last && pos < len(args); pos += k.Step {
			yield(pos)
		}
	}
	if k.Count > 0 {
		for pos := k.Count + 1; pos <= k.Count+k.counted(args); pos++ {
			yield(pos)
		}
	}
	if k.Find != nil {
		k.Find(args, yield)
	}
}

// counted is the number of keys that the word at Count tells, 0 where it is no number or larger than the call.
func (k Keys) counted(args [][]byte) int {
	if k.Count >= len(args) {
		return 0
	}
	n, err := strconv.Atoi(string(args[k.Count]))
	if err != nil || n < 0 || n > len(args)-k.Count-1 {
		return 0
	}
	return n
}

// locks is the set of shards that a call needs.
func (k Keys) locks(args [][]byte) store.Locks {
	switch {
	case k.Whole:
		return store.All
	case k.First == 0 && k.Count == 0 && k.Find == nil:
		return 0
	case k.First == 1 && k.Last == 1 && k.Count == 0 && k.Find == nil && len(args) > 1: // by far the most frequent
		return store.LockOf(args[1])
	}
	var locks store.Locks
	k.each(args, func(pos int) { locks |= store.LockOf(args[pos]) })
	return locks
}
