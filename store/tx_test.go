package store

import (
	"strings"
	"testing"
	"time"
	"unsafe"

	"github.com/minilockd/minilockd/internal/clock"
	"github.com/minilockd/minilockd/internal/require"
)

// effect is an Effect that notes its name.
type effect struct {
	name string
	log  *[]string
}

func (e effect) Commit() { *e.log = append(*e.log, e.name) }

// inShards runs f on the shard of one key and lets it restart once. It returns how often f was called.
func (st *testStore) inShards(key string, f func(tx *Tx)) (runs int) {
	tx := st.NewTx()
	tx.Do(LockOf([]byte(key)), true, func() { runs++; f(tx) }, func() {})
	return runs
}

// restartOnce restarts unless every shard is held.
func restartOnce(tx *Tx) {
	if tx.Held() != All {
		tx.Restart()
	}
}

func TestTx_Do_CommitsEffectsInOrderBeforeDone(t *testing.T) {
	inStore(t, func(st *testStore) {
		var log []string
		tx := st.NewTx()
		tx.Do(0, false, func() {
			tx.Defer(effect{"first", &log})
			tx.Defer(effect{"second", &log})
			log = append(log, "run")
		}, func() { log = append(log, "done") })
		require.Equal(t, []string{"run", "first", "second", "done"}, log)
		tx.Do(0, false, func() {}, func() {})
		require.Len(t, log, 4, "an effect happens once")
	})
}

func TestTx_Do_HoldsItsShardsUntilDone(t *testing.T) {
	inStore(t, func(st *testStore) {
		tx := st.NewTx()
		lock := LockOf([]byte("a"))
		mu := &st.shards[shardOf([]byte("a"))].mu
		tx.Do(lock, false, func() { require.Equal(t, lock, tx.Held()) }, func() { require.False(t, mu.TryLock()) })
		require.True(t, mu.TryLock())
		mu.Unlock()
		require.Zero(t, tx.Held())
	})
}

func TestTx_Do_ReleasesItsShardsAfterAPanic(t *testing.T) {
	inStore(t, func(st *testStore) {
		for _, mayRestart := range []bool{false, true} {
			tx := st.NewTx()
			require.PanicsWithValue(t, "a fault", func() {
				tx.Do(LockOf([]byte("a")), mayRestart, func() { panic("a fault") }, func() {})
			})
		}
		st.put("a", "still works", 0)
		require.Len(t, st.dump(0), 1)
	})
}

// faultyEffect panics.
type faultyEffect struct{}

func (faultyEffect) Commit() { panic("a fault") }

// A panic leaves no shard locked, whether it comes of the effects, of the reply, or of what is counted at the end.
func TestTx_Panic_LeavesNoLock(t *testing.T) {
	inStore(t, func(st *testStore) {
		tx, nothing := st.NewTx(), func() {}
		for _, fails := range []func(){
			func() { tx.Do(All, false, func() { tx.Defer(faultyEffect{}) }, nothing) },
			func() { tx.Do(All, false, nothing, func() { panic("a fault") }) },
			func() { tx.Do(All, false, func() { tx.memory.keys = append(tx.memory.keys, openKey{}) }, nothing) },
		} {
			require.Panics(t, fails)
			other := st.NewTx()
			stopped := make(chan struct{})
			close(stopped)
			require.True(t, other.DoUnless(func() <-chan struct{} { return stopped }, All, false, nothing, nothing))
			tx = st.NewTx()
		}
	})
}

func TestTx_Find_OutsideTheShardsPanics(t *testing.T) {
	inStore(t, func(st *testStore) {
		tx := st.NewTx()
		require.Panics(t, func() { tx.Do(0, false, func() { tx.findLive([]byte("a")) }, func() {}) })
		require.Panics(t, func() { tx.Do(0, false, tx.Restart, func() {}) }, "there is no shard is left to lock")
	})
}

func TestTx_Restart_RunsAgainOnEveryShard(t *testing.T) {
	inStore(t, func(st *testStore) {
		var held []Locks
		var log []string
		runs := st.inShards("a", func(tx *Tx) {
			held = append(held, tx.Held())
			tx.Defer(effect{"effect", &log})
			restartOnce(tx)
		})
		require.Equal(t, 2, runs)
		require.Equal(t, []Locks{LockOf([]byte("a")), All}, held)
		require.Equal(t, []string{"effect"}, log, "the effects of the first run are dropped")
	})
}

// A key that the first run used, or changed, has the last use of before the run. The lookups of the run do not count.
func TestTx_Restart_PutsBackWhenKeysWereUsed(t *testing.T) {
	key := []byte("a")
	for name, use := range map[string]func(*Tx){
		"a look":             func(tx *Tx) { tx.Lookup(key, ForRead) },
		"a change":           func(tx *Tx) { appendTo(tx, key) },
		"a look, a change":   func(tx *Tx) { tx.Lookup(key, ForRead); tx.SetExpire(key, tx.Now()+5000) },
		"a change, a look":   func(tx *Tx) { tx.Put(key, NewString(nil), false); tx.Lookup(key, ForRead) },
		"a look, a deletion": func(tx *Tx) { tx.Lookup(key, ForRead); tx.Delete(key) },
	} {
		t.Run(name, func(t *testing.T) {
			inStore(t, func(st *testStore) {
				st.put("a", "x", 0)
				st.clock.Advance(10 * time.Second)
				first := true
				st.inShards("a", func(tx *Tx) {
					if first {
						use(tx)
						tx.Lookup([]byte("a"), NoTouch)
					}
					first = false
					restartOnce(tx)
				})
				st.all(func(tx *Tx) {
					hits, misses := tx.Lookups()
					require.Zero(t, hits+misses)
					require.EqualValues(t, 10, tx.Idle(tx.findLive(key)))
				})
			})
		})
	}
}

// What the first run did must not be seen by the second, nor by another client.
func TestTx_Restart_PutsBackWhatWasThere(t *testing.T) {
	const before = "{t}"
	key := func(name string) []byte { return []byte(before + name) }
	for name, change := range map[string]func(*Tx){
		"a value is replaced":      func(tx *Tx) { tx.Put(key("lasting"), NewString([]byte("x")), false) },
		"a value is set in place":  func(tx *Tx) { tx.SetString(key("expiring"), []byte("x"), false) },
		"a value is appended to":   func(tx *Tx) { appendTo(tx, key("lasting")) },
		"twice":                    func(tx *Tx) { appendTo(tx, key("lasting")); appendTo(tx, key("lasting")) },
		"a key is created":         func(tx *Tx) { tx.Put(key("new"), NewString(nil), false) },
		"a key is made":            func(tx *Tx) { makeString(tx, key("new")) },
		"a key is made to expire":  func(tx *Tx) { makeString(tx, key("new")); tx.SetExpire(key("new"), tx.Now()+5) },
		"a key is deleted":         func(tx *Tx) { tx.Delete(key("expiring")) },
		"and created anew":         func(tx *Tx) { tx.Delete(key("expiring")); makeString(tx, key("expiring")) },
		"an expiry is set":         func(tx *Tx) { tx.SetExpire(key("lasting"), tx.Now()+5) },
		"an expiry is moved":       func(tx *Tx) { tx.SetExpire(key("expiring"), tx.Now()+5) },
		"an expiry is removed":     func(tx *Tx) { tx.Persist(key("expiring")) },
		"a key is renamed":         func(tx *Tx) { move(tx, key("expiring"), key("lasting")) },
		"a key is renamed and set": func(tx *Tx) { move(tx, key("expiring"), key("new")); appendTo(tx, key("new")) },
		"a key is moved":           func(tx *Tx) { moveTo(tx, 1, key("expiring")) },
		"a key elsewhere is set":   func(tx *Tx) { tx.In(1, func() { appendTo(tx, key("elsewhere")) }) },
	} {
		t.Run(name, func(t *testing.T) {
			inStore(t, func(st *testStore) {
				st.put(before+"lasting", "1", 0)
				st.put(before+"expiring", "2", 1000)
				st.all(func(tx *Tx) { tx.In(1, func() { tx.Put(key("elsewhere"), NewString([]byte("3")), false) }) })
				here, there := st.dump(0), st.dump(1)
				runs := st.inShards(before, func(tx *Tx) {
					if tx.Held() != All {
						change(tx)
						tx.Restart()
					}
				})
				require.Equal(t, 2, runs)
				require.Equal(t, here, st.dump(0))
				require.Equal(t, there, st.dump(1))
				st.clock.Advance(time.Second)
				st.requireEvents("0 expired " + before + "expiring")
			})
		})
	}
}

func appendTo(tx *Tx, key []byte) {
	if s, _ := Get[*String](tx, key, ForWrite); s != nil {
		s.Append([]byte("more"))
	}
}

func makeString(tx *Tx, key []byte) {
	s, _ := GetOrCreate(tx, key, func() *String { return NewString(nil) })
	s.Append([]byte("made"))
}

func move(tx *Tx, from, to []byte) {
	val, when := tx.Take(from)
	tx.PutUntil(to, val, when)
}

func moveTo(tx *Tx, db int, key []byte) {
	val, when := tx.Take(key)
	tx.In(db, func() { tx.PutUntil(key, val, when) })
}

func TestTx_Write_OfALargeValueRestarts(t *testing.T) {
	large := strings.Repeat("x", undoMaxWeight+1-NewString(nil).Weight())
	inStore(t, func(st *testStore) {
		st.put("{t}large", large, 0)
		st.put("{t}limit", large[1:], 0)
		require.Equal(t, 1, st.inShards("{t}", func(tx *Tx) { appendTo(tx, []byte("{t}limit")) }))
		runs := st.inShards("{t}", func(tx *Tx) {
			makeString(tx, []byte("{t}other"))
			appendTo(tx, []byte("{t}large"))
		})
		require.Equal(t, 2, runs)
		want := map[string]string{"{t}large": large + "more", "{t}limit": large[1:] + "more", "{t}other": "made"}
		require.Equal(t, want, st.dump(0))
	})
}

func TestTx_Do_WithoutMayRestartWritesLargeValuesAtOnce(t *testing.T) {
	inStore(t, func(st *testStore) {
		st.put("large", strings.Repeat("x", undoMaxWeight+1), 0)
		tx, runs := st.NewTx(), 0
		tx.Do(LockOf([]byte("large")), false, func() { runs++; appendTo(tx, []byte("large")) }, func() {})
		require.Equal(t, 1, runs)
	})
}

func TestTx_TypedAccess(t *testing.T) {
	inStore(t, func(st *testStore) {
		st.put("string", "1", 0)
		st.all(func(tx *Tx) {
			_, err := Get[*Hash](tx, []byte("string"), ForRead)
			require.ErrorIs(t, err, ErrWrongType)
			_, err = Get[*Hash](tx, []byte("string"), ForWrite)
			require.ErrorIs(t, err, ErrWrongType)
			_, err = GetOrCreate(tx, []byte("string"), NewHash)
			require.ErrorIs(t, err, ErrWrongType)
			h, err := Get[*Hash](tx, []byte("missing"), ForWrite)
			require.NoError(t, err)
			require.Nil(t, h)
			require.False(t, tx.Lookup([]byte("missing"), NoStats).Exists())
		})
	})
}

// Shards are used in parallel: if two had a cache line in common, each core would wait for the other's.
func TestStore_NoCacheLineHasTwoShards(t *testing.T) {
	st := New(clock.Real{}, 1)
	defer st.Close()
	line := func(p unsafe.Pointer) uintptr { return uintptr(p) / cacheLine }
	seen := make(map[uintptr]bool)
	for i := range st.shards {
		own := line(unsafe.Pointer(&st.shards[i].mu))
		require.Equal(t, own, line(unsafe.Pointer(&st.shards[i].counts.hits)), "one line is enough")
		require.False(t, seen[own])
		seen[own] = true
	}
}
