package command

import (
	"sync/atomic"
	"time"

	"github.com/minilockd/minilockd/store"
)

// ledger is what the calls of a transaction have told the statistics while it may still have to run again. Counters are added to at once,
// which costs scripts least, and taken back if the transaction is undone. Log entries are kept here until it commits.
type ledger struct {
	used     bool // the transaction has entered something
	sums     []sum
	slow     slowLog
	takeBack func() // made once, so that a transaction which may be undone allocates nothing
}

// sum is what has been added to a counter.
type sum struct {
	counter *atomic.Int64
	n       int64
}

// forget is called before a transaction.
func (l *ledger) forget() {
	if !l.used {
		return
	}
	l.used, l.sums = false, l.sums[:0]
	l.slow.forget()
}

// use is called before the first entry is made.
func (l *ledger) use(tx *store.Tx) {
	if l.used {
		return
	}
	l.used = true
	if l.takeBack == nil {
		l.takeBack = func() {
			for _, s := range l.sums {
				s.counter.Add(-s.n)
			}
			l.forget()
		}
	}
	tx.OnUndo(l.takeBack)
}

// note remembers that n was added to a counter. A transaction calls few different commands: to look through them is faster than a map.
func (l *ledger) note(tx *store.Tx, counter *atomic.Int64, n int64) {
	for i := range l.sums {
		if l.sums[i].counter == counter {
			l.sums[i].n += n
			return
		}
	}
	l.use(tx)
	l.sums = append(l.sums, sum{counter, n})
}

// add adds to a counter of the statistics, once, however often the transaction runs.
func (s *Session) add(counter *atomic.Int64, n int64) {
	counter.Add(n)
	if s.tx.MayEscape() {
		s.ledger.note(s.tx, counter, n)
	}
}

// addSlow puts an entry into the slow log, once, however often the transaction runs.
func (c *Call) addSlow(entry slowCall, length int) {
	log, kept := &c.Env().Stats.slow, &c.Session.ledger.slow
	if !c.Tx.MayEscape() {
		log.add(entry, length)
		return
	}
	c.Session.ledger.use(c.Tx)
	if kept.add(entry, length); kept.nextID == 1 {
		c.Tx.Defer(store.EffectFunc(func() { log.take(kept, length) }))
	}
}

// addLatency tells the latency monitor, once, however often the transaction runs.
func (c *Call) addLatency(at time.Time, took time.Duration) {
	event := "command"
	if c.Cmd.Flags.has(Fast) {
		event = "fast-command"
	}
	add := func() { c.Env().Stats.latency.add(event, at.Unix(), took.Milliseconds()) }
	if c.Tx.MayEscape() {
		c.Tx.Defer(store.EffectFunc(add))
		return
	}
	add()
}
