package store

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"testing/synctest"
	"time"
	"unsafe"

	"github.com/minilockd/minilockd/internal/require"
)

// putFields stores a hash of database 0 whose fields f0, f1 … expire in the given numbers of ms from now; 0 is for one
// that does not expire.
func (st *testStore) putFields(key string, ttl ...int64) {
	st.all(func(tx *Tx) {
		h, err := GetOrCreate(tx, []byte(key), NewHash)
		require.NoError(st.t, err)
		for i, ms := range ttl {
			field := fmt.Append(nil, "f", i)
			h.Set(defaultThresholds, field, fmt.Append(nil, i))
			if ms != 0 {
				require.True(st.t, tx.ExpireField([]byte(key), h, field, tx.Now()+ms))
			}
		}
	})
}

// fields are those of a hash with what is left to them in ms, -1 where that is for ever.
func (st *testStore) fields(db int, key string) map[string]int64 {
	found := map[string]int64{}
	st.all(func(tx *Tx) {
		tx.In(db, func() {
			h, err := Get[*Hash](tx, []byte(key), ForRead)
			require.NoError(st.t, err)
			if h == nil {
				return
			}
			h.Each(func(field, _ []byte) bool {
				found[string(field)] = -1
				if when, ok := h.ExpireAt(field); ok {
					found[string(field)] = when - tx.Now()
				}
				return true
			})
		})
	})
	return found
}

func TestHash_WithoutDeadlinesIsAsSmallAsBefore(t *testing.T) {
	require.LessOrEqual(t, unsafe.Sizeof(Hash{}), uintptr(32))
	h := hashOf(3)
	h.setDeadline([]byte("f1"), 5)
	h.setDeadline([]byte("f2"), 5)
	h.Set(defaultThresholds, []byte("f1"), nil)
	require.NotNil(t, h.deadlines())
	h.Delete([]byte("f2"))
	require.Nil(t, h.deadlines())
	require.True(t, h.PackedWithDeadlines())
	require.False(t, hashOf(3).PackedWithDeadlines())
}

// The model is a map; the sizes cross the threshold between the packed form and the table.
func TestHash_DeadlinesAgreeWithMap(t *testing.T) {
	for _, fields := range []int{5, 700} {
		r := rand.New(rand.NewPCG(uint64(fields), 2))
		h, model := hashOf(fields), map[string]int64{}
		for now := range int64(5000) {
			field := fmt.Sprint("f", r.IntN(fields))
			switch r.IntN(5) {
			case 0:
				h.Set(defaultThresholds, []byte(field), []byte("v"))
				delete(model, field)
			case 1:
				_, had := model[field]
				require.Equal(t, had, h.Persist([]byte(field)))
				delete(model, field)
			default:
				h.Update(defaultThresholds, []byte(field), []byte("w"))
				model[field] = now + r.Int64N(500)
				h.setDeadline([]byte(field), model[field])
			}
			for field, when := range model {
				if when <= now {
					delete(model, field)
				}
			}
			for h.dropDue(now, nil) > 0 {
			}
			require.Equal(t, model, deadlinesOf(h))
		}
		require.Equal(t, model, deadlinesOf(h.Clone().(*Hash)))
	}
}

func deadlinesOf(h *Hash) map[string]int64 {
	found := map[string]int64{}
	h.Each(func(field, _ []byte) bool {
		if when, ok := h.ExpireAt(field); ok {
			found[string(field)] = when
		}
		return true
	})
	return found
}

func TestFieldDeadlines_CountDue(t *testing.T) {
	h := hashOf(100)
	for i := range 100 {
		h.setDeadline(fmt.Append(nil, "f", i), int64(i*37%100))
	}
	for now := range int64(101) {
		require.Equal(t, int(min(now, 100)), h.deadlines().countDue(now-1))
	}
}

func TestExpireField_IsGoneAtThatVeryMillisecond(t *testing.T) {
	inStore(t, func(st *testStore) {
		st.putFields("h", 30000, 0)
		st.clock.Advance(29999 * ms)
		require.Equal(t, map[string]int64{"f0": 1, "f1": -1}, st.fields(0, "h"))
		st.requireEvents()
		st.clock.Advance(ms)
		require.Equal(t, map[string]int64{"f1": -1}, st.fields(0, "h"))
		st.requireEvents("0 hexpired h")
	})
}

func TestExpireField_WithoutACommand(t *testing.T) {
	inStore(t, func(st *testStore) {
		st.putFields("h", 1, 2)
		time.Sleep(2 * ms) // of virtual time
		st.requireEvents("0 hexpired h", "0 hexpired h", "0 del h")
		st.all(func(tx *Tx) { require.Zero(t, tx.Size(0)) })
	})
}

func TestExpireField_EventsComeInOrderWithThoseOfKeys(t *testing.T) {
	inStore(t, func(st *testStore) {
		st.put("{t}key", "", 20)
		st.putFields("{t}h", 30, 10, 20, 20, 0)
		st.putFields("{t}i", 25, 5)
		st.clock.Advance(time.Second)
		st.requireEvents("0 hexpired {t}i", "0 hexpired {t}h", "0 expired {t}key", "0 hexpired {t}h",
			"0 hexpired {t}i", "0 del {t}i", "0 hexpired {t}h")
		require.Equal(t, map[string]int64{"f4": -1}, st.fields(0, "{t}h"))
	})
}

// Whether the timer or a command is first, the events are the same.
func TestExpireField_FoundByALookup(t *testing.T) {
	inStore(t, func(st *testStore) {
		st.Close() // no timer
		st.putFields("h", 10, 20, 20, 40)
		st.putFields("with", 10, 30)
		st.all(func(tx *Tx) { tx.SetExpire([]byte("with"), tx.Now()+30) })
		st.clock.Advance(30 * ms)
		require.Equal(t, map[string]int64{"f3": 10}, st.fields(0, "h"))
		st.requireEvents("0 hexpired h", "0 hexpired h")
		require.Empty(t, st.fields(0, "with"))
		st.requireEvents("0 hexpired with", "0 expired with")
	})
}

func TestExpireField_HashWithNothingLeftIsNotSeen(t *testing.T) {
	inStore(t, func(st *testStore) {
		st.Close() // no timer
		st.putFields("gone", 10, 20)
		st.putFields("left", 10, 30)
		st.clock.Advance(20 * ms)
		st.all(func(tx *Tx) {
			var keys []string
			tx.Each(func(key []byte, _ Entry) bool { keys = append(keys, string(key)); return true })
			require.Equal(t, []string{"left"}, keys)
			require.Equal(t, "left", string(tx.RandomKey()))
		})
	})
}

func TestExpireField_ChangedDeadlines(t *testing.T) {
	inStore(t, func(st *testStore) {
		st.putFields("h", 10, 10, 10, 10, 100)
		st.all(func(tx *Tx) {
			h, err := Get[*Hash](tx, []byte("h"), ForWrite)
			require.NoError(t, err)
			require.True(t, h.Persist([]byte("f0")))
			require.False(t, h.Persist([]byte("f0")))
			h.Set(defaultThresholds, []byte("f1"), nil)
			h.Update(defaultThresholds, []byte("f2"), nil)
			h.Delete([]byte("f3"))
			require.False(t, tx.ExpireField([]byte("h"), h, []byte("f3"), tx.Now()+5))
			tx.ExpireField([]byte("h"), h, []byte("f4"), tx.Now()+5)
		})
		require.Equal(t, map[string]int64{"f0": -1, "f1": -1, "f2": 10, "f4": 5}, st.fields(0, "h"))
		st.clock.Advance(5 * ms)
		st.requireEvents("0 hexpired h")
		st.clock.Advance(5 * ms)
		st.requireEvents("0 hexpired h")
		st.clock.Advance(time.Second)
		st.requireEvents()
	})
}

func TestExpireField_DeadlinesMoveWithTheValue(t *testing.T) {
	inStore(t, func(st *testStore) {
		st.putFields("h", 10, 0)
		st.putFields("replaced", 10, 0)
		st.all(func(tx *Tx) {
			move(tx, []byte("h"), []byte("renamed"))
			tx.PutUntil([]byte("copy"), tx.findLive([]byte("renamed")).Value().Clone(), 0)
			moveTo(tx, 3, []byte("renamed"))
			tx.Swap(3, 4)
			tx.Put([]byte("replaced"), NewString(nil), false)
		})
		require.Equal(t, map[string]int64{"f0": 10, "f1": -1}, st.fields(4, "renamed"))
		st.clock.Advance(10 * ms)
		require.ElementsMatch(t, []string{"4 hexpired renamed", "0 hexpired copy"}, st.takeEvents())
	})
}

func TestExpireField_ForgottenByFlush(t *testing.T) {
	inStore(t, func(st *testStore) {
		st.putFields("h", 10)
		st.all(func(tx *Tx) { tx.Flush(0) })
		st.putFields("h", 0)
		st.clock.Advance(10 * ms)
		st.requireEvents()
	})
}

func TestExpireField_IsPutBackByARollback(t *testing.T) {
	inStore(t, func(st *testStore) {
		st.putFields("{t}h", 10, 20, 0)
		runs := st.inShards("{t}", func(tx *Tx) {
			h, err := Get[*Hash](tx, []byte("{t}h"), ForWrite)
			require.NoError(t, err)
			if tx.Held() != All {
				h.Set(defaultThresholds, []byte("f0"), nil)
				tx.ExpireField([]byte("{t}h"), h, []byte("f2"), tx.Now()+5)
				tx.Delete([]byte("{t}h"))
			}
			restartOnce(tx)
		})
		require.Equal(t, 2, runs)
		require.Equal(t, map[string]int64{"f0": 10, "f1": 20, "f2": -1}, st.fields(0, "{t}h"))
		st.clock.Advance(20 * ms)
		st.requireEvents("0 hexpired {t}h", "0 hexpired {t}h")
	})
}

// The event of a field that expires in a run which is rolled back is sent all the same, and once.
func TestExpireField_WithinARunThatRestarts(t *testing.T) {
	inStore(t, func(st *testStore) {
		var log []string
		st.SetEventSink(func(tx *Tx, _ EventClass, event string, _ int, key []byte) {
			tx.Defer(effect{event + " " + string(key), &log})
		})
		st.putFields("{t}h", 10, 0)
		log = nil
		runs := st.inShards("{t}", func(tx *Tx) {
			tx.clock.now += 10 // before the timer has fired
			h, err := Get[*Hash](tx, []byte("{t}h"), ForRead)
			require.NoError(t, err)
			require.Equal(t, 1, h.Len())
			restartOnce(tx)
		})
		require.Equal(t, 2, runs)
		require.Equal(t, []string{"hexpired {t}h"}, log)
	})
}

func TestExpireField_IsSeenByWatch(t *testing.T) {
	inStore(t, func(st *testStore) {
		st.putFields("h", 10, 0)
		var w Watch
		st.all(func(tx *Tx) { tx.Watch(&w, []byte("h")) })
		st.clock.Advance(10 * ms)
		synctest.Wait()
		require.True(t, w.Dirty())
	})
}

func TestExpireField_DoesNotCountAsAnExpiringKey(t *testing.T) {
	inStore(t, func(st *testStore) {
		st.putFields("h", 10, 0)
		st.put("key", "", 100)
		st.all(func(tx *Tx) {
			n, mean := tx.Expiring(0)
			require.Equal(t, 1, n)
			require.Equal(t, int64(100), mean)
		})
	})
}

// Each field in a millisecond of its own, in one large hash.
func TestExpireField_ManyFields(t *testing.T) {
	inStore(t, func(st *testStore) {
		const fields = 20_000
		ttl := make([]int64, fields)
		for i := range ttl {
			ttl[i] = int64(1 + i*7%fields)
		}
		st.putFields("h", ttl...)
		st.clock.Advance(fields / 2 * ms)
		require.Len(t, st.takeEvents(), fields/2)
		require.Len(t, st.fields(0, "h"), fields/2)
		st.clock.Advance(fields / 2 * ms)
		require.Len(t, st.takeEvents(), fields/2+1)
		st.all(func(tx *Tx) { require.Zero(t, tx.Size(0)) })
	})
}

// BenchmarkExpireField_1000000 lets 1,000,000 fields of one hash expire, each in a millisecond of its own, and reports
// what adding and removing cost for each field.
func BenchmarkExpireField_1000000(b *testing.B) {
	const fields = 1_000_000
	for b.Loop() {
		h := hashOf(fields)
		order := rand.Perm(fields)
		start := time.Now()
		for i, at := range order {
			h.setDeadline(fmt.Append(nil, "f", i), int64(at))
		}
		added := time.Now()
		for h.dropDue(fields, nil) > 0 {
		}
		b.ReportMetric(float64(added.Sub(start))/fields, "ns/added")
		b.ReportMetric(float64(time.Since(added))/fields, "ns/removed")
		require.Zero(b, h.Len())
	}
}
