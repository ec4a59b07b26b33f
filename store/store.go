package store

import (
	"bytes"
	"math"
	"math/bits"
	"sync"
	"sync/atomic"

	"github.com/minilockd/minilockd/expiry"
	"github.com/minilockd/minilockd/internal/clock"
)

// Locks is a set of shards: bit i stands for shard i.
type Locks uint64

const shardCount = 64

// All is every shard: what a command needs that looks at the whole keyspace.
const All = Locks(math.MaxUint64)

// Store is a set of numbered databases. Use it through transactions (NewTx); it is safe for concurrent use.
type Store struct {
	shards     [shardCount]shard // first, so that an allocation begins with them: then each needs one line
	clock      clock.Clock
	databases  int
	thresholds *Thresholds
	limits     atomic.Pointer[Limits]
	alarm      alarm
	events     EventSink
	changes    ChangeSink
	waiting    waiting
	expired    atomic.Int64
	evicted    atomic.Int64
	used       atomic.Int64 // bytes of all keys; kept only while there is a limit
	lazy       atomic.Bool  // see SetActiveExpiry
	held       atomic.Bool  // no key is removed because its time has come

	work   sync.WaitGroup // transactions of the store's own that wait for a shard
	rescue func()         // deferred around them; may recover
}

// shard is the part of every database whose keys hash to it. What every command touches stands close together, and so far from
// that of the next shard that they have no cache line in common: they are used side by side.
type shard struct {
	mu      mutex        // guards all fields but due and watched
	spaces  []*keyspace  // by database number; nil until a key is stored
	counts  counters     // of transactions whose first shard this is
	due     atomic.Int64 // when the earliest timer falls due, ms; no earlier one is missed
	watched watched      // with a lock of its own
	waiters waitQueues
	phase   uint16 // of the timing wheels; differs from shard to shard
	_       [cacheLine - 48]byte
}

// cacheLine is the size of a processor's cache line, in bytes, on most.
const cacheLine = 64

// keyspace is one database within one shard.
type keyspace struct {
	dict   dict[item]
	wheel  expiry.Wheel[node[item]]
	fields *expiry.Wheel[fieldDeadlines] // of hashes, by the earliest deadline of a field; nil until there is one
	bytes  int64                         // see weight.go
}

type dbKey struct {
	db  int
	key string
}

// wheelPhase sets the wheels of the shards apart, so that they move their timers from level to level at different moments.
const wheelPhase = 65

const never = math.MaxInt64

// New returns an empty store with the given number of databases. Close it to stop its timer.
func New(c clock.Clock, databases int) *Store {
	st := &Store{clock: c, databases: databases, thresholds: NewThresholds(), rescue: func() {}}
	st.limits.Store(&defaultLimits)
	for i := range st.shards {
		st.shards[i].due.Store(never)
		st.shards[i].phase = uint16(i) * wheelPhase
	}
	st.alarm.init(st)
	return st
}

// Close stops the expiry timer and waits for the store's own transactions. Keys stay readable and still expire when they are looked
// at.
func (st *Store) Close() {
	st.alarm.close()
	st.work.Wait()
}

// SetRescue has f deferred in each goroutine of the store's own: it may recover from a panic. Call it before the store is used.
func (st *Store) SetRescue(f func()) { st.rescue = f }

// Databases is how many databases there are.
func (st *Store) Databases() int { return st.databases }

// Thresholds are the sizes at which its values change their form.
func (st *Store) Thresholds() *Thresholds { return st.thresholds }

// SetThresholds gives the store those of a configuration. Call it before the store is used.
func (st *Store) SetThresholds(t *Thresholds) { st.thresholds = t }

// Expired counts the keys that were removed because their time had come.
func (st *Store) Expired() int64 { return st.expired.Load() }

// Evicted counts the keys that were removed because memory was short.
func (st *Store) Evicted() int64 { return st.evicted.Load() }

// LockOf is the shard of a key, as a set of one.
func LockOf(key []byte) Locks { return 1 << shardOf(key) }

// locksOf is the set of shards of some keys.
func locksOf(keys []dbKey) (locks Locks) {
	for _, k := range keys {
		locks |= LockOf([]byte(k.key))
	}
	return locks
}

// AnyLock is some shard, for the n-th of those who want one.
func AnyLock(n int64) Locks { return 1 << (uint64(n) % shardCount) }

func shardOf(key []byte) uint { return shardIndex(hashBytes(hashTag(key))) }

func shardIndex(hash uint64) uint { return uint(hash % shardCount) }

// hashTag is the part of a key that chooses its shard: what stands between the first { and the next }, if anything does,
// else the whole key. (Redis Cluster specification, hash tags.)
func hashTag(key []byte) []byte {
	open := bytes.IndexByte(key, '{')
	if open < 0 {
		return key
	}
	length := bytes.IndexByte(key[open+1:], '}')
	if length <= 0 {
		return key
	}
	return key[open+1 : open+1+length]
}

// lock locks shards in their order, and reports whether it had to wait. If interrupt is not nil, it gives up when the channel that
// this returns is closed: then nothing is locked, and ok is false.
func (st *Store) lock(locks Locks, interrupt Interrupt) (waited, ok bool) {
	for rest := locks; rest != 0; rest &= rest - 1 {
		if sh := &st.shards[bits.TrailingZeros64(uint64(rest))]; !sh.mu.TryLock() {
			if !sh.await(interrupt) {
				st.unlock(locks &^ rest)
				return true, false
			}
			waited = true
		}
	}
	return waited, true
}

// Interrupt returns a channel that is closed when a transaction shall no longer wait for its shards. It is called only where one has to
// wait.
type Interrupt func() <-chan struct{}

// patience is how often await looks whether the shard is free: for about a microsecond, which is what a short script takes.
const patience = 1000

// await locks a shard that another transaction holds. Most end sooner than a goroutine is put to sleep and woken; for the others it
// sleeps. It reports false if it was interrupted.
func (sh *shard) await(interrupt Interrupt) bool {
	for range patience {
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

// space returns the keyspace of a database within the shard, or nil when nothing was ever stored there.
func (sh *shard) space(db int) *keyspace {
	if db < len(sh.spaces) {
		return sh.spaces[db]
	}
	return nil
}

// makeSpace is space, created on demand.
func (sh *shard) makeSpace(db int) *keyspace {
	for len(sh.spaces) <= db {
		sh.spaces = append(sh.spaces, nil)
	}
	if sh.spaces[db] == nil {
		sh.spaces[db] = new(keyspace)
		sh.spaces[db].wheel.Phase = sh.phase
	}
	return sh.spaces[db]
}
