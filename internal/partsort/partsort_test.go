package partsort

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/minilockd/minilockd/internal/require"
)

func TestSort_ThePartHoldsWhatItShould(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 1))
	for range 3000 {
		items := make([]int, 1+rnd.IntN(200))
		for i := range items {
			items[i] = rnd.IntN(1 + rnd.IntN(300))
		}
		want := slices.Sorted(slices.Values(items))
		start := rnd.IntN(len(items) + 1)
		stop := start + rnd.IntN(len(items)+1-start)
		Sort(items, start, stop, func(a, b *int) int { return cmp.Compare(*a, *b) })
		require.Equal(t, want[start:stop], items[start:stop])
		slices.Sort(items)
		require.Equal(t, want, items)
	}
}
