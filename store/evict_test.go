package store

import (
	"fmt"
	"math"
	"testing"

	"github.com/minilockd/minilockd/internal/require"
)

// limit sets limits that the keys exceed, and evicts.
func (st *testStore) limit(policy Policy) (more bool) {
	st.all(func(tx *Tx) {
		tx.SetLimits(Limits{Memory: 1, Policy: policy, Samples: 5, LFULogFactor: 10, LFUDecay: 1})
		more = tx.Evict(10)
	})
	return more
}

func TestTx_Evict_FindsTheFewVolatileKeys(t *testing.T) {
	for _, policy := range []Policy{VolatileLRU, VolatileLFU, VolatileRandom, VolatileTTL} {
		inStore(t, func(st *testStore) {
			for i := range 2000 {
				st.put(fmt.Sprint("stays", i), "v", 0)
			}
			st.put("a", "v", 1000)
			st.put("b", "v", 1000)
			require.False(t, st.limit(policy))
			require.EqualValues(t, 2, st.Evicted())
			require.Len(t, st.dump(0), 2000)
		})
	}
}

// The largest number of samples that CONFIG SET takes keeps no other client waiting for long.
func TestTx_Evict_CountlessSamples(t *testing.T) {
	inStore(t, func(st *testStore) {
		st.put("a", "v", 0)
		st.put("b", "v", 1000)
		st.all(func(tx *Tx) {
			tx.SetLimits(Limits{Memory: 1, Policy: VolatileTTL, Samples: math.MaxInt32})
			require.False(t, tx.Evict(10))
		})
		require.EqualValues(t, 1, st.Evicted())
	})
}

func TestTx_Evict_FromAllDatabasesAndNoMoreThanCount(t *testing.T) {
	inStore(t, func(st *testStore) {
		for db := range 16 {
			st.all(func(tx *Tx) { tx.In(db, func() { tx.SetString([]byte("k"), []byte("v"), false) }) })
		}
		require.True(t, st.limit(AllKeysRandom))
		require.EqualValues(t, 10, st.Evicted())
		require.False(t, st.limit(AllKeysLRU))
		require.EqualValues(t, 16, st.Evicted())
		require.Equal(t, BaseMemory, st.memory())
		require.False(t, st.limit(NoEviction))
	})
}

func TestTx_MakeRoom(t *testing.T) {
	inStore(t, func(st *testStore) {
		for i := range 1000 {
			st.put(fmt.Sprint(i), "v", 0)
		}
		limit := st.memory() / 2
		st.all(func(tx *Tx) { tx.SetLimits(Limits{Memory: limit, Policy: AllKeysLRU, Samples: 5}) })
		require.True(t, st.OverLimit())
		require.True(t, st.NewTx().MakeRoom())
		require.LessOrEqual(t, st.memory(), limit)
		require.Greater(t, st.memory(), limit-200)
		st.all(func(tx *Tx) { tx.SetLimits(Limits{Memory: 1}) })
		require.False(t, st.NewTx().MakeRoom())
	})
}

func TestPolicyNamed(t *testing.T) {
	for p := NoEviction; p <= VolatileTTL; p++ {
		require.Equal(t, p, PolicyNamed(p.String()))
	}
	require.Equal(t, NoEviction, PolicyNamed("none"))
}
