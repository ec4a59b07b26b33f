package store

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/minilockd/minilockd/internal/require"
)

func hashContent(h *Hash) map[string]string {
	content := map[string]string{}
	h.Each(func(field, value []byte) bool { content[string(field)] = string(value); return true })
	return content
}

func hashOf(fields int) *Hash {
	h := NewHash()
	for i := range fields {
		h.Set(defaultThresholds, fmt.Append(nil, "f", i), fmt.Append(nil, i))
	}
	return h
}

// The model is a map; the sizes cross the threshold between the packed form and the table.
func TestHash_AgreesWithMap(t *testing.T) {
	for _, fields := range []int{5, 100, 700} {
		r := rand.New(rand.NewPCG(uint64(fields), 1))
		h, model := NewHash(), map[string]string{}
		for range 5000 {
			field, value := fmt.Sprint("f", r.IntN(fields)), strings.Repeat("v", r.IntN(20))
			_, there := model[field]
			if r.IntN(3) > 0 {
				require.Equal(t, !there, h.Set(defaultThresholds, []byte(field), []byte(value)))
				model[field] = value
			} else {
				require.Equal(t, there, h.Delete([]byte(field)))
				delete(model, field)
			}
			got, ok := h.Get([]byte(field))
			require.Equal(t, model[field], string(got))
			_, there = model[field]
			require.Equal(t, there, ok)
			require.Equal(t, len(model), h.Len())
		}
		require.Equal(t, model, hashContent(h))
		require.Equal(t, model, hashContent(h.Clone().(*Hash)))
	}
}

func TestHash_Packed_KeepsTheOrderOfInsertion(t *testing.T) {
	h := hashOf(100)
	h.Set(defaultThresholds, []byte("f50"), []byte("another value"))
	i := 0
	h.Each(func(field, _ []byte) bool {
		require.Equal(t, fmt.Sprint("f", i), string(field))
		i++
		return true
	})
	require.True(t, h.Packed())
}

func TestHash_TurnsIntoATable(t *testing.T) {
	long, longest := strings.Repeat("x", 64), strings.Repeat("x", 64+1)
	h := hashOf(512)
	require.True(t, h.Packed(), "as many fields as are allowed")
	h.Set(defaultThresholds, []byte("f0"), []byte(long))
	require.True(t, h.Packed(), "a value as long as is allowed")
	h.Set(defaultThresholds, []byte("one more"), nil)
	require.False(t, h.Packed(), "one field more")
	require.Equal(t, 512+1, h.Len())

	for _, pair := range [][2]string{{longest, "v"}, {"f", longest}} {
		h = hashOf(1)
		h.Set(defaultThresholds, []byte(pair[0]), []byte(pair[1]))
		require.False(t, h.Packed(), "a byte too long")
		require.Equal(t, map[string]string{"f0": "0", pair[0]: pair[1]}, hashContent(h))
	}
}

func TestHash_Clone_IsIndependent(t *testing.T) {
	for _, fields := range []int{3, 1000} {
		h := hashOf(fields)
		c := h.Clone().(*Hash)
		h.Set(defaultThresholds, []byte("f0"), []byte("x"))
		h.Delete([]byte("f1"))
		require.Equal(t, hashContent(hashOf(fields)), hashContent(c))
		require.Equal(t, hashOf(fields).Weight(), c.Weight())
	}
}

func TestHash_Weight_FollowsTheContent(t *testing.T) {
	for _, fields := range []int{10, 1000} {
		h := hashOf(fields)
		before := h.Weight()
		h.Set(defaultThresholds, []byte("field"), []byte("value"))
		require.Greater(t, h.Weight(), before)
		h.Set(defaultThresholds, []byte("field"), []byte("longer value"))
		h.Delete([]byte("field"))
		require.Equal(t, before, h.Weight())
	}
}

func TestHash_Scan_FindsWhatStays(t *testing.T) {
	const stay = 600
	h := hashOf(stay)
	seen := map[string]int{}
	for cursor, step := uint64(0), 0; ; step++ {
		cursor = h.Scan(cursor, 10, func(field, _ []byte) { seen[string(field)]++ })
		if cursor == 0 {
			break
		}
		if step < 20 {
			growHash(h, step)
		}
	}
	for i := range stay {
		require.NotZero(t, seen[fmt.Sprint("f", i)], i)
	}
}

func growHash(h *Hash, step int) {
	for i := range 500 {
		h.Set(defaultThresholds, fmt.Append(nil, "extra", step, ":", i), nil)
	}
}

func TestHash_Scan_PackedComesWhole(t *testing.T) {
	visited := 0
	require.Zero(t, hashOf(100).Scan(0, 1, func(_, _ []byte) { visited++ }))
	require.Equal(t, 100, visited)
}

func TestHash_Scan_StopsAfterCount(t *testing.T) {
	visited := 0
	require.NotZero(t, hashOf(10000).Scan(0, 50, func(_, _ []byte) { visited++ }))
	require.GreaterOrEqual(t, visited, 50)
	require.Less(t, visited, 100)
}

func TestHash_Sample(t *testing.T) {
	for _, fields := range []int{10, 1000} {
		h := hashOf(fields)
		for _, count := range []int{0, 1, 3, 9, fields, 5000} {
			seen := map[string]string{}
			h.Sample(count, func(field, value []byte) { seen[string(field)] = string(value) })
			require.Len(t, seen, min(count, fields))
			for field, value := range seen {
				require.Equal(t, "f"+value, field)
			}
		}
	}
}

func TestHash_Random_ReachesEveryField(t *testing.T) {
	h, seen := hashOf(10), map[string]bool{}
	for len(seen) < 10 {
		field, value, ok := h.Random()
		require.True(t, ok)
		require.Equal(t, "f"+string(value), string(field))
		seen[string(field)] = true
	}
	_, _, ok := NewHash().Random()
	require.False(t, ok)
}
