package store

import (
	"strconv"
	"strings"
	"testing"

	"github.com/minilockd/minilockd/internal/require"
)

// fillHash, fillSet and fillZSet add n elements to a new value under the thresholds.
func fillHash(t *Thresholds, fields int) *Hash {
	h := NewHash()
	for i := range fields {
		h.Set(t, []byte(strconv.Itoa(i)), []byte("v"))
	}
	return h
}

func fillSet(t *Thresholds, members int) *Set {
	s := Bind(NewSet(), t)
	for i := range members {
		s.Add([]byte(strconv.Itoa(i)))
	}
	return s
}

func fillZSet(t *Thresholds, members int) *ZSet {
	z := Bind(NewZSet(), t)
	for i := range members {
		z.Set([]byte(strconv.Itoa(i)), float64(i))
	}
	return z
}

func TestThresholds_Entries(t *testing.T) {
	limits := NewThresholds()
	limits.HashEntries.Store(3)
	limits.SetInts.Store(3)
	limits.ZSetEntries.Store(3)
	for n := range 5 {
		require.Equal(t, n <= 3, fillHash(limits, n).Packed(), n)
		require.Equal(t, n <= 3, fillSet(limits, n).Packed(), n)
		require.Equal(t, n <= 3, fillZSet(limits, n).Packed(), n)
	}
	for _, higher := range []int64{1000, 100_000} {
		limits.HashEntries.Store(higher)
		limits.SetInts.Store(higher)
		limits.ZSetEntries.Store(higher)
		require.True(t, fillHash(limits, 1000).Packed())
		require.True(t, fillSet(limits, 1000).Packed())
		z := fillZSet(limits, 1000)
		require.True(t, z.Packed())
		n := 1000
		z.WalkBack(z.All(), func(_ []byte, score float64) bool { n--; return int(score) == n })
		require.Zero(t, n)
	}
}

func TestThresholds_Values(t *testing.T) {
	limits := NewThresholds()
	limits.HashValue.Store(100)
	limits.ZSetValue.Store(100)
	for _, size := range []int{65, 100, 101} {
		long := []byte(strings.Repeat("x", size))
		h, z := fillHash(limits, 1), fillZSet(limits, 1)
		h.Set(limits, []byte("f"), long)
		z.Set(long, 1.5)
		require.Equal(t, size <= 100, h.Packed(), size)
		require.Equal(t, size <= 100, z.Packed(), size)
		score, ok := z.Score(long)
		require.True(t, ok)
		require.Equal(t, 1.5, score)
	}
}

// A hash that has more fields than the threshold, because that was lowered, becomes a table when any of its fields is
// set.
func TestThresholds_Lowered(t *testing.T) {
	limits := NewThresholds()
	h, s, z := fillHash(limits, 10), fillSet(limits, 10), fillZSet(limits, 10)
	limits.HashEntries.Store(5)
	limits.SetInts.Store(5)
	limits.ZSetEntries.Store(5)
	h.Delete([]byte("1"))
	require.True(t, h.Packed())
	require.False(t, h.Set(limits, []byte("2"), []byte("w")))
	require.False(t, h.Packed())
	s.Remove([]byte("1"))
	require.True(t, s.Packed())
	s.Add([]byte("100"))
	require.False(t, s.Packed())
	require.False(t, z.Set([]byte("1"), 7))
	require.True(t, z.Packed())
	z.Set([]byte("100"), 7)
	require.False(t, z.Packed())
	require.Equal(t, []int{9, 10, 11}, []int{h.Len(), s.Len(), z.Len()})
}

// A set or sorted set that was made with the default thresholds takes the form that those of the keyspace require,
// either way, and keeps the form it has come to there.
func TestThresholds_ApplyWhenAValueIsStored(t *testing.T) {
	packed := func(v Value) bool { return v.(interface{ Packed() bool }).Packed() }
	fills := []func(t *Thresholds, n int) Value{
		func(t *Thresholds, n int) Value { return fillSet(t, n) },
		func(t *Thresholds, n int) Value { return fillZSet(t, n) },
	}
	inStore(t, func(st *testStore) {
		limits := NewThresholds()
		st.SetThresholds(limits)
		allow := func(entries int64) {
			limits.SetInts.Store(entries)
			limits.ZSetEntries.Store(entries)
		}
		stored := func(v Value) Value {
			st.all(func(tx *Tx) { tx.Put([]byte("k"), v, false) })
			return v
		}
		for _, fill := range fills {
			for _, entries := range []int64{100, 1000} {
				allow(entries)
				for _, n := range []int{99, 101, 600, 1001} {
					got := packed(stored(fill(NewThresholds(), n)))
					require.Equal(t, int64(n) <= entries, got, "%d of %d", n, entries)
				}
			}
			allow(1000)
			v := stored(fill(NewThresholds(), 600))
			allow(0)
			require.True(t, packed(stored(v)))
			require.True(t, packed(stored(v.Clone())))
		}
	})
}

func TestString_Raw(t *testing.T) {
	s := NewString([]byte("12"))
	require.False(t, s.Raw())
	s.Take(make([]byte, 2, 3))
	require.True(t, s.Raw())
	s.Set([]byte("12"))
	require.False(t, s.Raw())
	s.Append([]byte("3"))
	require.True(t, s.Raw())
	require.True(t, s.Clone().(*String).Raw())
	require.Equal(t, "123", string(s.Clone().(*String).Bytes()))
	s.Set([]byte("12"))
	require.False(t, s.Raw())
	require.False(t, s.Clone().(*String).Raw())
	s.Writable(1)[0] = '3'
	require.True(t, s.Raw())
	require.Equal(t, "32", string(s.Bytes()))
	require.Equal(t, "32\x00\x00", string(s.Writable(4)))
	s.Set(make([]byte, 4))
	require.False(t, s.Raw())
}
