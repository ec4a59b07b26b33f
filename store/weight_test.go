package store

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/minilockd/minilockd/internal/require"
)

// memory is what the store has counted, in bytes.
func (st *testStore) memory() (bytes int64) {
	st.all(func(tx *Tx) { bytes = tx.Memory() })
	return bytes
}

// computed is what it should have counted: the sum over all keys, computed again.
func (st *testStore) computed() (bytes int64) {
	bytes = BaseMemory
	st.all(func(tx *Tx) {
		for db := range st.Databases() {
			tx.In(db, func() {
				tx.Each(func(_ []byte, e Entry) bool { bytes += int64(e.Weight()); return true })
			})
		}
	})
	return bytes
}

// randomChange changes one of a few keys somehow.
func randomChange(tx *Tx, rnd *rand.Rand, key []byte) {
	elem := fmt.Appendf(nil, "%0*d", 1+rnd.IntN(300), rnd.IntN(40))
	switch rnd.IntN(9) {
	case 0:
		tx.SetString(key, elem, false)
	case 1:
		tx.Delete(key)
	case 2:
		tx.SetExpire(key, tx.Now()+rnd.Int64N(50))
	case 3:
		if tx.Lookup(key, NoStats).Exists() {
			move(tx, key, fmt.Appendf(nil, "%s2", key))
		}
	case 4:
		if h, err := GetOrCreate(tx, key, NewHash); err == nil {
			h.Set(defaultThresholds, elem, elem)
			if rnd.IntN(3) == 0 {
				tx.ExpireField(key, h, elem, tx.Now()+rnd.Int64N(50))
			}
		}
	case 5:
		if l, err := GetOrCreate(tx, key, NewList); err == nil {
			changeList(l, rnd, elem)
		}
	case 6:
		if s, err := GetOrCreate(tx, key, NewSet); err == nil && !s.Add(elem) {
			s.Remove(elem)
		}
	case 7:
		if z, err := GetOrCreate(tx, key, NewZSet); err == nil && !z.Set(elem, rnd.Float64()) {
			z.Delete(elem)
		}
	case 8:
		if s, err := GetOrCreate(tx, key, NewStream); err == nil {
			s.Append(defaultThresholds, s.NextID(tx.Now()), [][]byte{elem, elem})
		}
	}
}

func changeList(l *List, rnd *rand.Rand, elem []byte) {
	end := End(rnd.IntN(2) == 0)
	switch n := rnd.IntN(8); {
	case l.Len() == 0 || n < 4:
		l.Push(elem, end)
	case n == 4:
		l.Pop(end)
	case n == 5:
		l.Set(rnd.IntN(l.Len()), elem)
	case n == 6:
		l.Insert(l.At(rnd.IntN(l.Len())), elem, true)
	default:
		l.Remove(l.At(rnd.IntN(l.Len())), 0, end)
	}
}

func TestTx_Memory_IsTheSumOfWhatIsThere(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	inStore(t, func(st *testStore) {
		empty := st.memory()
		require.Equal(t, BaseMemory, empty)
		tx := st.NewTx()
		for i := range 5000 {
			key := fmt.Appendf(nil, "{k%d}", rnd.IntN(50))
			tx.Select(rnd.IntN(3))
			restart := rnd.IntN(2) == 0
			tx.Do(LockOf(key), restart, func() {
				for range 1 + rnd.IntN(4) {
					randomChange(tx, rnd, key)
				}
				if restart && tx.Held() != All {
					tx.Restart()
				}
			}, func() {})
			switch {
			case i%500 == 0:
				st.all(func(tx *Tx) { tx.Flush(rnd.IntN(3)) })
			case i%700 == 0:
				st.all(func(tx *Tx) { tx.Swap(0, 1) })
			case i%100 == 0:
				st.clock.Advance(30)
			}
			st.ExpireDue()
			require.Equal(t, st.computed(), st.memory(), "change %d", i)
		}
		st.all(func(tx *Tx) {
			for db := range 3 {
				tx.Flush(db)
			}
		})
		require.Equal(t, empty, st.memory())
	})
}

func TestTx_Memory_AfterARollback(t *testing.T) {
	inStore(t, func(st *testStore) {
		st.put("{t}there", "old", 1000)
		before, during := st.memory(), int64(0)
		runs := 0
		tx := st.NewTx()
		tx.Do(LockOf([]byte("{t}")), true, func() {
			runs++
			if tx.Held() == All {
				during = tx.Memory()
				return
			}
			makeString(tx, []byte("{t}new"))
			appendTo(tx, []byte("{t}there"))
			tx.Restart()
		}, func() {})
		require.Equal(t, 2, runs)
		require.Equal(t, before, during)
	})
}

func TestList_Weight(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	l := NewList()
	for range 20_000 {
		changeList(l, rnd, fmt.Appendf(nil, "%0*d", 1+rnd.IntN(2000), rnd.IntN(400)))
		if rnd.IntN(1000) == 0 {
			l.Trim(SpanOf(rnd.IntN(10), -rnd.IntN(10), l.Len()))
		}
	}
	bytes := 0
	for i := range l.live() {
		bytes += l.live()[i].used()
	}
	require.Equal(t, bytes, l.bytes)
	require.Greater(t, l.Weight(), bytes)
}
