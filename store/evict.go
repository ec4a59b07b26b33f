package store

import (
	"math"
	"math/rand/v2"
)

// Eviction is Redis' approximation: of a few random keys, the one that the policy would let go first is removed, until
// memory is within its limit. It holds all shards, but for a few keys at a time only.

// evictBatch is how many keys are evicted in one transaction.
const evictBatch = 64

// MakeRoom evicts keys until memory is within its limit, and reports false if it still is not. The transaction must be
// outside Do.
func (tx *Tx) MakeRoom() bool {
	st := tx.store
	for more := st.limits.Load().evicts(); more && st.OverLimit(); {
		tx.Do(All, false, func() { more = tx.Evict(evictBatch) }, func() {})
	}
	return !st.OverLimit()
}

// Evict removes keys, no more than count, until memory is within its limit. It reports false once there is no key
// left that the policy lets go. The transaction must hold All.
func (tx *Tx) Evict(count int) bool {
	e := tx.eviction()
	for ; count > 0; count-- {
		tx.memory.close(tx.store, tx.limits)
		if !tx.store.OverLimit() {
			return true
		}
		victim, ok := e.choose()
		if !ok {
			return false
		}
		tx.evict(victim)
	}
	return true
}

func (tx *Tx) evict(v candidate) {
	key := tx.remove(v.space.ks, v.space.sh, v.space.db, v.node)
	tx.store.evicted.Add(1)
	tx.removed(Removal{DB: v.space.db, Key: key, Evicted: true})
	tx.changed(v.space.sh, v.space.db, key, EventEvicted, "evicted")
}

// eviction chooses keys to evict, while all shards are held.
type eviction struct {
	tx     *Tx
	policy Policy
	spaces []evictable
}

// evictable is a keyspace with keys that the policy lets go.
type evictable struct {
	ks *keyspace
	sh *shard
	db int
}

type candidate struct {
	space evictable
	node  *node[item]
}

func (tx *Tx) eviction() *eviction {
	e := &eviction{tx: tx, policy: tx.limits.Policy}
	if !tx.limits.evicts() {
		return e
	}
	for i := range tx.store.shards {
		sh := &tx.store.shards[i]
		for db, ks := range sh.spaces {
			if ks != nil && e.count(ks) > 0 {
				e.spaces = append(e.spaces, evictable{ks, sh, db})
			}
		}
	}
	return e
}

// count is how many keys of a keyspace the policy lets go.
func (e *eviction) count(ks *keyspace) int {
	if e.policy.volatile() {
		return ks.wheel.Len()
	}
	return ks.dict.len()
}

// maxSamples limits maxmemory-samples: more samples hardly improve the choice, while all shards are held.
const maxSamples = 1024

// choose returns the key that should go first among some random ones; ok is false if there is none at all.
func (e *eviction) choose() (best candidate, ok bool) {
	samples := min(e.tx.limits.Samples, maxSamples)
	if e.policy.random() {
		samples = 1
	}
	least := int64(math.MaxInt64)
	for range samples {
		c, found := e.draw()
		if !found {
			return best, false
		}
		if worth := e.worth(c.node); worth < least || best.node == nil {
			best, least = c, worth
		}
	}
	return best, true
}

// worth orders keys: the one that is worth least goes first.
func (e *eviction) worth(n *node[item]) int64 {
	switch {
	case e.policy.lfu():
		return int64(e.tx.lfuCounter(n.val.lru()))
	case e.policy == VolatileTTL:
		return n.val.timer.When()
	}
	return int64(n.val.lru())
}

// draw returns a random key of those that the policy lets go.
func (e *eviction) draw() (c candidate, ok bool) {
	total := 0
	for _, s := range e.spaces {
		total += e.count(s.ks)
	}
	if total == 0 {
		return c, false
	}
	at := rand.IntN(total)
	for _, s := range e.spaces {
		n := e.count(s.ks)
		if at < n {
			return candidate{s, e.drawFrom(s.ks, at)}, true
		}
		at -= n
	}
	return c, false
}

// drawFrom is draw from one keyspace. Where few of its keys may go it takes the at-th of these, else tries random ones
// of all its keys.
func (e *eviction) drawFrom(ks *keyspace, at int) *node[item] {
	const few = 8
	if n := e.count(ks); n < ks.dict.len()/few {
		return expiringAt(ks, at)
	}
	for {
		n := ks.dict.random()
		if !e.policy.volatile() || n.val.timer.IsSet() {
			return n
		}
	}
}

// expiringAt is the at-th key with an expiry.
func expiringAt(ks *keyspace, at int) (found *node[item]) {
	ks.wheel.Each(func(n *node[item]) {
		if at == 0 {
			found = n
		}
		at--
	})
	return found
}
