package store

import (
	"fmt"
	"testing"

	"github.com/minilockd/minilockd/internal/clock"
)

// fillMixed stores n keys: strings without an expiry and, as locks are, small hashes with one, in turn.
func fillMixed(st *Store, n int) {
	tx := st.NewTx()
	tx.Do(All, false, func() {
		for i := range n {
			if i%2 == 0 {
				tx.SetString(fmt.Appendf(nil, "string:%d", i), fmt.Appendf(nil, "the value of string %d", i), false)
				continue
			}
			h := NewHash()
			h.Set(st.Thresholds(), []byte("5f0a2b1c-7c2f-4d6e-9c59-3f8b6d1a7e42:1"), []byte("1"))
			tx.PutUntil(fmt.Appendf(nil, "lock:%d", i), h, tx.Now()+30_000+int64(i))
		}
	}, func() {})
}

// The limits are 50 ms for 100,000 keys, and 100 µs for an almost empty store.
func BenchmarkSnapshot(b *testing.B) {
	for _, keys := range []int{10, 100_000} {
		st := New(clock.NewOffset(clock.Real{}), 16)
		fillMixed(st, keys)
		tx := st.NewTx()
		var s *Snapshot
		tx.Do(All, false, func() { s = tx.Snapshot() }, func() {})
		b.Run(fmt.Sprintf("save/keys=%d", keys), func(b *testing.B) {
			for b.Loop() {
				tx.Do(All, false, func() { s = tx.Snapshot() }, func() {})
			}
		})
		b.Run(fmt.Sprintf("restore/keys=%d", keys), func(b *testing.B) {
			for b.Loop() {
				tx.Do(All, false, func() { tx.Restore(s) }, func() {})
			}
		})
		st.Close()
	}
}
