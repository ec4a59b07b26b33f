package store

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/minilockd/minilockd/internal/clock"
	"github.com/minilockd/minilockd/internal/require"
)

// describe is all that a snapshot keeps of the keys of all databases, as sorted lines.
func (st *testStore) describe() (lines []string) {
	st.all(func(tx *Tx) {
		for db := range st.Databases() {
			tx.In(db, func() {
				tx.Each(func(key []byte, e Entry) bool {
					when, _ := e.ExpireAt()
					lines = append(lines, fmt.Sprintf("%d %s expires %d lru %d weight %d: %s", db, key, when, e.n.val.lru(),
						e.Weight(), describeValue(e.Value())))
					return true
				})
			})
		}
	})
	slices.Sort(lines)
	return lines
}

// describeValue is a value with its encoding; what has no order is sorted.
func describeValue(v Value) string {
	var parts []string
	add := func(format string, args ...any) { parts = append(parts, fmt.Sprintf(format, args...)) }
	form := ""
	switch v := v.(type) {
	case *String:
		form = fmt.Sprint(v.Raw(), v.Text())
		add("%q", v.Bytes())
	case *Hash:
		form = fmt.Sprint(v.Packed())
		v.Each(func(field, value []byte) bool {
			when, _ := v.ExpireAt(field)
			add("%q %q %d", field, value, when)
			return true
		})
	case *List:
		v.Walk(Span{Stop: v.Len()}, func(elem []byte) bool { add("%q", elem); return true })
		return fmt.Sprint(v.Type(), parts)
	case *Set:
		form = fmt.Sprint(v.form)
		v.Each(func(member []byte) bool { add("%q", member); return true })
	case *ZSet:
		form = fmt.Sprint(v.Packed())
		v.Walk(v.All(), func(member []byte, score float64) bool { add("%v %q", score, member); return true })
	case *Stream:
		form = fmt.Sprint(v.LastID(), v.MaxDeletedID(), v.EntriesAdded(), v.GroupCount())
		v.Walk(StreamID{}, MaxStreamID, func(id StreamID, f Fields) bool { add("%v %d", id, f.Len()); return true })
	}
	slices.Sort(parts)
	return fmt.Sprint(v.Type(), " ", form, " ", parts)
}

// changeAtRandom makes n changes to some keys of some databases, and leaves no empty value.
func (st *testStore) changeAtRandom(rnd *rand.Rand, n int) {
	st.all(func(tx *Tx) {
		for range n {
			key := fmt.Appendf(nil, "k%d", rnd.IntN(100))
			tx.Select(rnd.IntN(3))
			randomChange(tx, rnd, key)
			if v, ok := tx.Lookup(key, Inspect).Value().(interface{ Len() int }); ok && v.Len() == 0 {
				tx.Delete(key)
			}
		}
	})
}

func TestRestore_PutsBackAllThatWasThere(t *testing.T) {
	inStore(t, func(st *testStore) {
		defer st.Close() // its timer is one of the bubble
		rnd := rand.New(rand.NewPCG(7, 7))
		for range 20 {
			st.changeAtRandom(rnd, 500)
			st.clock.Advance(20 * ms)
			want := st.describe()
			s := st.snapshot()
			require.Equal(t, len(want), s.Len())
			for range 3 { // what happens to the keys that were put back does not change the snapshot
				st.changeAtRandom(rnd, 500)
				st.restore(s)
				require.Equal(t, want, st.describe())
				require.NoError(t, st.Check())
			}
		}
	})
}

func (st *testStore) snapshot() (s *Snapshot) {
	st.all(func(tx *Tx) { s = tx.Snapshot() })
	return s
}

func (st *testStore) restore(s *Snapshot) { st.all(func(tx *Tx) { tx.Restore(s) }) }

// Many keys are copied by several goroutines.
func TestRestore_ManyKeysInAnotherStore(t *testing.T) {
	inStore(t, func(st *testStore) {
		defer st.Close()
		fillMixed(st.Store, 5*fewKeys)
		st.all(func(tx *Tx) {
			z := NewZSet()
			for i := range 1000 {
				z.Set(fmt.Append(nil, i), float64(i))
			}
			tx.Put([]byte("large"), z, false)
			for i := range 999 { // it does not become packed again
				z.Delete(fmt.Append(nil, i))
			}
		})
		other := newTestStore(t)
		defer other.Close()
		other.Thresholds().HashEntries.Store(0)
		other.restore(st.snapshot())
		require.Equal(t, st.describe(), other.describe())
		require.Equal(t, 1, other.snapshot().Databases())
		require.NoError(t, other.Check())
	})
}

func TestRestore_TimersFitTheKeys(t *testing.T) {
	inStore(t, func(st *testStore) {
		st.put("a", "1", 1000)
		st.all(func(tx *Tx) {
			h := NewHash()
			h.Set(defaultThresholds, []byte("f"), []byte("v"))
			tx.Put([]byte("h"), h, false)
			tx.ExpireField([]byte("h"), h, []byte("f"), tx.Now()+2000)
		})
		s := st.snapshot()
		st.put("a", "2", 0)
		st.put("b", "2", 500)
		st.restore(s)
		st.clock.Advance(999 * ms)
		st.requireEvents()
		st.clock.Advance(time.Hour)
		st.requireEvents("0 expired a", "0 hexpired h", "0 del h")
	})
}

func TestRestore_WatchedKeysHaveChanged(t *testing.T) {
	inStore(t, func(st *testStore) {
		st.put("now", "1", 0)
		s := st.snapshot()
		st.restore(new(Snapshot))
		st.put("before", "1", 0)
		watch := func(key string) *Watch {
			w := new(Watch)
			st.all(func(tx *Tx) { tx.Watch(w, []byte(key)) })
			t.Cleanup(func() { st.Unwatch(w) })
			return w
		}
		before, now, never := watch("before"), watch("now"), watch("never")
		st.restore(s)
		require.True(t, before.Dirty())
		require.True(t, now.Dirty())
		require.False(t, never.Dirty())
	})
}

func TestRestore_ServesWhoWaits(t *testing.T) {
	inStore(t, func(st *testStore) {
		st.put("list", "what they wait for", 0)
		s := st.snapshot()
		st.restore(new(Snapshot))
		var served []string
		w := &Waiter{Kind: (*String)(nil), Done: func() bool { return len(served) > 0 }}
		w.Serve = func(tx *Tx, key []byte) {
			if tx.Lookup(key, Inspect).Exists() {
				served = append(served, string(key))
				st.StopCounting(w)
			}
		}
		st.all(func(tx *Tx) { tx.Await(w, [][]byte{[]byte("list"), []byte("other")}) })
		st.restore(new(Snapshot))
		require.Empty(t, served)
		st.restore(s)
		require.Equal(t, "list", strings.Join(served, " "))
		st.Leave(w)
	})
}

// A connection that shares a time among the commands of a batch must not take keys for expired that Restore has put
// back, with the clock.
func TestRestore_BatchesLookAtTheClockAgain(t *testing.T) {
	inStore(t, func(st *testStore) {
		defer st.Close()
		st.put("a", "1", 1000)
		s, start := st.snapshot(), st.clock.Now()
		st.clock.Advance(time.Minute)
		tx := st.NewTx()
		exists := func() (found bool) {
			tx.SameTime(true)
			tx.Do(LockOf([]byte("a")), false, func() { found = tx.Lookup([]byte("a"), Inspect).Exists() }, func() {})
			return found
		}
		require.False(t, exists())
		st.clock.Exclusive(func(c clock.Changing) {
			st.all(func(tx *Tx) {
				c.Restore(clock.State{At: start, Speed: 1})
				tx.Restore(s)
			})
		})
		require.True(t, exists())
	})
}

func TestRestore_CountsMemoryUnderALimit(t *testing.T) {
	inStore(t, func(st *testStore) {
		st.all(func(tx *Tx) { tx.SetLimits(Limits{Memory: 1 << 30, Samples: 5}) })
		st.put("a", "1", 0)
		s, used := st.snapshot(), st.used.Load()
		st.put("b", "2", 0)
		st.restore(s)
		require.Equal(t, used, st.used.Load())
		require.NoError(t, st.Check())
	})
}
