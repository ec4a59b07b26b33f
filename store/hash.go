package store

import "unsafe"

// Hash maps fields to values. Few short fields are packed in the order of their insertion; beyond the thresholds it
// is a table. Fields may have deadlines: see hash_expire.go, and hash_order.go for the order that they have then.
type Hash struct {
	small packed    // field, value, field, value …
	more  *hashMore // nil for most
}

// hashMore is what most hashes do not have. It is allocated separately, so that they pay one word for it. A hash keeps
// it when its last deadline goes.
type hashMore struct {
	table     *hashTable      // nil while the fields are packed
	deadlines *fieldDeadlines // nil while no field has one
	hiddenBy  int64           // fields are hidden whose deadline, in ms, is not after it; 0 for none: see hash_hidden.go
}

type hashTable struct {
	dict[[]byte]
	bytes int // of the fields and values
}

// NewHash returns an empty hash.
func NewHash() *Hash { return new(Hash) }

// table is nil while the fields are packed.
func (h *Hash) table() *hashTable {
	if h.more == nil {
		return nil
	}
	return h.more.table
}

// deadlines is nil while no field has one.
func (h *Hash) deadlines() *fieldDeadlines {
	if h.more == nil {
		return nil
	}
	return h.more.deadlines
}

// ensureMore returns more, and allocates it first if necessary.
func (h *Hash) ensureMore() *hashMore {
	if h.more == nil {
		h.more = new(hashMore)
	}
	return h.more
}

// Len is the number of fields, hidden ones included. Those of a packed hash are counted: most have one, and a count
// would cost each a word.
func (h *Hash) Len() (n int) {
	if t := h.table(); t != nil {
		return t.len()
	}
	for off := 0; off < len(h.small); n++ {
		off = h.small.skip(off, 2)
	}
	return n
}

// exceeds reports whether more fields are packed than a threshold allows. For most hashes the number of bytes shows
// that they are not.
func (h *Hash) exceeds(most int64) bool { return int64(len(h.small)/2) > most && int64(h.Len()) > most }

// Get returns the value of a field; it must not be modified and is valid until the transaction ends.
func (h *Hash) Get(field []byte) (value []byte, ok bool) {
	if h.Hides() && h.hides(field) {
		return nil, false
	}
	return h.stored(field)
}

// stored is Get that sees hidden fields, too.
func (h *Hash) stored(field []byte) (value []byte, ok bool) {
	if t := h.table(); t != nil {
		n := t.get(field)
		if n == nil {
			return nil, false
		}
		return n.val, true
	}
	off := h.small.find(field, 2)
	if off < 0 {
		return nil, false
	}
	_, next := h.small.at(off)
	value, _ = h.small.at(next)
	return value, true
}

// Set stores copies of a field and its value and reports whether the field is new. It takes the field's deadline
// away. The thresholds say whether the hash stays packed.
func (h *Hash) Set(t *Thresholds, field, value []byte) bool {
	if h.deadlines() != nil {
		h.Persist(field)
	}
	return h.Update(t, field, value)
}

// Update is Set that leaves the field its deadline.
func (h *Hash) Update(t *Thresholds, field, value []byte) bool {
	if longest := t.HashValue.Load(); h.table() == nil && (int64(len(field)) > longest || int64(len(value)) > longest) {
		h.unpack()
	}
	return h.Load(t, field, value)
}

// Load is Update for a field that comes from a hash which is packed elsewhere: it may be longer than the threshold.
func (h *Hash) Load(t *Thresholds, field, value []byte) bool {
	if h.table() != nil {
		return h.setTable(field, value)
	}
	fresh := h.setSmall(field, value)
	if h.exceeds(t.HashEntries.Load()) {
		h.unpack()
	}
	return fresh
}

func (h *Hash) setSmall(field, value []byte) bool {
	if off := h.small.find(field, 2); off >= 0 {
		_, next := h.small.at(off)
		h.small = h.small.replaced(next, value)
		return false
	}
	if h.small == nil {
		h.small = make(packed, 0, len(field)+len(value)+4)
	}
	h.small = h.small.appended(field).appended(value)
	return true
}

func (h *Hash) setTable(field, value []byte) bool {
	own := append(make([]byte, 0, len(value)), value...)
	t := h.more.table
	if n := t.get(field); n != nil {
		t.bytes += len(own) - len(n.val)
		n.val = own
		return false
	}
	t.add(string(field), own)
	t.bytes += len(field) + len(own)
	return true
}

// Expect prepares the hash for n fields that are going to be set: it becomes a table if they are too many to be packed,
// even if some are equal or are in it already.
func (h *Hash) Expect(t *Thresholds, n int) {
	if int64(n) > t.HashEntries.Load() {
		h.Unpack()
	}
}

// Unpack makes the hash a table if it is packed.
func (h *Hash) Unpack() {
	if h.table() == nil {
		h.unpack()
	}
}

func (h *Hash) unpack() {
	h.ensureMore().table = new(hashTable)
	small := h.small
	for off := 0; off < len(small); {
		field, next := small.at(off)
		value, after := small.at(next)
		h.setTable(field, value)
		off = after
	}
	h.small = nil
}

// Delete removes a field and reports whether it was there.
func (h *Hash) Delete(field []byte) bool {
	if h.deadlines() != nil {
		h.dropDeadline(field)
	}
	if t := h.table(); t != nil {
		n := t.remove(field)
		if n == nil {
			return false
		}
		t.bytes -= len(n.key) + len(n.val)
		return true
	}
	off := h.small.find(field, 2)
	if off < 0 {
		return false
	}
	h.small = h.small.cut(off, h.small.skip(off, 2))
	return true
}

// Each calls f with every field and value until it returns false. f must not change the hash.
func (h *Hash) Each(f func(field, value []byte) bool) {
	if h.Hides() {
		all := f
		f = func(field, value []byte) bool { return h.hides(field) || all(field, value) }
	}
	h.eachStored(f)
}

// eachStored is Each that sees hidden fields, too.
func (h *Hash) eachStored(f func(field, value []byte) bool) {
	if t := h.table(); t != nil {
		t.each(func(n *node[[]byte]) bool { return f(bytesOf(n.key), n.val) })
		return
	}
	for off := 0; off < len(h.small); {
		field, next := h.small.at(off)
		value, after := h.small.at(next)
		if !f(field, value) {
			return
		}
		off = after
	}
}

// Random returns a random field and its value. ok is false if the hash is empty or hides all its fields.
func (h *Hash) Random() (field, value []byte, ok bool) {
	h.Sample(1, func(f, v []byte) { field, value, ok = f, v, true })
	return field, value, ok
}

// Sample calls f with count different fields chosen at random, or with all where there are no more. The time is
// linear in count, and in the number of fields where count is more than a third of them or the hash is packed.
func (h *Hash) Sample(count int, f func(field, value []byte)) {
	h = h.visible()
	if t := h.table(); t != nil {
		t.sample(count, func(n *node[[]byte]) { f(bytesOf(n.key), n.val) })
		return
	}
	pick := selection{wanted: count, left: h.Len()}
	h.Each(func(field, value []byte) bool {
		if pick.next() {
			f(field, value)
		}
		return pick.wanted > 0
	})
}

// Scan visits some fields from cursor on and returns the next cursor, 0 when all were visited (see dict.scan). It stops
// once count fields were visited; a packed hash is visited whole. Hidden fields count as visited.
func (h *Hash) Scan(cursor uint64, count int, f func(field, value []byte)) uint64 {
	if h.table() == nil {
		h.Each(func(field, value []byte) bool { f(field, value); return true })
		return 0
	}
	return h.table().scanSome(cursor, count, func(n *node[[]byte]) {
		if field := bytesOf(n.key); !h.Hides() || !h.hides(field) {
			f(field, n.val)
		}
	})
}

// Packed reports whether the hash is in its small form (OBJECT ENCODING listpack).
func (h *Hash) Packed() bool { return h.table() == nil }

// PrepareDeadlines notes that fields are going to get deadlines, even if that turns out not to be so.
func (h *Hash) PrepareDeadlines() { h.ensureMore() }

// PackedWithDeadlines reports whether it is, and a field has, or may have had, a deadline (OBJECT ENCODING listpackex).
func (h *Hash) PackedWithDeadlines() bool { return h.Packed() && h.more != nil }

// Type implements Value.
func (h *Hash) Type() Type { return TypeHash }

// Clone implements Value. The copy has all fields and hides none yet.
func (h *Hash) Clone() Value {
	c := &Hash{small: h.small.clone()}
	if h.more != nil {
		c.more = &hashMore{deadlines: h.more.deadlines.clone()}
	}
	if t := h.table(); t != nil {
		c.small, c.more.table = nil, new(hashTable)
		t.each(func(n *node[[]byte]) bool { c.setTable(bytesOf(n.key), n.val); return true })
	}
	return c
}

// copyTo makes spare, which must not be in use, a copy of a packed hash without deadlines.
func (h *Hash) copyTo(spare *Hash) {
	*spare = Hash{small: append(spare.small[:0], h.small...)}
}

// Weight implements Value.
func (h *Hash) Weight() int {
	size := int(unsafe.Sizeof(*h)) + h.deadlines().weight()
	if t := h.table(); t != nil {
		return size + t.bytes + slotWeight*t.len()
	}
	return size + len(h.small)
}
