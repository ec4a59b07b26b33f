package command

// Keys says where the keys of a command are, in the form that locking needs: each call needs the shards of its keys,
// so Keys.locks allocates nothing. What COMMAND INFO shows are key specifications (keyspec.go); most follow from
// Keys.

import (
	"github.com/minilockd/minilockd/internal/num"
	"github.com/minilockd/minilockd/store"
)

// Keys says which arguments of a command are keys. Its parts may be combined: a range, keys after a numkeys, and a
// function.
type Keys struct {
	// First, Last and Step are a range of positions. A negative Last counts from the end: -1 is the last argument.
	First, Last, Step int
	// Count is the position of numkeys, after which the keys follow in steps of Step; 0 is none.
	Count int
	// Find yields positions that depend on options, such as the destination of SORT.
	Find func(args [][]byte, yield func(pos int))
	// Whole marks commands that need all shards, such as FLUSHALL.
	Whole bool
}

// Keys of most commands.
var (
	NoKeys  = Keys{}
	OneKey  = Keys{First: 1, Last: 1, Step: 1}
	TwoKeys = Keys{First: 1, Last: 2, Step: 1}
	AllKeys = Keys{First: 1, Last: -1, Step: 1}
	Whole   = Keys{Whole: true}
)

// NumKeys returns the Keys of a command whose argument at is numkeys.
func NumKeys(at int) Keys { return Keys{Count: at, Step: 1} }

// DestAndNumKeys returns the Keys of a command whose argument 1 is a destination and argument 2 numkeys.
func DestAndNumKeys() Keys { return Keys{First: 1, Last: 1, Step: 1, Count: 2} }

// each yields the position of every key of a call.
func (k *Keys) each(args [][]byte, yield func(pos int)) {
	first, last := k.span(args)
	for pos := first; pos <= last; pos += k.Step {
		yield(pos)
	}
	for i := range k.counted(args) {
		yield(k.Count + 1 + i*k.Step)
	}
	if k.Find != nil {
		k.Find(args, yield)
	}
}

// span returns the first and the last position of the range. last is below first if there is no range.
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

// counted returns numkeys, 0 if it is not an integer or greater than the number of arguments that follow.
func (k *Keys) counted(args [][]byte) int {
	if k.Count == 0 || k.Count >= len(args) {
		return 0
	}
	n, ok := num.ParseInt(args[k.Count])
	if !ok || n < 0 || n > int64(len(args)-k.Count-1)/int64(k.Step) {
		return 0
	}
	return int(n)
}

// locks returns the shards of the keys of a call. It repeats each without its closure, which would allocate.
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
		for i := range k.counted(args) {
			locks |= tx.LockOf(args[k.Count+1+i*k.Step])
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
