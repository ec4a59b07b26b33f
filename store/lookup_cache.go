package store

import "github.com/minilockd/minilockd/internal/hashtag"

// A script names the same key in one command after the other, and a connection in one request after the other. So a
// Tx remembers the last four keys: their hashes and shards, which never change, and while the transaction lasts also
// where they are. Whatever adds or removes a key other than through its location has to call lookups.forget.

// location is where a key is in the store, or would be.
type location struct {
	key   []byte // a copy
	hash  uint64 // of the key
	shard uint   // number of its shard

	known bool // what follows was found in this transaction
	db    int
	space *keyspace   // nil if nothing was ever stored there
	node  *node[item] // nil if there is no such key
}

// lookupCache holds the locations of the keys that were used last.
type lookupCache struct {
	slots  [4]location
	recent uint8    // slot of the last key
	dirty  bool     // some location is known
	spare  location // of a key that is too long to keep
}

// maxCachedKey is how long a key may be for its location to be kept.
const maxCachedKey = 128

// of returns the location of a key. It is valid until the next call.
func (c *lookupCache) of(key []byte) *location {
	if l := &c.slots[c.recent]; string(l.key) == string(key) && len(key) > 0 {
		return l
	}
	hash := hashBytes(key)
	for i := range c.slots {
		if l := &c.slots[i]; l.hash == hash && string(l.key) == string(key) && len(key) > 0 {
			c.recent = uint8(i)
			return l
		}
	}
	l := &c.spare
	if len(key) <= maxCachedKey {
		c.recent = (c.recent + 1) % uint8(len(c.slots))
		l = &c.slots[c.recent]
		l.key = append(l.key[:0], key...)
	}
	l.known, l.node, l.space = false, nil, nil
	l.hash = hash
	l.shard = shardIndex(hash)
	if tag := hashtag.Of(key); len(tag) != len(key) {
		l.shard = shardIndex(hashBytes(tag))
	}
	return l
}

// forget drops what holds only while a transaction lasts.
func (c *lookupCache) forget() {
	if !c.dirty {
		return
	}
	c.dirty = false
	for i := range c.slots {
		c.slots[i].forget()
	}
	c.spare.forget()
}

func (l *location) forget() {
	if l.known {
		l.known, l.node, l.space = false, nil, nil
	}
}

// LockOf is like the function LockOf, and remembers the key: a transaction that then uses it finds it sooner.
func (tx *Tx) LockOf(key []byte) Locks { return 1 << tx.lookups.of(key).shard }

// locate finds a key of the selected database, whether or not it has expired.
func (tx *Tx) locate(key []byte) *location {
	l := tx.lookups.of(key)
	if l.known && l.db == tx.db {
		tx.space = l.space
		return l
	}
	tx.lookups.dirty = true
	l.db, l.known, l.node = tx.db, true, nil
	l.space = tx.shardAt(l, key).space(tx.db)
	if l.space != nil {
		l.node = l.space.dict.getHashed(l.hash, key)
	}
	tx.space = l.space
	return l
}
