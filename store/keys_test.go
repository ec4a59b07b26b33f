package store

import (
	"errors"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"strconv"
	"testing"
	"testing/synctest"
	"time"

	"github.com/minilockd/minilockd/internal/require"
)

func TestTx_Put_KeepsTheExpiryOnlyWithKeepTTL(t *testing.T) {
	inStore(t, func(st *testStore) {
		st.put("a", "1", 100)
		st.put("b", "1", 100)
		st.all(func(tx *Tx) {
			tx.Put([]byte("a"), NewString([]byte("2")), true)
			tx.Put([]byte("b"), NewString([]byte("2")), false)
		})
		require.Equal(t, map[string]string{"a": "2 for 100", "b": "2"}, st.dump(0))
	})
}

func TestTx_Delete_Persist_SetExpire_TellWhetherTheyDidAnything(t *testing.T) {
	inStore(t, func(st *testStore) {
		st.put("a", "1", 100)
		a, missing := []byte("a"), []byte("missing")
		st.all(func(tx *Tx) {
			require.False(t, tx.Persist(missing))
			require.True(t, tx.Persist(a))
			require.False(t, tx.Persist(a))
			require.False(t, tx.SetExpire(missing, tx.Now()+1))
			require.True(t, tx.SetExpire(a, tx.Now()+1))
			require.True(t, tx.Delete(a))
			require.False(t, tx.Delete(a))
		})
		st.clock.Advance(time.Second)
		st.requireEvents() // the timer went with the key
	})
}

func TestTx_Take_GivesTheValueItself(t *testing.T) {
	inStore(t, func(st *testStore) {
		st.put("a", "1", 100)
		st.all(func(tx *Tx) {
			before := tx.findLive([]byte("a")).Value()
			val, when := tx.Take([]byte("a"))
			require.Same(t, before, val)
			require.Equal(t, tx.Now()+100, when)
			tx.PutUntil([]byte("b"), val, when)
			val, when = tx.Take([]byte("a"))
			require.Nil(t, val)
			require.Zero(t, when)
		})
		require.Equal(t, map[string]string{"b": "1 for 100"}, st.dump(0))
	})
}

func TestTx_In_ComesBackWhateverHappens(t *testing.T) {
	inStore(t, func(st *testStore) {
		st.all(func(tx *Tx) {
			tx.In(3, func() { require.Equal(t, 3, tx.DB()) })
			require.Panics(t, func() { tx.In(3, func() { panic("within") }) })
			require.Zero(t, tx.DB())
		})
	})
}

func TestTx_Swap_ExchangesKeysWithTheirExpiry(t *testing.T) {
	inStore(t, func(st *testStore) {
		st.put("a", "0", 100)
		st.put("b", "0", 0)
		st.all(func(tx *Tx) { tx.In(5, func() { tx.Put([]byte("c"), NewString([]byte("5")), false) }) })
		st.all(func(tx *Tx) { tx.Swap(0, 5) })
		require.Equal(t, map[string]string{"c": "5"}, st.dump(0))
		require.Equal(t, map[string]string{"a": "0 for 100", "b": "0"}, st.dump(5))

		st.clock.Advance(100 * time.Millisecond)
		st.requireEvents("5 expired a")
		require.Equal(t, map[string]string{"b": "0"}, st.dump(5))
	})
}

func TestTx_Scan_FindsEveryKeyThatStays(t *testing.T) {
	inStore(t, func(st *testStore) {
		const stay = 1000
		for i := range stay {
			st.put(fmt.Sprint("stays", i), "", 0)
		}
		seen := map[string]int{}
		for cursor, step := uint64(0), 0; ; step++ {
			st.all(func(tx *Tx) {
				cursor = tx.Scan(cursor, 10, func(key []byte, _ Entry) { seen[string(key)]++ })
			})
			if cursor == 0 {
				break
			}
			st.put(fmt.Sprint("comes", step), "", 0)
			st.all(func(tx *Tx) { tx.Delete(fmt.Append(nil, "comes", step-100)) })
		}
		for i := range stay {
			require.NotZero(t, seen[fmt.Sprint("stays", i)], i)
		}
	})
}

// Whatever comes and goes between the steps, a scan finds what stays, and its cursors are of the order of the tables'
// sizes.
func TestTx_Scan_UnderGrowthAndShrinking(t *testing.T) {
	const stay, most = 300, 20000
	r := rand.New(rand.NewPCG(5, 6))
	inStore(t, func(st *testStore) {
		for i := range stay {
			st.put(fmt.Sprint("stays", i), "", 0)
		}
		for range 5 {
			seen, extra, largest := map[string]int{}, 0, stay
			for cursor := uint64(0); ; {
				st.all(func(tx *Tx) {
					cursor = tx.Scan(cursor, 1+r.IntN(20), func(key []byte, _ Entry) { seen[string(key)]++ })
				})
				if cursor == 0 {
					break
				}
				require.Less(t, cursor, uint64(16*largest))
				if r.IntN(10) > 0 {
					continue
				}
				want := r.IntN(1 << r.IntN(bits.Len(most)))
				st.all(func(tx *Tx) { setPassing(tx, extra, want) })
				extra, largest = want, max(largest, stay+want)
			}
			for i := range stay {
				require.NotZero(t, seen[fmt.Sprint("stays", i)], i)
			}
			st.all(func(tx *Tx) { setPassing(tx, extra, 0) })
		}
	})
}

// setPassing makes want keys of those that pass, where there are n.
func setPassing(tx *Tx, n, want int) {
	for ; n < want; n++ {
		tx.Put(fmt.Append(nil, "passes", n), NewString(nil), false)
	}
	for ; n > want; n-- {
		tx.Delete(fmt.Append(nil, "passes", n-1))
	}
}

func TestTx_Keyspace_SkipsKeysWhoseTimeHasCome(t *testing.T) {
	inStore(t, func(st *testStore) {
		st.put("gone", "", 10)
		st.put("stays", "", 0)
		st.all(func(tx *Tx) {
			tx.clock.now += 10 // before the timer has fired
			tx.Each(func(key []byte, _ Entry) bool { require.Equal(t, "stays", string(key)); return true })
			tx.Scan(0, 1000, func(key []byte, _ Entry) { require.Equal(t, "stays", string(key)) })
			require.Equal(t, "stays", string(tx.RandomKey()))
		})
	})
}

func TestTx_Flush_ClearsOneDatabase(t *testing.T) {
	inStore(t, func(st *testStore) {
		st.put("a", "1", 100)
		st.put("b", "1", 0)
		st.all(func(tx *Tx) {
			tx.In(1, func() { tx.Put([]byte("a"), NewString(nil), false) })
			require.Equal(t, 2, tx.Flush(0))
			require.Zero(t, tx.Flush(0))
			require.Zero(t, tx.Size(0))
			require.Equal(t, 1, tx.Size(1))
			require.Nil(t, tx.RandomKey())
		})
		st.clock.Advance(time.Second)
		synctest.Wait()
		st.requireEvents()
	})
}

func TestTx_Expiring_CountsAndAverages(t *testing.T) {
	inStore(t, func(st *testStore) {
		st.put("a", "1", 100)
		st.put("b", "1", 300)
		st.put("c", "1", 0)
		st.all(func(tx *Tx) {
			n, mean := tx.Expiring(0)
			require.Equal(t, 2, n)
			require.Equal(t, int64(200), mean)
			n, mean = tx.Expiring(1)
			require.Zero(t, n)
			require.Zero(t, mean)
		})
	})
}

// The error for one key is not lost, whatever shard its key is in.
func TestRenew_FailsForAnyKey(t *testing.T) {
	inStore(t, func(st *testStore) {
		st.all(func(tx *Tx) {
			for i := range 100 {
				tx.Put([]byte(strconv.Itoa(i)), NewString([]byte("v")), false)
			}
			for i := range 100 {
				failing := errors.New(strconv.Itoa(i))
				err := tx.Renew(func(key []byte, v Value) (Value, error) {
					if string(key) == strconv.Itoa(i) {
						return nil, failing
					}
					return v, nil
				})
				require.Equal(t, failing, err)
			}
		})
	})
}
