package store

import (
	"math"
	"math/bits"

	"github.com/minilockd/minilockd/internal/hashtag"
	"github.com/minilockd/minilockd/internal/lockrank"
)

// Which shard a key belongs to, and how shards are locked: always in ascending order, so that no two transactions
// wait for each other.

// Locks is a set of shards: bit i stands for shard i.
type Locks uint64

const shardCount = 64

// All is every shard. Commands that read the whole keyspace need it, and so do scripts that use keys which they do
// not declare.
const All = Locks(math.MaxUint64)

// LockOf is the shard of a key, as a set of one.
func LockOf(key []byte) Locks { return 1 << shardOf(key) }

// locksOf is the set of shards of some keys.
func locksOf(keys []dbKey) (locks Locks) {
	for _, k := range keys {
		locks |= LockOf([]byte(k.key))
	}
	return locks
}

// AnyLock is some shard, a different one for successive n: for commands without keys that need a shard all the same.
func AnyLock(n int64) Locks { return 1 << (uint64(n) % shardCount) }

func shardOf(key []byte) uint { return shardIndex(hashBytes(hashtag.Of(key))) }

func shardIndex(hash uint64) uint { return uint(hash % shardCount) }

// lock locks shards in ascending order, and reports whether it had to wait. It gives up when the channel that
// interrupt returns is closed: then nothing is locked, and ok is false. A nil interrupt never does that.
func (st *Store) lock(locks Locks, interrupt Interrupt) (slow, ok bool) {
	for rest := locks; rest != 0; rest &= rest - 1 {
		sh := &st.shards[bits.TrailingZeros64(uint64(rest))]
		lockrank.Waits[lockrank.Shard](&sh.mu)
		if !sh.mu.TryLock() {
			if !sh.lockSlow(interrupt) {
				st.unlock(locks &^ rest)
				return true, false
			}
			slow = true
		}
	}
	return slow, true
}

// Interrupt returns a channel that is closed when a transaction shall no longer wait for its shards. It is called
// only if the transaction has to wait.
type Interrupt func() <-chan struct{}

// spins is how often lockSlow tries before it sleeps: for about a microsecond, which is what a short script takes.
const spins = 1000

// lockSlow locks a shard that another transaction holds. It spins first, because most transactions end sooner
// than a goroutine is put to sleep and woken. It reports false if it was interrupted.
func (sh *shard) lockSlow(interrupt Interrupt) bool {
	for range spins {
		if sh.mu.TryLock() {
			return true
		}
	}
	var stop <-chan struct{}
	if interrupt != nil {
		stop = interrupt()
	}
	return sh.mu.lockUnless(stop)
}

// tryLock locks one shard if it is free.
func (st *Store) tryLock(one Locks) bool {
	return st.shards[bits.TrailingZeros64(uint64(one))].mu.TryLock()
}

func (st *Store) unlock(locks Locks) {
	for rest := locks; rest != 0; rest &= rest - 1 {
		st.shards[bits.TrailingZeros64(uint64(rest))].mu.Unlock()
	}
}
