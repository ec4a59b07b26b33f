package store

import (
	"cmp"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/minilockd/minilockd/internal/require"
)

func TestOrdered_RandomChanges_LikeAMap(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	o, model := newOrdered[int, int](cmp.Compare[int]), map[int]int{}
	for step := range 30_000 {
		key := rnd.IntN(4000)
		if growing := step/5000%2 == 0; rnd.IntN(10) < 7 == growing {
			o.put(key, step)
			model[key] = step
		} else {
			v, ok := o.remove(key)
			want, there := model[key]
			require.Equal(t, there, ok)
			require.Equal(t, want, v)
			delete(model, key)
		}
		if step%1000 == 0 {
			requireOrdered(t, &o, model)
		}
	}
	for key := range model {
		o.remove(key)
	}
	requireOrdered(t, &o, map[int]int{})
	require.Nil(t, o.root)
}

// requireOrdered compares all ways to look at the map.
func requireOrdered(t *testing.T, o *ordered[int, int], model map[int]int) {
	t.Helper()
	sorted := slices.Sorted(maps.Keys(model))
	require.Equal(t, len(sorted), o.len())
	keys := []int{}
	o.each(func(k, v int) bool {
		require.Equal(t, model[k], v)
		keys = append(keys, k)
		return true
	})
	require.Equal(t, append([]int{}, sorted...), keys)
	_, _, ok := o.last()
	require.Equal(t, len(sorted) > 0, ok)
	for probe := -1; probe < 4001; probe += 13 {
		at, there := slices.BinarySearch(sorted, probe)
		v, ok := o.get(probe)
		require.Equal(t, there, ok)
		require.Equal(t, model[probe], v)
		k, _, ok := o.ceil(probe)
		require.Equal(t, at < len(sorted), ok)
		if ok {
			require.Equal(t, sorted[at], k)
		}
		rest := []int{}
		o.from(probe, func(k, _ int) bool { rest = append(rest, k); return len(rest) < 50 })
		require.Equal(t, append([]int{}, sorted[at:min(len(sorted), at+50)]...), rest)
	}
}

func TestOrdered_AscendingKeys_LeaveFullNodes(t *testing.T) {
	o := newOrdered[int, int](cmp.Compare[int])
	for i := range 10_000 {
		o.put(i, i)
	}
	leaves, slots := shape(o.root)
	require.Equal(t, 10_000, slots)
	require.Equal(t, (10_000+orderedSlots-1)/orderedSlots, leaves)
}

func TestOrdered_RemovingMost_LeavesFewNodes(t *testing.T) {
	o := newOrdered[int, int](cmp.Compare[int])
	for i := range 10_000 {
		o.put(i, i)
	}
	for i := range 10_000 {
		if i%100 != 0 {
			o.remove(i)
		}
	}
	leaves, slots := shape(o.root)
	require.Equal(t, 100, slots)
	require.LessOrEqual(t, leaves, 100/(orderedSlots/4)+1)
}

// A branch that is left with one child, next to one that is too full to be joined with, must lose that child when it is
// empty.
func TestOrdered_LastChildOfABranch_GoesWithItsKeys(t *testing.T) {
	o := newOrdered[int, int](cmp.Compare[int])
	const n = 3 * orderedSlots * orderedSlots
	for i := range n {
		o.put(i, i)
	}
	for i := n - 1; i > 0; i-- {
		o.remove(i)
		last, _, ok := o.last()
		require.True(t, ok)
		require.Equal(t, i-1, last)
	}
}

// shape counts the leaves and the keys in them.
func shape(n *orderedNode[int, int]) (leaves, slots int) {
	if n.children == nil {
		return 1, len(n.keys)
	}
	for _, child := range n.children {
		l, s := shape(child)
		leaves, slots = leaves+l, slots+s
	}
	return leaves, slots
}
