package store

import "sync/atomic"

// Thresholds are the sizes at which Redis changes how it keeps a value (redis.conf). They are safe for concurrent use
// and may be changed at any time; a value looks at them when something is added to it, and never goes back to a
// smaller encoding.
type Thresholds struct {
	HashEntries   atomic.Int64 // hash-max-listpack-entries
	HashValue     atomic.Int64 // hash-max-listpack-value, in bytes
	ZSetEntries   atomic.Int64 // zset-max-listpack-entries
	ZSetValue     atomic.Int64 // zset-max-listpack-value, in bytes
	SetInts       atomic.Int64 // set-max-intset-entries
	SetEntries    atomic.Int64 // set-max-listpack-entries
	SetValue      atomic.Int64 // set-max-listpack-value, in bytes
	ListSize      atomic.Int64 // list-max-listpack-size: elements of a node; -1 to -5 for 4 to 64 KB
	ListPlain     atomic.Int64 // DEBUG QUICKLIST-PACKED-THRESHOLD, in bytes
	StreamBytes   atomic.Int64 // stream-node-max-bytes; 0 is no limit
	StreamEntries atomic.Int64 // stream-node-max-entries; 0 is no limit
}

// NewThresholds returns those of Redis' default configuration.
func NewThresholds() *Thresholds {
	l := new(Thresholds)
	l.HashEntries.Store(512)
	l.HashValue.Store(64)
	l.ZSetEntries.Store(128)
	l.ZSetValue.Store(64)
	l.SetInts.Store(512)
	l.SetEntries.Store(128)
	l.SetValue.Store(64)
	l.ListSize.Store(-2)
	l.ListPlain.Store(ListPlainDefault)
	l.StreamBytes.Store(4096)
	l.StreamEntries.Store(100)
	return l
}

// ListPlainDefault is the size of the elements, in bytes, that have a node of a list for themselves.
const ListPlainDefault = 1 << 30

// defaultThresholds hold for values that are in no store yet.
var defaultThresholds = NewThresholds()

// bound is the part of a list, set or sorted set that knows the thresholds of its store. Hashes and streams get them
// with each element that is added instead: locks are small hashes, and a pointer would put each into the next larger
// size class.
type bound struct {
	in *Thresholds // nil until the value is bound
}

func (b *bound) thresholds() *Thresholds {
	if b.in == nil {
		return defaultThresholds
	}
	return b.in
}

// rebind notes the thresholds and reports whether they are others than before.
func (b *bound) rebind(t *Thresholds) bool {
	if b.in == t {
		return false
	}
	b.in = t
	return true
}

// Bind sets the thresholds of a new value to those of the store where it is going to be kept. Without Bind, they are
// set when it is put there.
func Bind[V Value](v V, t *Thresholds) V {
	v.bind(t)
	return v
}

// bind implements Value for the types that get thresholds with each element, or have one form only.
func (*String) bind(*Thresholds) {}
func (*Stream) bind(*Thresholds) {}
func (*Hash) bind(*Thresholds)   {}
