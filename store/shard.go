package store

import (
	"sync/atomic"

	"github.com/minilockd/minilockd/expiry"
)

// A shard holds a part of the keys of every database, so that one mutex per shard is all that a transaction takes.
// Within a shard each database has a keyspace of its own, made when the first key is stored there: most servers use
// one database of sixteen.

// shard is the part of every database whose keys hash to it. The fields that every command touches share one cache
// line, and no two shards have a line in common, because different cores use them at the same time.
type shard struct {
	mu      mutex        // guards all fields except due and watched
	spaces  []*keyspace  // by database number; nil until a key is stored
	counts  counters     // of transactions whose first shard this is
	due     atomic.Int64 // not later than the earliest deadline in the wheels, in ms; never if there is none
	watched watched      // has a mutex of its own
	waiters waitQueues
	phase   uint16 // of the timing wheels; differs from shard to shard
	_       [cacheLine - 48]byte
}

// cacheLine is the size of a cache line, in bytes, on most processors.
const cacheLine = 64

// keyspace is one database within one shard.
type keyspace struct {
	dict   dict[item]
	wheel  expiry.Wheel[node[item]]
	fields *expiry.Wheel[fieldDeadlines] // of hashes, by the earliest deadline of a field; nil until there is one
	bytes  int64                         // see accounting.go
}

// dbKey names a key of a database.
type dbKey struct {
	db  int
	key string
}

// wheelPhase is by how much the wheels of two consecutive shards differ in phase: they move timers from level to level
// at different times, so that not all shards do so at once.
const wheelPhase = 65

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
