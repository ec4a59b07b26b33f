package stats

import (
	"sync/atomic"

	"github.com/minilockd/minilockd/store"
)

// UndoLog makes the calls of a transaction count once even if the transaction restarts. Counters are incremented at
// once and decremented again when the transaction is rolled back; entries of the slow log are kept here until it
// commits. The zero value is empty. Only the goroutine of the transaction may use it.
type UndoLog struct {
	// Calls is how many calls have ended, those of EXEC and of scripts among them.
	Calls int64

	used     bool // the transaction has entered something
	sums     []sum
	calls    int64 // of the transaction
	slow     SlowLog
	takeBack func() // made once, so that a transaction which may restart allocates nothing
}

// sum is what has been added to a counter.
type sum struct {
	counter *atomic.Int64
	n       int64
}

// Reset removes all entries, before a transaction.
func (u *UndoLog) Reset() {
	if !u.used {
		return
	}
	u.used, u.sums, u.calls = false, u.sums[:0], 0
	u.slow.discard()
}

// use is called before the first entry is made.
func (u *UndoLog) use(tx *store.Tx) {
	if u.used {
		return
	}
	u.used = true
	if u.takeBack == nil {
		u.takeBack = func() {
			for _, s := range u.sums {
				s.counter.Add(-s.n)
			}
			u.Calls -= u.calls
			u.Reset()
		}
	}
	tx.OnUndo(u.takeBack)
}

// Add adds to a counter, once however often the transaction runs.
func (u *UndoLog) Add(tx *store.Tx, counter *atomic.Int64, n int64) {
	counter.Add(n)
	if tx.MayRestart() {
		u.record(tx, counter, n)
	}
}

// AddCall adds a call to Calls and to a counter.
func (u *UndoLog) AddCall(tx *store.Tx, counter *atomic.Int64) {
	u.Calls++
	counter.Add(1)
	if tx.MayRestart() {
		u.record(tx, counter, 1)
		u.calls++
	}
}

// record remembers that n was added. A transaction calls few different commands: looking through them is faster than a
// map.
func (u *UndoLog) record(tx *store.Tx, counter *atomic.Int64, n int64) {
	for i := range u.sums {
		if u.sums[i].counter == counter {
			u.sums[i].n += n
			return
		}
	}
	u.use(tx)
	u.sums = append(u.sums, sum{counter, n})
}

// AddSlow adds an entry to the slow log, once however often the transaction runs.
func (u *UndoLog) AddSlow(tx *store.Tx, log *SlowLog, entry SlowCall, length int) {
	if !tx.MayRestart() {
		log.Add(entry, length)
		return
	}
	u.use(tx)
	if u.slow.Add(entry, length); u.slow.nextID == 1 {
		tx.Defer(store.EffectFunc(func() { log.take(&u.slow, length) }))
	}
}
