package store

import (
	"fmt"
	"math"
	"testing"
	"testing/synctest"
	"time"

	"github.com/minilockd/minilockd/internal/require"
)

const ms = time.Millisecond

func TestExpire_KeyIsGoneAtThatVeryMillisecond(t *testing.T) {
	inStore(t, func(st *testStore) {
		st.put("a", "1", 30000)
		exists := func() (found bool) {
			st.all(func(tx *Tx) { found = tx.Lookup([]byte("a"), NoStats).Exists() })
			return found
		}
		st.clock.Advance(29999 * ms)
		require.True(t, exists())
		st.requireEvents()
		st.clock.Advance(ms)
		require.False(t, exists(), "whether or not the timer has had its turn")
		st.requireEvents("0 expired a")
		require.Equal(t, int64(1), st.Expired())
	})
}

func TestExpire_WithoutACommand(t *testing.T) {
	inStore(t, func(st *testStore) {
		st.put("a", "1", 1)
		time.Sleep(ms) // of virtual time
		st.requireEvents("0 expired a")
		st.all(func(tx *Tx) { require.Zero(t, tx.Size(0)) })
	})
}

func TestExpire_EventsOfOneShardComeInOrderOfTime(t *testing.T) {
	inStore(t, func(st *testStore) {
		for _, key := range []struct {
			name string
			ttl  int64
		}{{"fifth", 900}, {"second", 20}, {"first", 10}, {"third", 20}, {"later", 2000}, {"fourth", 100}} {
			st.put("{t}"+key.name, "", key.ttl)
		}
		st.clock.Advance(time.Second)
		st.requireEvents("0 expired {t}first", "0 expired {t}second", "0 expired {t}third",
			"0 expired {t}fourth", "0 expired {t}fifth")
	})
}

func TestExpire_EveryKeyInItsOwnMillisecond(t *testing.T) {
	inStore(t, func(st *testStore) {
		const keys = 500
		for i := range keys { // over all shards
			st.put(fmt.Sprint(i), "", int64(1+i*7%keys))
		}
		for at := range keys {
			st.clock.Advance(ms)
			events := st.takeEvents()
			require.Len(t, events, 1)
			var i int
			_, err := fmt.Sscanf(events[0], "0 expired %d", &i)
			require.NoError(t, err)
			require.Equal(t, at, i*7%keys)
		}
	})
}

func TestExpire_MovedAndRemovedDeadlines(t *testing.T) {
	inStore(t, func(st *testStore) {
		st.put("later", "", 100)
		st.put("sooner", "", 100)
		st.put("never", "", 100)
		st.put("replaced", "", 100)
		st.all(func(tx *Tx) {
			tx.SetExpire([]byte("later"), tx.Now()+200)
			tx.SetExpire([]byte("sooner"), tx.Now()+50)
			tx.Persist([]byte("never"))
			tx.Put([]byte("replaced"), NewString(nil), false)
		})
		st.clock.Advance(50 * ms)
		st.requireEvents("0 expired sooner")
		st.clock.Advance(149 * ms)
		st.requireEvents()
		st.clock.Advance(ms)
		st.requireEvents("0 expired later")
		require.Len(t, st.dump(0), 2)
	})
}

func TestExpire_DeadlineInThePast(t *testing.T) {
	inStore(t, func(st *testStore) {
		st.put("a", "", -1000)
		st.all(func(tx *Tx) { require.False(t, tx.Lookup([]byte("a"), NoStats).Exists()) })
		st.requireEvents("0 expired a")
	})
}

// A duration of time.Duration ends after 292 years. The timer must neither fire too early nor over and over.
func TestExpire_DeadlinesBeyondADuration(t *testing.T) {
	inStore(t, func(st *testStore) {
		st.all(func(tx *Tx) {
			for i, when := range []int64{math.MaxInt64, math.MaxInt64 - 1, tx.Now() + 12e12, tx.Now() + 15e15} {
				tx.PutUntil(fmt.Append(nil, i), NewString(nil), when)
			}
		})
		synctest.Wait()
		st.requireEvents()
		st.put("soon", "", 1)
		st.clock.Advance(ms)
		st.requireEvents("0 expired soon")
		require.Len(t, st.dump(0), 4)
	})
}

func TestExpire_InEveryDatabase(t *testing.T) {
	inStore(t, func(st *testStore) {
		st.all(func(tx *Tx) {
			for db := range 3 {
				tx.In(db, func() { tx.PutUntil([]byte("a"), NewString(nil), tx.Now()+int64(30-10*db)) })
			}
		})
		for _, want := range []string{"2 expired a", "1 expired a", "0 expired a"} {
			st.clock.Advance(10 * ms)
			st.requireEvents(want)
		}
	})
}

// The event of a key that expires in a run which is rolled back is sent all the same, and once.
func TestExpire_WithinARunThatRestarts(t *testing.T) {
	inStore(t, func(st *testStore) {
		var log []string
		st.SetEventSink(func(tx *Tx, class EventClass, event string, _ int, key []byte) {
			if class == EventNew {
				return
			}
			tx.Defer(effect{event + " " + string(key), &log})
		})
		st.put("{t}a", "1", 10)
		runs := st.inShards("{t}", func(tx *Tx) {
			tx.clock.now += 10 // before the timer has fired
			require.False(t, tx.Lookup([]byte("{t}a"), NoStats).Exists())
			restartOnce(tx)
		})
		require.Equal(t, 2, runs)
		require.Equal(t, []string{"expired {t}a"}, log)
	})
}

func TestStore_Close_LeavesKeysReadable(t *testing.T) {
	inStore(t, func(st *testStore) {
		st.put("a", "1", 10)
		st.put("b", "1", 0)
		st.Close()
		time.Sleep(time.Second) // of virtual time
		st.requireEvents()
		st.all(func(tx *Tx) {
			require.False(t, tx.Lookup([]byte("a"), NoStats).Exists())
			require.True(t, tx.Lookup([]byte("b"), NoStats).Exists())
		})
	})
}
