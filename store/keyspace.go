package store

import (
	"iter"
	"math/rand/v2"
)

// The methods of this file read the whole keyspace: the transaction must hold All.

// spaces yields what each shard has of a database, unless it has nothing.
func (tx *Tx) spaces(db int) iter.Seq[*keyspace] {
	return func(yield func(*keyspace) bool) {
		for i := range tx.store.shards {
			if ks := tx.store.shards[i].space(db); ks != nil && !yield(ks) {
				return
			}
		}
	}
}

// Size is the number of keys in a database, including those whose time has come and which no timer has removed yet.
func (tx *Tx) Size(db int) int {
	n := 0
	for ks := range tx.spaces(db) {
		n += ks.dict.len()
	}
	return n
}

// Expiring is the number of keys of a database that have an expiry, and the mean of what is left to them in ms.
func (tx *Tx) Expiring(db int) (n int, meanTTL int64) {
	var sum int64
	for ks := range tx.spaces(db) {
		n += ks.wheel.Len()
		ks.wheel.Each(func(e *node[item]) { sum += max(0, e.val.timer.When()-tx.Now()) })
	}
	if n == 0 {
		return 0, 0
	}
	return n, sum / int64(n)
}

// ExpiringFields is the number of hashes of a database that have a field with a deadline.
func (tx *Tx) ExpiringFields(db int) (n int) {
	for ks := range tx.spaces(db) {
		if ks.fields != nil {
			n += ks.fields.Len()
		}
	}
	return n
}

// Each calls f for every key of the selected database until it returns false. f must not change the keyspace.
func (tx *Tx) Each(f func(key []byte, e Entry) bool) {
	for ks := range tx.spaces(tx.db) {
		more := true
		ks.dict.each(func(n *node[item]) bool {
			more = tx.isExpired(n) || f([]byte(n.key), Entry{n})
			return more
		})
		if !more {
			return
		}
	}
}

// EachValue calls f with the value of every key of a database. f must not change the keyspace.
func (tx *Tx) EachValue(db int, f func(v Value)) {
	for ks := range tx.spaces(db) {
		ks.dict.each(func(n *node[item]) bool {
			f(n.val.value())
			return true
		})
	}
}

// Renew gives every key of the selected database the value that f makes of the present one, until f fails (DEBUG
// RELOAD). There is no event, because to clients the values are the same. Keys whose time has come are removed;
// hashes whose fields have deadlines, which f cannot know of, stay as they are.
func (tx *Tx) Renew(f func(key []byte, v Value) (Value, error)) (err error) {
	var gone [][]byte
	for ks := range tx.spaces(tx.db) {
		ks.dict.each(func(n *node[item]) bool {
			if tx.isExpired(n) {
				gone = append(gone, []byte(n.key))
				return true
			}
			err = tx.renew(ks, n, f)
			return err == nil
		})
		if err != nil {
			break
		}
	}
	for _, key := range gone {
		tx.findLive(key)
	}
	return err
}

func (tx *Tx) renew(ks *keyspace, n *node[item], f func(key []byte, v Value) (Value, error)) error {
	was := n.val.value()
	if h, ok := was.(*Hash); ok && h.deadlines() != nil {
		return nil
	}
	v, err := f([]byte(n.key), was)
	if err != nil {
		return err
	}
	v.bind(tx.store.thresholds)
	tx.memory.open(ks, n)
	n.val.setValue(v)
	return nil
}

// Scan visits keys of the selected database from cursor on until count were seen, and returns the next cursor, 0 at
// the end. The cursor is that of the table of a shard (see dict.scan) times the number of shards, plus the shard: no
// larger than the tables of all shards together when they are of one size. The server keeps nothing.
func (tx *Tx) Scan(cursor uint64, count int, f func(key []byte, e Entry)) uint64 {
	i, at, seen := cursor%shardCount, cursor/shardCount, 0
	var expired [][]byte
	visit := func(n *node[item]) {
		if seen++; tx.isExpired(n) {
			expired = append(expired, []byte(n.key))
			return
		}
		f([]byte(n.key), Entry{n})
	}
	for i < shardCount && seen < count {
		if ks := tx.store.shards[i].space(tx.db); ks != nil {
			at = ks.dict.scan(at, visit)
		} else {
			at = 0
		}
		if at == 0 {
			i++
		}
	}
	for _, key := range expired {
		tx.findLive(key) // removes it
	}
	if i == shardCount {
		return 0
	}
	return at*shardCount + i
}

// RandomKey returns a random key of the selected database, or nil if it is empty. While expiry is held, it gives up
// where all keys may expire, and returns one that has, as Redis does.
func (tx *Tx) RandomKey() (key []byte) {
	for tries := tx.Size(tx.db); tries > 0; tries-- {
		n := tx.randomNode()
		if n == nil {
			return nil
		}
		if key = []byte(n.key); !tx.isExpired(n) {
			return key
		}
		tx.findLive(key) // removes it
	}
	if expiring, _ := tx.Expiring(tx.db); expiring < tx.Size(tx.db) || expiring == 0 {
		return nil
	}
	return key
}

// randomNode picks a shard in proportion to its keys.
func (tx *Tx) randomNode() *node[item] {
	size := tx.Size(tx.db)
	if size == 0 {
		return nil
	}
	at := rand.IntN(size)
	for i := range tx.store.shards {
		ks := tx.store.shards[i].space(tx.db)
		if ks == nil {
			continue
		}
		if at < ks.dict.len() {
			return ks.dict.random()
		}
		at -= ks.dict.len()
	}
	return nil
}

// Flush removes all keys of a database, without events as in Redis, and returns how many these were.
func (tx *Tx) Flush(db int) int {
	tx.lookups.forget()
	n := 0
	tx.memory.close(tx.store, tx.limits)
	for i := range tx.store.shards {
		sh := &tx.store.shards[i]
		ks := sh.space(db)
		if ks == nil {
			continue
		}
		sh.watched.markAllDirty(func(k dbKey) bool { return k.db == db && tx.isLive(ks, k.key) })
		tx.signalAll(sh, db)
		n += ks.dict.len()
		tx.memory.grow(ks, -ks.bytes)
		sh.spaces[db] = nil
	}
	tx.CountChanges(n)
	return n
}
