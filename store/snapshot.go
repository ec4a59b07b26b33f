package store

import (
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
)

// A snapshot is a deep copy of all databases, and Restore puts a deep copy of it back: so a snapshot never changes,
// can be restored many times, and keys cost nothing more while there is one. Both work shard by shard, on all
// processors, while the transaction holds all shards. Restore builds new keyspaces instead of changing keys one by
// one: there are no events and no undo log.

// Snapshot is the keys of all databases at one moment, with their encodings, expiries and LRU clocks. It is immutable,
// and may be restored in any store of the process.
type Snapshot struct {
	shards [shardCount][]savedSpace // of each, by database number
	keys   int
	madeAt int64  // in ms since the epoch
	limits Limits // that were in force
}

// savedSpace is a keyspace.
type savedSpace struct {
	keys    []savedKey // in the order of the table
	buckets int        // how many the table has
	bytes   int64
}

// savedKey is a key with its value. It has its place in the table, too: so its name need not be hashed again, and
// cursors of SCAN stay valid.
type savedKey struct {
	key    string
	val    Value
	when   int64 // the expiry; 0 for none
	lru    uint32
	bucket uint32
}

// Len is the number of keys in all databases.
func (s *Snapshot) Len() int { return s.keys }

// Databases is how many databases a store must have for the snapshot.
func (s *Snapshot) Databases() (n int) {
	for i := range s.shards {
		for db := range s.shards[i] {
			if len(s.shards[i][db].keys) > 0 {
				n = max(n, db+1)
			}
		}
	}
	return n
}

// Snapshot copies all databases. The transaction must hold All, and have changed nothing.
func (tx *Tx) Snapshot() *Snapshot {
	s := &Snapshot{madeAt: tx.Now(), limits: *tx.limits}
	for db := range tx.store.databases {
		s.keys += tx.Size(db)
	}
	eachShard(s.keys, func(i int) {
		var a arena
		for _, ks := range tx.store.shards[i].spaces {
			s.shards[i] = append(s.shards[i], ks.save(&a))
		}
	})
	return s
}

// save copies a keyspace, nil for one where nothing was ever stored. It goes in batches: to copy keys one by one would
// mean to wait for main memory several times for each, since they are spread over it.
func (ks *keyspace) save(a *arena) (saved savedSpace) {
	if ks == nil {
		return saved
	}
	saved = savedSpace{keys: make([]savedKey, 0, ks.dict.len()), buckets: len(ks.dict.buckets), bytes: ks.bytes}
	a.expect(ks.dict.len(), ks.bytes)
	batch := make([]*node[item], 0, saveBatch)
	for bucket, n := range ks.dict.buckets {
		for ; n != nil; n = n.next {
			k := savedKey{key: n.key, lru: n.val.lru(), bucket: uint32(bucket)}
			if n.val.timer.IsSet() {
				k.when = n.val.timer.When()
			}
			saved.keys = append(saved.keys, k)
			if batch = append(batch, n); len(batch) == saveBatch {
				saved.addValues(batch, a)
				batch = batch[:0]
			}
		}
	}
	saved.addValues(batch, a)
	return saved
}

// saveBatch is how many keys are copied together.
const saveBatch = 64

// addValues copies the values of the last keys.
func (s *savedSpace) addValues(batch []*node[item], a *arena) {
	a.prefetched += prefetch(batch)
	keys := s.keys[len(s.keys)-len(batch):]
	for i, n := range batch {
		keys[i].val = a.clone(n.val.value())
	}
}

// prefetch reads a little of the values of strings and packed hashes. The reads do not depend on each other, so the
// processor waits for all of them at once. The result only keeps the compiler from leaving them out.
func prefetch(batch []*node[item]) (read byte) {
	var contents [saveBatch][]byte
	for i, n := range batch {
		switch n.val.kind() {
		case kindString:
			contents[i] = (*String)(n.val.val).b
		case kindHash:
			contents[i] = (*Hash)(n.val.val).small
		}
	}
	for _, b := range contents[:len(batch)] {
		if len(b) > 0 {
			read += b[0]
		}
	}
	return read
}

// Restore replaces all databases by those of a snapshot. The transaction must hold All, and have changed nothing; the
// store must have all databases of the snapshot. If the clock was set for it, that must have happened before: what the
// transaction does from now on has the time that the clock shows.
//
// Watched keys that were there, or are now, have changed. Clients that wait for keys are served when the transaction
// commits. There are no events, as for FLUSHALL.
func (tx *Tx) Restore(s *Snapshot) {
	tx.lookups.forget()
	tx.clock.set(tx.store.clock.Now())
	// Transactions that would share a time that was read before look at the clock again: see begin.
	limits := *tx.limits
	tx.store.limits.Store(&limits)
	tx.limits = &limits
	old := tx.Memory()
	eachShard(max(s.keys, tx.totalSize()), func(i int) { tx.store.shards[i].restore(tx, s.shards[i]) })
	tx.memory.delta += tx.Memory() - old
	for i := range tx.store.shards {
		sh := &tx.store.shards[i]
		tx.store.timer.fireBy(sh.due.Load())
		for k := range sh.waiters.byKey {
			tx.markReady(sh, k)
		}
	}
}

// totalSize is the number of keys in all databases.
func (tx *Tx) totalSize() (n int) {
	for db := range tx.store.databases {
		n += tx.Size(db)
	}
	return n
}

// restore replaces the keyspaces of a shard. Other shards may be restored at the same time.
func (sh *shard) restore(tx *Tx, saved []savedSpace) {
	old := sh.spaces
	sh.spaces = nil
	due := int64(never)
	for db := range saved {
		if len(saved[db].keys) > 0 {
			ks := sh.makeSpace(db)
			ks.restore(tx, sh.phase, &saved[db])
			due = min(due, ks.next())
		}
	}
	sh.due.Store(due)
	sh.watched.markAllDirty(func(k dbKey) bool {
		was := k.db < len(old) && old[k.db] != nil && old[k.db].holds(k.key)
		now := sh.space(k.db)
		return was || now != nil && now.holds(k.key)
	})
}

// restore fills an empty keyspace.
func (ks *keyspace) restore(tx *Tx, phase uint16, saved *savedSpace) {
	ks.bytes = saved.bytes
	ks.dict = dict[item]{buckets: make([]*node[item], saved.buckets), count: len(saved.keys)}
	ks.wheel.Advance(tx.Now(), nil)
	for _, k := range slices.Backward(saved.keys) { // since the first of a bucket is put there last
		n := &node[item]{key: k.key, next: ks.dict.buckets[k.bucket]}
		ks.dict.buckets[k.bucket] = n
		v := k.val.Clone()
		if b, ok := v.(interface{ rebind(*Thresholds) bool }); ok {
			b.rebind(tx.store.thresholds) // not bind, which may change the encoding
		}
		n.val.setValue(v)
		n.val.setLRU(k.lru)
		if k.when != 0 {
			ks.wheel.Set(&n.val.timer, n, k.when)
		}
		if h := n.val.hash(); h != nil && h.deadlines() != nil {
			ks.restoreFieldTimer(tx, phase, n, h.deadlines())
		}
	}
}

func (ks *keyspace) restoreFieldTimer(tx *Tx, phase uint16, n *node[item], d *fieldDeadlines) {
	if ks.fields == nil {
		ks.fields = newFieldWheel(phase)
		ks.fields.Advance(tx.Now(), nil)
	}
	d.wheel, d.holder = ks.fields, n
	ks.fields.Set(&d.timer, d, d.earliest())
}

// fewKeys is a number of keys that one goroutine copies faster than it starts another.
const fewKeys = 1000

// eachShard calls f for the number of each shard, on all processors if there are many keys. A panic of f is one of
// eachShard.
func eachShard(keys int, f func(i int)) {
	var next atomic.Int32
	work := func() {
		for i := next.Add(1) - 1; i < shardCount; i = next.Add(1) - 1 {
			f(int(i))
		}
	}
	if keys < fewKeys {
		work()
		return
	}
	helpers := min(runtime.GOMAXPROCS(0), shardCount) - 1
	panics := make([]any, helpers)
	var all sync.WaitGroup
	for h := range helpers {
		all.Go(func() {
			defer func() { panics[h] = recover() }()
			work()
		})
	}
	work()
	all.Wait()
	if h := slices.IndexFunc(panics, func(p any) bool { return p != nil }); h >= 0 {
		panic(panics[h])
	}
}
