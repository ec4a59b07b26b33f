package store

// Keys and fields expire twice over, as in Redis: a command that looks up a key whose time has come removes it on the
// way (findLive), and a timer removes the others within a few milliseconds (active expiry), so that events come even
// if no command uses the key. Each shard knows when its earliest timer is due; the one timer of the store is set for
// the earliest of all shards, and then sweeps those where something is due, each in a transaction of its own.
//
// Invariant: shard.due is never later than the earliest deadline in the wheels of the shard.

// expiredBy reports whether the key has an expiry that has come by now.
func (it *item) expiredBy(now int64) bool { return it.timer.IsSet() && it.timer.When() <= now }

// isExpired reports whether a key counts as gone: its time has come, or that of all fields of a hash, unless these are
// kept.
func (tx *Tx) isExpired(n *node[item]) bool {
	if n.val.expiredBy(tx.Now()) {
		return !tx.importsKeys()
	}
	h := n.val.hash()
	return h != nil && h.deadlines() != nil && h.deadlines().countDue(tx.Now()) == h.Len() && !tx.keepsFields()
}

// hasDue reports whether the time of a key has come, or that of a field of a hash.
func (tx *Tx) hasDue(n *node[item]) bool {
	if n.val.expiredBy(tx.Now()) {
		return true
	}
	h := n.val.hash()
	return h != nil && h.more != nil && h.more.deadlines != nil && h.more.deadlines.earliest() <= tx.Now()
}

// removeDue removes what is due of a key, in the order of the deadlines, and reports whether the key counts as gone.
// While expiry is held, a key whose time has come stays, but counts as gone. While keys are imported, so does one that
// the command is not about to change. Fields may stay and be hidden.
func (tx *Tx) removeDue(sh *shard, n *node[item], toChange bool) bool {
	ks, until := sh.space(tx.db), tx.Now()
	expires := n.val.expiredBy(tx.Now()) && !tx.importsKeys()
	if expires && (tx.store.expiryHeld.Load() || tx.limits.Importing && !toChange) {
		return true
	}
	if expires {
		until = n.val.timer.When() - 1
	}
	if tx.keepsFields() {
		tx.hideFields(n)
	} else if tx.expireFields(ks, sh, tx.db, n, until) {
		return true
	}
	if expires {
		tx.expire(ks, sh, tx.db, n)
	}
	return expires
}

// expire removes a key whose time has come, with its event. A rollback puts it back: the event was dropped with the
// other effects, and is sent when the key expires again.
func (tx *Tx) expire(ks *keyspace, sh *shard, db int, n *node[item]) {
	key := tx.remove(ks, sh, db, n)
	tx.store.expired.Add(1)
	tx.removed(Removal{DB: db, Key: key})
	tx.changed(sh, db, key, EventExpired, "expired")
}

// remove is unlink for a key that was found by its timer, in whichever database, and can be rolled back. It returns the
// key.
func (tx *Tx) remove(ks *keyspace, sh *shard, db int, n *node[item]) (key []byte) {
	tx.signalGone(sh, db, n)
	key = []byte(n.key)
	tx.space = ks
	tx.beforeChange(n)
	ks.dict.remove(key)
	ks.wheel.Drop(&n.val.timer)
	dropFields(n)
	tx.memory.remove(ks, n)
	tx.lookups.forget()
	return key
}

// HoldExpiry stops the removal of keys whose time has come, or resumes it. While it is stopped no command sees them.
func (st *Store) HoldExpiry(hold bool) {
	st.expiryHeld.Store(hold)
	if !hold {
		st.timer.fireBy(st.clock.Now().UnixMilli())
	}
}

// ExpireDue expires everything due, synchronously: when it returns, every key and every field of a hash whose time
// has come is gone and its event was sent. Call it after moving the clock.
func (st *Store) ExpireDue() { st.sweep(func(*shard) bool { return true }) }

// sweepDue is what the timer does: it skips the shards where nothing is due.
func (st *Store) sweepDue() {
	st.sweep(func(sh *shard) bool { return sh.due.Load() <= st.clock.Now().UnixMilli() })
}

// SetActiveExpiry turns active expiry on or off: while it is off, keys whose time has come are removed only when a
// command looks them up (DEBUG SET-ACTIVE-EXPIRE). It may be called within a transaction.
func (st *Store) SetActiveExpiry(on bool) {
	st.noActiveExpiry.Store(!on)
	for i := range st.shards {
		if due := st.shards[i].due.Load(); on && due != never {
			st.timer.fireBy(due)
		}
	}
}

// ActiveExpiry reports whether active expiry is on.
func (st *Store) ActiveExpiry() bool { return !st.noActiveExpiry.Load() }

// SetImports says whether the commands see what has expired as if it had not, while keys are imported (CLIENT
// IMPORT-SOURCE command page).
func (tx *Tx) SetImports(on bool) { tx.imports = on }

// importsKeys reports whether the transaction sees what has expired.
func (tx *Tx) importsKeys() bool { return tx.imports && tx.limits.Importing }

// Importing reports whether keys are imported: they stay when their time has come (Limits.Importing).
func (tx *Tx) Importing() bool { return tx.limits.Importing }

// sweep removes the keys and fields whose time has come from the chosen shards and sets the timer for the next one.
func (st *Store) sweep(chosen func(*shard) bool) {
	if st.noActiveExpiry.Load() || st.expiryHeld.Load() || st.limits.Load().Importing {
		return
	}
	defer st.resetTimer() // even if a shard panics: the others still expire
	tx := st.NewTx()
	for i := range st.shards {
		if sh := &st.shards[i]; chosen(sh) {
			tx.Do(1<<i, false, func() { tx.expireShard(sh) }, func() {})
		}
	}
}

// resetTimer sets the timer for what is due next.
func (st *Store) resetTimer() {
	next := int64(never)
	for i := range st.shards {
		next = min(next, st.shards[i].due.Load())
	}
	if next != never {
		st.timer.fireBy(next)
	}
}

// expireShard removes what is due in a shard, in the order of the deadlines within each database.
func (tx *Tx) expireShard(sh *shard) {
	sh.due.Store(never) // it stays so if this panics: else the timer would fire again at once
	due := int64(never)
	for db, ks := range sh.spaces {
		if ks == nil {
			continue
		}
		expire := func(n *node[item]) { tx.expire(ks, sh, db, n) }
		for moment, ok := ks.fieldsDue(tx.Now()); ok; moment, ok = ks.fieldsDue(tx.Now()) {
			ks.wheel.Advance(moment, expire)
			ks.fields.Advance(moment, func(d *fieldDeadlines) { tx.expireFields(ks, sh, db, d.holder, moment) })
		}
		ks.wheel.Advance(tx.Now(), expire)
		due = min(due, ks.next())
	}
	sh.due.Store(due)
}
