package store

// While nothing expires by itself (SetActiveExpiry, HoldExpiry, Limits.Importing), fields whose time has come stay in
// their hash, as Redis keeps them: they count for Len, and can be set and deleted, but nothing that reads fields sees
// them. The lookup of a hash notes the time up to which it hides fields; so the hashes of a server where fields expire
// hide none.

// Hides reports whether the hash may have fields that it hides.
func (h *Hash) Hides() bool { return h.more != nil && h.more.hiddenBy != 0 }

// Holds reports whether the hash has a field, even one that it hides.
func (h *Hash) Holds(field []byte) bool {
	_, ok := h.stored(field)
	return ok
}

// hides reports whether the hash hides a field.
func (h *Hash) hides(field []byte) bool {
	when, expires := h.ExpireAt(field)
	return expires && when <= h.more.hiddenBy
}

// visible is the hash itself, or a copy without the fields that it hides.
func (h *Hash) visible() *Hash {
	if !h.Hides() {
		return h
	}
	c := h.Clone().(*Hash)
	for dropped := c.dropDue(h.more.hiddenBy, nil); dropped > 0; dropped = c.dropDue(h.more.hiddenBy, nil) {
		continue
	}
	return c
}

// keepsFields reports whether fields whose time has come stay in their hash.
func (tx *Tx) keepsFields() bool {
	return tx.store.noActiveExpiry.Load() || tx.store.expiryHeld.Load() || tx.limits.Importing
}

// hideFields hides the fields of a key, if it is a hash, whose time has come, unless the client imports it.
func (tx *Tx) hideFields(n *node[item]) {
	h := n.val.hash()
	switch {
	case h == nil, h.deadlines() == nil:
	case tx.importsKeys():
		h.more.hiddenBy = 0
	default:
		h.more.hiddenBy = tx.Now()
	}
}

// ExpireHidden removes those of the named fields that the hash hides, with one event for all, unless expiry is held or
// keys are imported. It removes the key, too, if no field is left, unless keep is set; gone reports whether it has.
func (tx *Tx) ExpireHidden(key []byte, h *Hash, fields [][]byte, keep bool) (gone bool) {
	if tx.store.expiryHeld.Load() || tx.limits.Importing {
		return false
	}
	n, dropped := tx.locate(key).node, 0
	for _, field := range fields {
		if !h.hides(field) {
			continue
		}
		if dropped++; dropped == 1 {
			tx.beforeChange(n)
		}
		h.Delete(field)
		if !keep {
			tx.removed(Removal{DB: tx.db, Key: key, Field: field})
		}
	}
	if dropped == 0 {
		return false
	}
	sh := tx.shard(key)
	tx.store.expiredFields.Add(int64(dropped))
	tx.changed(sh, tx.db, key, EventHash, "hexpired")
	return !keep && tx.removeEmptyHash(sh.space(tx.db), sh, tx.db, n)
}

// ExpireAllHidden removes all fields that the hash hides, like ExpireHidden.
func (tx *Tx) ExpireAllHidden(key []byte, h *Hash) (gone bool) {
	return tx.ExpireHidden(key, h, h.deadlines().due(h.more.hiddenBy), false)
}
