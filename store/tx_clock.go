package store

import "time"

// A transaction sees one time throughout: what expires is decided by it, however long the transaction takes. Reading
// the clock is a noticeable part of a short command, so the commands of a batch may share one reading (Tx.SameTime).
// Time never goes back for a connection: a transaction that follows one which has read the clock starts no earlier
// than that.

// txClock is the time of a transaction, and what of it the next one may use.
type txClock struct {
	start   time.Time // the time that the transaction sees
	now     int64     // the same in ms since the epoch
	latest  int64     // now, or what ReadClock has returned since
	ended   time.Time // when the last transaction ended; zero if that is not known
	reuse   bool      // the next transaction does not read the clock
	started bool      // a transaction has started since SameTime(false)
}

// set makes t the time of the transaction.
func (c *txClock) set(t time.Time) {
	c.start, c.now = t, t.UnixMilli()
	c.latest = c.now
}

// reuseTime sets the time of the last transaction again, or that at which it ended if this is known.
func (c *txClock) reuseTime() {
	if !c.ended.IsZero() {
		c.set(c.ended)
	}
}

// begin notes that a transaction has started, whose time is set.
func (c *txClock) begin() { c.reuse, c.started, c.ended = false, true, time.Time{} }

// SameTime decides whether the next transaction has the time of the last one, or that at which it ended if this is
// known. It reads the clock all the same if it has to wait for its shards, or if no transaction has started since
// SameTime(false).
func (tx *Tx) SameTime(same bool) {
	tx.clock.reuse = same && tx.clock.started
	tx.clock.started = tx.clock.reuse
}

// EndsAt sets the time at which the transaction ends, for a next one with SameTime.
func (tx *Tx) EndsAt(t time.Time) { tx.clock.ended = t }

// ReadClock reads the clock within a transaction that may take long. What has expired is still decided by Now, as in
// Redis; Latest follows if that is wanted.
func (tx *Tx) ReadClock(latest bool) time.Time {
	tx.clock.ended = tx.store.clock.Now() // the next transaction is not earlier
	if latest {
		tx.clock.latest = tx.clock.ended.UnixMilli()
	}
	return tx.clock.ended
}

// Latest is the latest time, in ms since the epoch, that a client of the transaction may know: relative times count
// from it.
func (tx *Tx) Latest() int64 { return tx.clock.latest }
