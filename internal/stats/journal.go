package stats

import (
	"sync/atomic"

	"github.com/minilockd/minilockd/store"
)

// Journal makes the calls of a transaction count once even if the transaction restarts. Counters are incremented at
// once and decremented again if the transaction is undone; entries of the slow log are kept here until it commits. The
// zero value is empty. Only the goroutine of the transaction may use it.
type Journal struct {
	used     bool // the transaction has entered something
	sums     []sum
	slow     SlowLog
	takeBack func() // made once, so that a transaction which may be undone allocates nothing
}

// sum is what has been added to a counter.
type sum struct {
	counter *atomic.Int64
	n       int64
}

// Reset empties the journal before a transaction.
func (j *Journal) Reset() {
	if !j.used {
		return
	}
	j.used, j.sums = false, j.sums[:0]
	j.slow.discard()
}

// use is called before the first entry is made.
func (j *Journal) use(tx *store.Tx) {
	if j.used {
		return
	}
	j.used = true
	if j.takeBack == nil {
		j.takeBack = func() {
			for _, s := range j.sums {
				s.counter.Add(-s.n)
			}
			j.Reset()
		}
	}
	tx.OnUndo(j.takeBack)
}

// Add adds to a counter, once however often the transaction runs.
func (j *Journal) Add(tx *store.Tx, counter *atomic.Int64, n int64) {
	counter.Add(n)
	if tx.MayRestart() {
		j.record(tx, counter, n)
	}
}

// record remembers that n was added. A transaction calls few different commands: looking through them is faster than a
// map.
func (j *Journal) record(tx *store.Tx, counter *atomic.Int64, n int64) {
	for i := range j.sums {
		if j.sums[i].counter == counter {
			j.sums[i].n += n
			return
		}
	}
	j.use(tx)
	j.sums = append(j.sums, sum{counter, n})
}

// AddSlow adds an entry to the slow log, once however often the transaction runs.
func (j *Journal) AddSlow(tx *store.Tx, log *SlowLog, entry SlowCall, length int) {
	if !tx.MayRestart() {
		log.Add(entry, length)
		return
	}
	j.use(tx)
	if j.slow.Add(entry, length); j.slow.nextID == 1 {
		tx.Defer(store.EffectFunc(func() { log.take(&j.slow, length) }))
	}
}
