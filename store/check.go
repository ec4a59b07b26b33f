package store

import (
	"fmt"
	"slices"
)

// Check is for tests: a fixture that calls it after each test finds what broke an invariant in the test that broke
// it. It relies on no counter and no index: it counts again, and follows each index in both directions. The
// invariants of values are in check_value.go and check_stream.go, those of timing wheels in package expiry.

// Check locks all shards and returns the first violation of an invariant of the store, or nil. It is meant for tests,
// visits everything, and expects that nothing is in progress but blocked clients, none of which is about to leave.
func (st *Store) Check() error {
	c := checker{thresholds: st.thresholds}
	tx := st.NewTx()
	tx.Do(All, false, func() {
		sum := BaseMemory
		for i := range st.shards {
			sum += c.shard(st, i)
		}
		c.where = "store"
		if st.limits.Load().Memory != 0 {
			c.require(st.used.Load() == sum, "%d bytes in use, %d counted", st.used.Load(), sum)
		}
		c.waiting(st)
	}, func() {})
	return c.err
}

// checker keeps the first violation.
type checker struct {
	thresholds *Thresholds
	where      string // what is being checked
	err        error
}

func (c *checker) require(ok bool, format string, args ...any) {
	if !ok && c.err == nil {
		c.err = fmt.Errorf("store: %s: "+format, append([]any{c.where}, args...)...)
	}
}

// requireNil takes over the violation that another check has returned.
func (c *checker) requireNil(err error) { c.require(err == nil, "%v", err) }

// shard checks a shard and returns the memory of its keys.
func (c *checker) shard(st *Store, i int) (bytes int64) {
	sh := &st.shards[i]
	c.where = fmt.Sprintf("shard %d", i)
	c.require(len(sh.spaces) <= st.databases, "%d databases of %d", len(sh.spaces), st.databases)
	for db, ks := range sh.spaces {
		if ks != nil {
			c.where = fmt.Sprintf("shard %d, database %d", i, db)
			bytes += c.keyspace(i, sh, ks)
		}
	}
	c.where = fmt.Sprintf("shard %d", i)
	c.queues(i, sh)
	c.watched(i, sh)
	return bytes
}

// keyspace checks a database within a shard and returns the memory of its keys.
func (c *checker) keyspace(i int, sh *shard, ks *keyspace) (bytes int64) {
	where := c.where
	checkDict(c, &ks.dict)
	ks.dict.each(func(n *node[item]) bool {
		c.where = fmt.Sprintf("%s, key %q", where, n.key)
		bytes += c.key(i, ks, n)
		return c.err == nil
	})
	if c.where = where; c.err != nil {
		return 0
	}
	c.require(ks.bytes == bytes, "%d bytes in use, %d counted", ks.bytes, bytes)
	c.keyTimers(ks)
	c.fieldTimers(ks)
	c.require(sh.due.Load() <= ks.next(), "the shard is due at %d, later than a timer: %d", sh.due.Load(), ks.next())
	return bytes
}

// key checks one key with its value and returns its memory.
func (c *checker) key(i int, ks *keyspace, n *node[item]) (bytes int64) {
	c.require(shardOf([]byte(n.key)) == uint(i), "is in the wrong shard")
	c.require(n.val.kind() < kinds && n.val.val != nil, "has no value")
	c.require(!n.val.opened(), "is still open for a change")
	if c.err != nil {
		return 0
	}
	if c.value(n.val.value()); c.err != nil {
		return 0
	}
	if h := n.val.hash(); h != nil && h.deadlines() != nil {
		d := h.deadlines()
		c.require(d.holder == n && d.wheel == ks.fields, "the timer of its fields is that of another key")
		c.require(d.timer.IsSet() && d.timer.When() <= d.earliest(), "the timer of its fields fires too late or never")
	}
	return int64(weightOf(n))
}

// keyTimers checks that the timers in the wheel are those of the keys with an expiry.
func (c *checker) keyTimers(ks *keyspace) {
	c.requireNil(ks.wheel.Check())
	expiring := 0
	ks.dict.each(func(n *node[item]) bool {
		if n.val.timer.IsSet() {
			expiring++
		}
		return true
	})
	c.require(expiring == ks.wheel.Len(), "%d keys with an expiry, %d timers", expiring, ks.wheel.Len())
	if c.err == nil {
		ks.wheel.Each(func(n *node[item]) {
			c.require(ks.dict.get([]byte(n.key)) == n, "a timer of key %q, which is not there", n.key)
		})
	}
}

// fieldTimers checks that the timers in the wheel of fields are those of the hashes with deadlines.
func (c *checker) fieldTimers(ks *keyspace) {
	hashes := 0
	ks.dict.each(func(n *node[item]) bool {
		if h := n.val.hash(); h != nil && h.deadlines() != nil {
			hashes++
		}
		return true
	})
	if ks.fields == nil {
		c.require(hashes == 0, "%d hashes with deadlines, and no wheel", hashes)
		return
	}
	c.requireNil(ks.fields.Check())
	c.require(hashes == ks.fields.Len(), "%d hashes with deadlines, %d timers", hashes, ks.fields.Len())
	if c.err == nil {
		ks.fields.Each(func(d *fieldDeadlines) {
			key := d.holder.key
			c.require(ks.dict.get([]byte(key)) == d.holder, "a timer of hash %q, which is not there", key)
		})
	}
}

// queues checks the queues of blocked clients.
func (c *checker) queues(i int, sh *shard) {
	for k, queue := range sh.waiters.byKey {
		c.require(shardOf([]byte(k.key)) == uint(i), "the queue of key %q is in the wrong shard", k.key)
		c.require(len(queue) > 0, "the queue of key %q is empty", k.key)
		for j, w := range queue {
			c.require(!w.Done(), "a client that is gone waits for key %q", k.key)
			c.require(j == 0 || queue[j-1].order < w.order, "the queue of key %q is out of order", k.key)
			c.require(slices.Contains(w.keys, k), "a client waits for key %q without knowing", k.key)
		}
	}
}

// watched checks which keys are watched, and by how many clients.
func (c *checker) watched(i int, sh *shard) {
	w := &sh.watched
	w.mu.Lock()
	defer w.mu.Unlock()
	c.require(int(w.count.Load()) == len(w.keys), "%d watched keys, %d found", w.count.Load(), len(w.keys))
	for k, set := range w.keys {
		c.require(shardOf([]byte(k.key)) == uint(i), "the watch of key %q is in the wrong shard", k.key)
		c.require(len(set) > 0, "the set of clients that watch key %q is empty", k.key)
	}
}

// waiting checks the numbers of blocked clients.
func (c *checker) waiting(st *Store) {
	var found [kinds]int64
	seen := make(map[*Waiter]bool)
	for i := range st.shards {
		for _, queue := range st.shards[i].waiters.byKey {
			for _, w := range queue {
				if !seen[w] && w.counted.Load() {
					found[kindOf(w.Kind)]++
				}
				seen[w] = true
			}
		}
	}
	for kind := range found {
		counted := st.waiting.byKind[kind].Load()
		c.require(counted == found[kind], "%d clients wait for values of kind %d, %d found", counted, kind, found[kind])
	}
}

// checkDict checks a hash table.
func checkDict[V any](c *checker, d *dict[V]) {
	size := len(d.buckets)
	c.require(size&(size-1) == 0, "a table of %d buckets", size)
	c.require(d.count <= size, "%d elements in a table of %d buckets", d.count, size)
	found := 0
	for i, n := range d.buckets {
		for ; n != nil && c.err == nil; n = n.next {
			found++
			c.require(d.bucket(hashString(n.key)) == i, "%q is in the wrong bucket of a table", n.key)
			c.require(d.get(bytesOf(n.key)) == n, "%q is in a table twice", n.key)
			c.require(found <= d.count, "more than %d elements in a table", d.count)
		}
	}
	c.require(found == d.count, "%d elements in a table, %d found", d.count, found)
}
