package store

import (
	"testing"
	"time"

	"github.com/minilockd/minilockd/internal/require"
)

// A key that expires while its transaction runs serves nobody.
func TestServeReady_SeesTheTimeAtTheEnd(t *testing.T) {
	inStore(t, func(st *testStore) {
		served := []bool{}
		w := &Waiter{Kind: (*List)(nil), Done: func() bool { return false }}
		w.Serve = func(tx *Tx, key []byte) { served = append(served, tx.findLive(key).Exists()) }
		st.all(func(tx *Tx) { tx.Await(w, [][]byte{[]byte("a"), []byte("b")}) })
		st.all(func(tx *Tx) {
			for _, key := range []string{"a", "b"} {
				l := NewList()
				Bind(l, defaultThresholds).Push([]byte("x"), Back)
				tx.PutUntil([]byte(key), l, 0)
			}
			tx.SetExpire([]byte("a"), tx.Now()+10)
			st.clock.Advance(10 * time.Millisecond)
		})
		require.Equal(t, []bool{false, true}, served)
	})
}
