package store

// Take removes a key and returns what it held, and its expiry in ms since the epoch, 0 for none. The value is nil if
// there is no such key; otherwise it may be put under another one.
func (tx *Tx) Take(key []byte) (val Value, when int64) {
	e := tx.find(key, true)
	if e.n == nil {
		return nil, 0
	}
	tx.beforeChange(e.n)
	val, when = e.n.val.value(), e.n.val.timer.When()
	tx.unlink(key)
	return val, when
}

// PutUntil stores a value under a key with an expiry in ms since the epoch, 0 for none. What was there is removed
// before: the key is new. PutUntil returns what that was, for ReportOverwritten.
func (tx *Tx) PutUntil(key []byte, val Value, when int64) (old Overwritten) {
	old = overwrites(tx.findLive(key).n, val)
	tx.Delete(key)
	tx.Put(key, val, false)
	if when != 0 {
		tx.SetExpire(key, when)
	}
	return old
}

// Swap exchanges two databases. For a client that has a WATCH on a key in either of them it is a change (SWAPDB
// command page). The transaction must hold All.
func (tx *Tx) Swap(a, b int) {
	defer tx.lookups.forget()
	for i := range tx.store.shards {
		sh := &tx.store.shards[i]
		one, other := sh.space(a), sh.space(b)
		if one == nil && other == nil {
			continue
		}
		for _, k := range sh.watched.of(a, b) { // one that has expired would count as a change when EXEC removes it
			tx.In(a, func() { tx.findLive([]byte(k.key)) })
			tx.In(b, func() { tx.findLive([]byte(k.key)) })
		}
		sh.watched.markAllDirty(func(k dbKey) bool {
			return (k.db == a || k.db == b) && (tx.isLive(one, k.key) || tx.isLive(other, k.key))
		})
		sh.makeSpace(a)
		sh.makeSpace(b)
		sh.spaces[a], sh.spaces[b] = sh.spaces[b], sh.spaces[a]
		tx.signalAll(sh, a)
		tx.signalAll(sh, b)
	}
}

// holds reports whether a keyspace, which may be nil, has the key.
func (ks *keyspace) holds(key string) bool { return ks != nil && ks.dict.get([]byte(key)) != nil }

// isLive is holds for a key that has not expired.
func (tx *Tx) isLive(ks *keyspace, key string) bool {
	if ks == nil {
		return false
	}
	n := ks.dict.get([]byte(key))
	return n != nil && !tx.isExpired(n)
}
