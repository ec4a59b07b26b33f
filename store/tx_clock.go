package store

import "time"

// A transaction sees one time throughout: what expires is decided by it, however long the transaction takes. Reading
// the clock is a noticeable part of a short command, so the commands of a batch may share one reading (Tx.SameTime).
// Time never goes back for a connection: a transaction that follows one which has read the clock begins no earlier
// than that.

// txClock is the time of a transaction, and what of it the next one may use.
type txClock struct {
	start  time.Time // the time that the transaction sees
	now    int64     // the same in ms since the epoch
	latest int64     // now, or what ReadClock has returned since
	ended  time.Time // when the last transaction ended; zero if that is not known
	reuse  bool      // the next transaction does not read the clock
	begun  bool      // a transaction has begun since reuse was last refused
}

// set makes t the time of the transaction.
func (c *txClock) set(t time.Time) {
	c.start, c.now = t, t.UnixMilli()
	c.latest = c.now
}

// goOn makes the time of the last transaction, or that at which it ended if this is known, that of the next one.
func (c *txClock) goOn() {
	if !c.ended.IsZero() {
		c.set(c.ended)
	}
}

// begin notes that a transaction has begun, whose time is set.
func (c *txClock) begin() { c.reuse, c.begun, c.ended = false, true, time.Time{} }

// SameTime tells whether the next transaction shall have the time of the last one, or that at which it ended if this
// is known, unless it has to wait for its shards. There must have been one since the last time that it should not.
func (tx *Tx) SameTime(same bool) {
	tx.clock.reuse = same && tx.clock.begun
	tx.clock.begun = tx.clock.reuse
}

// EndsAt tells the time at which the transaction ends.
func (tx *Tx) EndsAt(t time.Time) { tx.clock.ended = t }

// ReadClock reads the clock within a transaction that may take long. What has expired is still decided by Now, as in
// Redis, but Latest follows.
func (tx *Tx) ReadClock() time.Time {
	tx.clock.ended = tx.store.clock.Now() // the next transaction is not earlier
	tx.clock.latest = tx.clock.ended.UnixMilli()
	return tx.clock.ended
}

// Latest is the latest time, in ms since the epoch, that a client of the transaction may know: relative times count
// from it.
func (tx *Tx) Latest() int64 { return tx.clock.latest }
