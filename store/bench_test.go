package store

import (
	"testing"

	"github.com/minilockd/minilockd/internal/clock"
)

// The benchmarks are transactions as commands and scripts make them, without parsing, dispatch and replies.

// benchTx is a transaction on the shard of a key, in a store of its own.
func benchTx(b *testing.B, key string) (tx *Tx, locks Locks) {
	st := New(clock.NewOffset(clock.Real{}), 16)
	b.Cleanup(st.Close)
	b.ReportAllocs()
	return st.NewTx(), LockOf([]byte(key))
}

// BenchmarkTx_Get reads a short string (GET).
func BenchmarkTx_Get(b *testing.B) {
	key, size := []byte("key"), 0
	tx, locks := benchTx(b, "key")
	tx.Do(locks, false, func() { tx.SetString(key, []byte("value"), false) }, func() {})
	run := func() {
		if s, err := Get[*String](tx, key, ForRead); err == nil {
			size += len(s.Bytes())
		}
	}
	nothing := func() {}
	for b.Loop() {
		tx.Do(locks, false, run, nothing)
	}
	if size == 0 {
		b.Fatal("the key was not found")
	}
}

// BenchmarkTx_Set overwrites a short string (SET).
func BenchmarkTx_Set(b *testing.B) {
	key, value := []byte("key"), []byte("value")
	tx, locks := benchTx(b, "key")
	run := func() {
		tx.SetString(key, value, false)
		tx.Report(key, Change{Class: EventString, Event: "set", Count: 1})
	}
	nothing := func() {}
	for b.Loop() {
		tx.Do(locks, false, run, nothing)
	}
}

// BenchmarkTx_Lock takes a lock that is a hash with one field and an expiry, and gives it back: two transactions that
// may have to run again on all shards, as those of scripts may.
func BenchmarkTx_Lock(b *testing.B) {
	key, field, value := []byte("{lock}"), []byte("285475da-9152-4c83-822a-67ee2f116a79:52"), []byte("1")
	tx, locks := benchTx(b, "{lock}")
	acquire := func() {
		if tx.Lookup(key, NoStats).Exists() {
			b.Fatal("the lock was not given back")
		}
		h, err := GetOrCreate(tx, key, NewHash)
		if err != nil {
			b.Fatal(err)
		}
		h.Update(tx.Store().Thresholds(), field, value)
		tx.Report(key, Change{Class: EventHash, Event: "hincrby", Count: 1})
		tx.SetExpire(key, tx.Now()+30_000)
		tx.Report(key, Change{Class: EventGeneric, Event: "expire", Count: 1})
	}
	release := func() {
		h, err := Get[*Hash](tx, key, ForWrite)
		if err != nil || !h.Delete(field) {
			b.Fatal("the lock was not taken")
		}
		tx.Delete(key)
		tx.Report(key, Change{Class: EventGeneric, Event: "del", Count: 1})
	}
	nothing := func() {}
	for b.Loop() {
		tx.Do(locks, true, acquire, nothing)
		tx.Do(locks, true, release, nothing)
	}
}
