package store

import (
	"math"
	"sync"
	"sync/atomic"

	"github.com/minilockd/minilockd/internal/clock"
)

// Store is a set of numbered databases. Use it through transactions (NewTx); it is safe for concurrent use.
type Store struct {
	shards         [shardCount]shard // first: an allocation is aligned to cache lines, and so is then each shard
	clock          clock.Clock
	databases      int
	thresholds     *Thresholds
	limits         atomic.Pointer[Limits]
	timer          expiryTimer
	events         EventSink
	changes        ChangeSink
	removals       RemovalSink
	waiting        waiting
	expired        atomic.Int64
	expiredFields  atomic.Int64
	evicted        atomic.Int64
	used           atomic.Int64 // bytes of all keys; kept only while there is a limit
	noActiveExpiry atomic.Bool  // see SetActiveExpiry
	expiryHeld     atomic.Bool  // see HoldExpiry
	goneForGroups  bool         // see SetGoneForGroups

	wantsOverwritten func() bool // see SetOverwriteEvents; nil for never

	work    sync.WaitGroup // transactions of the store itself that wait for a shard
	recover func()         // deferred in each of their goroutines; may recover
}

// never is a deadline that does not come.
const never = math.MaxInt64

// New returns an empty store with the given number of databases. Close it to stop its timer.
func New(c clock.Clock, databases int) *Store {
	st := &Store{clock: c, databases: databases, thresholds: NewThresholds(), recover: func() {}}
	st.limits.Store(&defaultLimits)
	for i := range st.shards {
		st.shards[i].due.Store(never)
		st.shards[i].phase = uint16(i) * wheelPhase
	}
	st.timer.init(st)
	return st
}

// Close stops the expiry timer and waits for the transactions of the store itself. Keys stay readable and still expire
// when a command uses them.
func (st *Store) Close() {
	st.timer.close()
	st.work.Wait()
}

// SetRecover has f deferred in each goroutine that the store starts: it may recover from a panic. Call it before the
// store is used.
func (st *Store) SetRecover(f func()) { st.recover = f }

// Databases is how many databases there are.
func (st *Store) Databases() int { return st.databases }

// Thresholds are the sizes at which values change their encoding.
func (st *Store) Thresholds() *Thresholds { return st.thresholds }

// SetThresholds replaces the thresholds. Call it before the store is used.
func (st *Store) SetThresholds(t *Thresholds) { st.thresholds = t }

// SetGoneForGroups makes a key that held a stream ready only if a client waits for a group of it. Else, any client that
// waits for a stream is enough to make it ready, so that clients are served from what replaces the stream. Call it
// before the store is used.
func (st *Store) SetGoneForGroups(only bool) { st.goneForGroups = only }

// Expired counts the keys that were removed because their time had come.
func (st *Store) Expired() int64 { return st.expired.Load() }

// ExpiredFields counts the fields of hashes that were removed because their time had come.
func (st *Store) ExpiredFields() int64 { return st.expiredFields.Load() }

// Evicted counts the keys that were removed because memory was short.
func (st *Store) Evicted() int64 { return st.evicted.Load() }
