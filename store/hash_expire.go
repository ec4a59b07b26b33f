package store

import "github.com/minilockd/minilockd/expiry"

// A field of a hash may have a deadline of its own (HEXPIRE command page). The earliest deadline of a hash is in the
// wheel that its keyspace has for fields. When it comes, or when a command uses the key before, the fields whose time
// has come are removed, with one event "hexpired" for each millisecond at which some expired: so the events are the
// same whether the timer or a command was first.

// ExpireAt is when a field expires, in ms since the epoch; ok is false if it does not.
func (h *Hash) ExpireAt(field []byte) (ms int64, ok bool) { return h.deadlines().of(field) }

// Expires reports whether a field of the hash has a deadline.
func (h *Hash) Expires() bool { return h.deadlines() != nil }

// LoadDeadline lets a field expire at a time in ms since the epoch. The field must be there, and the hash must not be
// in a store yet: see Tx.ExpireField.
func (h *Hash) LoadDeadline(field []byte, when int64) { h.setDeadline(field, when) }

// Persist takes the deadline of a field away and reports whether it had one.
func (h *Hash) Persist(field []byte) bool {
	if !h.dropDeadline(field) {
		return false
	}
	if h.Packed() {
		h.sortOut(field)
	}
	return true
}

// dropDeadline is Persist for a field that goes itself: it leaves the field at its place.
func (h *Hash) dropDeadline(field []byte) bool {
	d := h.deadlines()
	if d == nil || !d.remove(field) {
		return false
	}
	if len(d.ordered) == 0 {
		d.stopTimer()
		h.more.deadlines = nil
	}
	return true
}

// setDeadline gives a field that is there a deadline.
func (h *Hash) setDeadline(field []byte, when int64) {
	more := h.ensureMore()
	if more.deadlines == nil {
		more.deadlines = new(fieldDeadlines)
	}
	if more.table != nil {
		more.deadlines.set(more.table.get(field).key, when)
		return
	}
	more.deadlines.set(string(field), when)
	h.sortIn(field, when)
}

// dropDue removes the fields of the earliest deadline if that has come by now, and returns how many these are. It calls
// removed, unless that is nil, with each.
func (h *Hash) dropDue(now int64, removed func(field []byte)) (dropped int) {
	d := h.deadlines()
	if d == nil || d.earliest() > now {
		return 0
	}
	for moment := d.earliest(); len(d.ordered) > 0 && d.earliest() == moment; dropped++ {
		field := bytesOf(d.ordered[0].field.key)
		if removed != nil {
			removed(field)
		}
		h.Delete(field)
	}
	return dropped
}

// ExpireField lets a field of a hash that was got for writing expire at a time in ms since the epoch. It reports
// false if there is no such field.
func (tx *Tx) ExpireField(key []byte, h *Hash, field []byte, when int64) bool {
	if !h.Holds(field) {
		return false
	}
	h.setDeadline(field, when)
	tx.setFieldTimer(tx.locate(key).node, key)
	return true
}

// expireFields removes the fields of a hash whose time has come by now, with their events, and the key if none is
// left, and reports whether that is so. The first of the deadlines that are left is put in the wheel.
func (tx *Tx) expireFields(ks *keyspace, sh *shard, db int, n *node[item], now int64) (gone bool) {
	h := n.val.hash()
	if h == nil || h.deadlines() == nil {
		return false
	}
	key := []byte(n.key)
	before := h.Len()
	if h.deadlines().earliest() <= now {
		tx.space = ks
		tx.beforeChange(n)
	}
	removed := func(field []byte) { tx.removed(Removal{DB: db, Key: key, Field: field}) }
	for dropped := h.dropDue(now, removed); dropped > 0; dropped = h.dropDue(now, removed) {
		tx.changed(sh, db, key, EventHash, "hexpired")
	}
	if dropped := before - h.Len(); dropped > 0 {
		tx.store.expiredFields.Add(int64(dropped))
	}
	h.more.hiddenBy = 0
	if tx.removeEmptyHash(ks, sh, db, n) {
		return true
	}
	tx.setFieldTimerIn(ks, sh, n)
	return false
}

// removeEmptyHash removes a key, with its event, if that is a hash without fields, and reports whether it has.
func (tx *Tx) removeEmptyHash(ks *keyspace, sh *shard, db int, n *node[item]) bool {
	if n.val.hash().Len() > 0 {
		return false
	}
	key := tx.remove(ks, sh, db, n)
	tx.changed(sh, db, key, EventGeneric, "del")
	return true
}

// setFieldTimer puts the first deadline of the fields, if any has one, in the wheel of the keyspace.
func (tx *Tx) setFieldTimer(n *node[item], key []byte) {
	if h := n.val.hash(); h != nil && h.deadlines() != nil {
		sh := tx.shard(key)
		tx.setFieldTimerIn(sh.makeSpace(tx.db), sh, n)
	}
}

// setFieldTimerIn does nothing if the timer is set for an earlier time: it is set again when it fires.
func (tx *Tx) setFieldTimerIn(ks *keyspace, sh *shard, n *node[item]) {
	d := n.val.hash().deadlines()
	if d == nil || d.timer.IsSet() && d.timer.When() <= d.earliest() {
		return
	}
	if ks.fields == nil {
		ks.fields = newFieldWheel(sh.phase)
	}
	d.wheel, d.holder = ks.fields, n
	setTimer(tx, sh, ks.fields, &d.timer, d, d.earliest())
}

// newFieldWheel returns an empty wheel for the deadlines of fields.
func newFieldWheel(phase uint16) *expiry.Wheel[fieldDeadlines] {
	return &expiry.Wheel[fieldDeadlines]{Phase: phase}
}

// dropFields takes the timer of the fields of a hash, if it has one, out of the wheel.
func dropFields(n *node[item]) {
	if h := n.val.hash(); h != nil && h.deadlines() != nil {
		h.deadlines().stopTimer()
	}
}

// fieldsDue is a time by now at which fields expire, or at which the wheel of their deadlines has something to do.
func (ks *keyspace) fieldsDue(now int64) (moment int64, ok bool) {
	if ks.fields == nil {
		return 0, false
	}
	moment, ok = ks.fields.Next()
	return moment, ok && moment <= now
}

// next is when a timer of the keyspace fires, or has to move within its wheel, in ms.
func (ks *keyspace) next() int64 {
	due := int64(never)
	if next, ok := ks.wheel.Next(); ok {
		due = next
	}
	if ks.fields != nil {
		if next, ok := ks.fields.Next(); ok {
			due = min(due, next)
		}
	}
	return due
}
