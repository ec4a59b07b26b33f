package store

// Lookups and changes are counted for INFO. A transaction counts for itself and adds its counts to the first shard
// that it holds, whose lock it has anyway: counters of the whole store would be a cache line that all cores write to.
// Reading the sum takes all shards.

// counters is what a transaction counts, and the sums of a shard.
type counters struct {
	changes int64 // see Tx.Count
	hits    int64 // lookups of keys that existed
	misses  int64 // lookups of keys that did not
}

// any reports whether anything was counted.
func (c *counters) any() bool { return c.changes|c.hits|c.misses != 0 }

// moveTo adds the counts to a sum and sets them to 0.
func (c *counters) moveTo(sum *counters) {
	sum.changes += c.changes
	sum.hits += c.hits
	sum.misses += c.misses
	*c = counters{}
}

// Changes counts the changes that the transaction has made so far.
func (tx *Tx) Changes() int64 { return tx.counts.changes }

// Dirty counts the changes made to all databases since the start. The transaction must hold All.
func (tx *Tx) Dirty() int64 {
	n := tx.counts.changes
	for i := range tx.store.shards {
		n += tx.store.shards[i].counts.changes
	}
	return n
}

// Lookups counts the lookups of commands that found a key, and those that did not. The transaction must hold All.
func (tx *Tx) Lookups() (hits, misses int64) {
	hits, misses = tx.counts.hits, tx.counts.misses
	for i := range tx.store.shards {
		hits += tx.store.shards[i].counts.hits
		misses += tx.store.shards[i].counts.misses
	}
	return hits, misses
}

// CountExpired counts a key that a command has removed since its new expiry has passed.
func (tx *Tx) CountExpired() { tx.store.expired.Add(1) }

// CountExpiredField counts a field of a hash that a command has removed since its new expiry has passed.
func (tx *Tx) CountExpiredField() { tx.store.expiredFields.Add(1) }

// ResetCounts sets Expired, ExpiredFields, Evicted and Lookups to 0. The transaction must hold All.
func (tx *Tx) ResetCounts() {
	tx.store.expired.Store(0)
	tx.store.expiredFields.Store(0)
	tx.store.evicted.Store(0)
	tx.counts.hits, tx.counts.misses = 0, 0
	for i := range tx.store.shards {
		tx.store.shards[i].counts.hits, tx.store.shards[i].counts.misses = 0, 0
	}
}
