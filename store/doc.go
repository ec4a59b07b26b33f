// Package store is the keyspace: databases, keys, values of every type, expiry and WATCH. It knows nothing of
// connections, RESP or Lua.
//
// # Shards and transactions
//
// Keys are distributed over 64 shards, each with one mutex. The shard is chosen by the hash tag, the part that Redis
// Cluster hashes: the keys of one lock ({name}, redisson_lock_queue:{name}, …) share a shard, so a lock script takes
// a single mutex. Sets of shards are bit masks (Locks) and are locked in ascending order.
//
// All access goes through Tx.Do, which locks the shards, runs a function and unlocks. A function that needs a
// key outside its shards is rolled back and run again with every shard locked: see Tx.Do.
//
// # Time
//
// A transaction sees one time throughout. A key whose time has come is gone for every command from that very
// millisecond on; a timer removes it within a few more, with its "expired" event, even if no command uses it.
//
// # Values
//
// Small hashes, sets and sorted sets are kept as one packed byte slice (see packed.go), since most keys of a lock
// server hold a single field; they turn into tables at the thresholds of Redis.
package store
