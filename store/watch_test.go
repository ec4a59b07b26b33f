package store

import (
	"testing"
	"time"

	"github.com/minilockd/minilockd/internal/require"
)

// watch is a watch on key "a" of database 0.
func (st *testStore) watch() *Watch {
	w := new(Watch)
	st.all(func(tx *Tx) { tx.Watch(w, []byte("a")) })
	require.False(st.t, w.Dirty())
	return w
}

// changed reports whether a watched key has changed or expired.
func (st *testStore) changed(w *Watch) bool {
	st.all(func(tx *Tx) { tx.ExpireWatched(w) })
	return w.Dirty()
}

func TestWatch_SeesEveryKindOfChange(t *testing.T) {
	changed := func(tx *Tx, key string) { tx.Report([]byte(key), Change{Class: EventGeneric, Event: "set", Count: 1}) }
	for name, c := range map[string]struct {
		change func(*Tx)
		want   bool
	}{
		"the key is changed":               {func(tx *Tx) { changed(tx, "a") }, true},
		"another key is changed":           {func(tx *Tx) { changed(tx, "b") }, false},
		"its namesake elsewhere":           {func(tx *Tx) { tx.In(1, func() { changed(tx, "a") }) }, false},
		"the key is only read":             {func(tx *Tx) { tx.findLive([]byte("a")) }, false},
		"the database is flushed":          {func(tx *Tx) { tx.Flush(0) }, true},
		"another database is flushed":      {func(tx *Tx) { tx.Flush(1) }, false},
		"the database is swapped":          {func(tx *Tx) { tx.Swap(0, 1) }, true},
		"the database is swapped from 1":   {func(tx *Tx) { tx.Swap(1, 0) }, true},
		"other databases are swapped":      {func(tx *Tx) { tx.Swap(1, 2) }, false},
		"an event without a change passes": {func(tx *Tx) { tx.Lookup([]byte("a"), NoTouch) }, false},
	} {
		t.Run(name, func(t *testing.T) {
			inStore(t, func(st *testStore) {
				st.put("a", "1", 0)
				w := st.watch()
				st.all(c.change)
				require.Equal(t, c.want, st.changed(w))
			})
		})
	}
}

func TestWatch_MissingKey(t *testing.T) {
	inStore(t, func(st *testStore) {
		w := st.watch()
		st.all(func(tx *Tx) { tx.Flush(0); tx.Swap(0, 1) })
		require.False(t, st.changed(w), "nothing was there before or after")
		st.all(func(tx *Tx) {
			tx.In(2, func() { tx.Put([]byte("a"), NewString(nil), false) })
			tx.Swap(0, 2)
		})
		require.True(t, st.changed(w), "the key has appeared")
	})
}

func TestWatch_SeesExpiry(t *testing.T) {
	inStore(t, func(st *testStore) {
		st.put("a", "1", 100)
		w := st.watch()
		st.clock.Advance(99 * time.Millisecond)
		require.False(t, st.changed(w))
		st.clock.Advance(time.Millisecond)
		require.True(t, st.changed(w), "at that very millisecond, whether or not the timer has had its turn")
	})
}

func TestWatch_KeyThatExpiredBeforeCountsAsMissing(t *testing.T) {
	inStore(t, func(st *testStore) {
		st.put("a", "1", 100)
		st.clock.Advance(100 * time.Millisecond)
		w := st.watch()
		require.False(t, st.changed(w))
	})
}

func TestWatch_ClearDirty(t *testing.T) {
	inStore(t, func(st *testStore) {
		w := st.watch()
		st.all(func(tx *Tx) { tx.Report([]byte("a"), Change{Class: EventString, Event: "set", Count: 1}) })
		w.ClearDirty()
		require.False(t, w.Dirty())
		st.all(func(tx *Tx) { tx.Report([]byte("a"), Change{Class: EventString, Event: "set", Count: 1}) })
		require.True(t, w.Dirty(), "the key is still watched")
	})
}

func TestTx_Unwatch_LeavesNothingBehind(t *testing.T) {
	inStore(t, func(st *testStore) {
		w, other := st.watch(), st.watch()
		st.all(func(tx *Tx) { tx.Watch(w, []byte("a")); tx.Watch(w, []byte("b")) })
		require.Equal(t, LockOf([]byte("a"))|LockOf([]byte("b")), w.Locks())
		st.Unwatch(w)
		require.True(t, w.Empty())
		require.Zero(t, w.Locks())
		st.all(func(tx *Tx) { tx.Report([]byte("a"), Change{Class: EventString, Event: "set", Count: 1}) })
		require.False(t, w.Dirty())
		require.True(t, other.Dirty())
		st.Unwatch(other)
		for i := range st.shards {
			require.Empty(t, st.shards[i].watched.keys)
		}
	})
}
