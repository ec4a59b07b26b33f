package store

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/minilockd/minilockd/internal/require"
)

func TestDict_AgreesWithMap(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var d dict[int]
	model := map[string]int{}
	for i := range 20000 {
		key := fmt.Sprint(r.IntN(1000))
		_, there := model[key]
		switch n := d.get([]byte(key)); {
		case !there:
			require.Nil(t, n)
			d.add(key, i)
			model[key] = i
		case r.IntN(2) == 0:
			require.Equal(t, model[key], n.val)
			require.Same(t, n, d.remove([]byte(key)))
			delete(model, key)
		}
		require.Equal(t, len(model), d.len())
	}
	seen := map[string]int{}
	d.each(func(n *node[int]) bool { seen[n.key] = n.val; return true })
	require.Equal(t, model, seen)
	require.Nil(t, d.remove([]byte("nosuch")))
}

func TestDict_Remove_ShrinksTheTable(t *testing.T) {
	var d dict[int]
	fill(&d, "k", 10000)
	buckets := len(d.buckets)
	drain(&d, "k", 10000)
	require.Less(t, len(d.buckets), buckets/100)
	require.Zero(t, d.len())
}

func TestDict_Scan_VisitsOnceWhatNothingMoves(t *testing.T) {
	for _, size := range []int{0, 1, 4, 5, 1000} {
		var d dict[int]
		fill(&d, "k", size)
		seen := map[string]int{}
		scanAll(&d, seen, func(uint64) {})
		require.Len(t, seen, size)
		for key, times := range seen {
			require.Equal(t, 1, times, key)
		}
	}
}

// A cursor is never beyond the size of the table, which it was made for.
func TestDict_Scan_CursorsAreSmall(t *testing.T) {
	for _, size := range []int{1, 4, 5, 1000} {
		var d dict[int]
		fill(&d, "k", size)
		for cursor := d.scan(0, func(*node[int]) {}); cursor != 0; {
			require.Less(t, cursor, uint64(len(d.buckets)))
			next := d.scan(cursor, func(*node[int]) {})
			require.Equal(t, next, d.scan(cursor|1<<63|1<<40, func(*node[int]) {}), "bits beyond the table")
			cursor = next
		}
		require.Zero(t, d.scan(1<<64-1, func(*node[int]) {}), "the last bucket")
	}
}

// What is there during the whole scan is found, whatever else is added and removed, and however the table is
// resized.
func TestDict_Scan_FindsWhatStays(t *testing.T) {
	const stay, passing = 300, 6000
	for _, c := range []struct {
		name          string
		before, after func(*dict[int])
	}{
		{"the table grows", func(*dict[int]) {}, func(d *dict[int]) { fill(d, "p", passing) }},
		{"the table shrinks", func(d *dict[int]) { fill(d, "p", passing) },
			func(d *dict[int]) { drain(d, "p", passing) }},
	} {
		for _, resizeAt := range []int{0, 1, 2, 7, 20, 100, 250, 400, 511, 1000, 4000} {
			var d dict[int]
			fill(&d, "s", stay)
			c.before(&d)
			seen, step := map[string]int{}, 0
			scanAll(&d, seen, func(uint64) {
				if step == resizeAt {
					c.after(&d)
				}
				step++
			})
			requireStaying(t, seen, stay, "%s at step %d", c.name, resizeAt)
		}
	}
}

func TestDict_Scan_FindsWhatStaysWhileTheTableIsResized(t *testing.T) {
	const stay = 200
	r := rand.New(rand.NewPCG(3, 4))
	var d dict[int]
	fill(&d, "s", stay)
	for range 10 {
		seen, extra, largest := map[string]int{}, 0, len(d.buckets)
		scanAll(&d, seen, func(cursor uint64) {
			require.Less(t, cursor, uint64(largest))
			if r.IntN(20) > 0 {
				return
			}
			drain(&d, "p", extra)
			extra = r.IntN(1 << r.IntN(13))
			fill(&d, "p", extra)
			largest = max(largest, len(d.buckets))
		})
		drain(&d, "p", extra)
		requireStaying(t, seen, stay, "")
	}
}

func TestDict_Random_ReachesEveryElement(t *testing.T) {
	var d dict[int]
	require.Nil(t, d.random())
	fill(&d, "k", 20)
	seen := map[string]bool{}
	for len(seen) < 20 {
		seen[d.random().key] = true
	}
}

func TestDict_Sample_IsDistinct(t *testing.T) {
	var d dict[int]
	fill(&d, "k", 100)
	for _, count := range []int{0, 1, 10, 33, 34, 99, 100, 1000} {
		seen := map[string]bool{}
		d.sample(count, func(n *node[int]) { seen[n.key] = true })
		require.Len(t, seen, min(count, 100))
	}
}

func fill(d *dict[int], prefix string, n int) {
	for i := range n {
		if key := fmt.Sprint(prefix, i); d.get([]byte(key)) == nil {
			d.add(key, i)
		}
	}
}

func drain(d *dict[int], prefix string, n int) {
	for i := range n {
		d.remove([]byte(fmt.Sprint(prefix, i)))
	}
}

// scanAll counts the visits of a full scan, and calls between after each of its steps.
func scanAll(d *dict[int], seen map[string]int, between func(cursor uint64)) {
	for cursor := uint64(0); ; between(cursor) {
		cursor = d.scan(cursor, func(n *node[int]) { seen[n.key]++ })
		if cursor == 0 {
			return
		}
	}
}

func requireStaying(t *testing.T, seen map[string]int, n int, message string, args ...any) {
	t.Helper()
	var missing []string
	for i := range n {
		if key := fmt.Sprint("s", i); seen[key] == 0 {
			missing = append(missing, key)
		}
	}
	require.Empty(t, missing, fmt.Sprintf(message, args...))
}
