package store

// place is where a key stands in the store, or would. A transaction remembers some, because a script names the same key in
// one command after the other, and a connection in one request after the other.
type place struct {
	key   []byte // a copy
	hash  uint64 // of the key; hashing and choosing the shard hold for ever, the rest while the transaction lasts
	index uint   // of the shard
	known bool   // what follows has been looked up
	db    int
	space *keyspace   // nil if nothing was ever stored there
	node  *node[item] // nil if there is no such key
}

// places is the keys that were used last.
type places struct {
	slots  [4]place
	recent uint8
	looked bool  // something is known
	spare  place // for keys that are too long to keep
}

// maxPlaceKey is how long a key may be for its place to be remembered.
const maxPlaceKey = 128

// of returns the place of a key. It is valid until the next call.
func (ps *places) of(key []byte) *place {
	if p := &ps.slots[ps.recent]; string(p.key) == string(key) && len(key) > 0 {
		return p
	}
	hash := hashBytes(key)
	for i := range ps.slots {
		if p := &ps.slots[i]; p.hash == hash && string(p.key) == string(key) && len(key) > 0 {
			ps.recent = uint8(i)
			return p
		}
	}
	p := &ps.spare
	if len(key) <= maxPlaceKey {
		ps.recent = (ps.recent + 1) % uint8(len(ps.slots))
		p = &ps.slots[ps.recent]
		p.key = append(p.key[:0], key...)
	}
	p.known, p.node, p.space = false, nil, nil
	p.hash = hash
	p.index = shardIndex(hash)
	if tag := hashTag(key); len(tag) != len(key) {
		p.index = shardIndex(hashBytes(tag))
	}
	return p
}

// forget drops what holds only while a transaction lasts.
func (ps *places) forget() {
	if !ps.looked {
		return
	}
	ps.looked = false
	for i := range ps.slots {
		ps.slots[i].forget()
	}
	ps.spare.forget()
}

func (p *place) forget() {
	if p.known {
		p.known, p.node, p.space = false, nil, nil
	}
}

// LockOf is the shard of a key, as a set of one, like the function; a transaction that then uses the key finds it sooner.
func (tx *Tx) LockOf(key []byte) Locks { return 1 << tx.places.of(key).index }

// Holds reports whether the transaction holds the shard of a key.
func (tx *Tx) Holds(key []byte) bool { return tx.held&tx.LockOf(key) != 0 }

// place looks a key up in the selected database.
func (tx *Tx) place(key []byte) *place {
	p := tx.places.of(key)
	if p.known && p.db == tx.db {
		tx.space = p.space
		return p
	}
	tx.places.looked = true
	p.db, p.known, p.node = tx.db, true, nil
	p.space = tx.shardAt(p, key).space(tx.db)
	if p.space != nil {
		p.node = p.space.dict.getHashed(p.hash, key)
	}
	tx.space = p.space
	return p
}
