package num

import (
	"math"
	"testing"

	"github.com/minilockd/minilockd/internal/require"
)

func TestInt64(t *testing.T) {
	for f, want := range map[float64]int64{
		0: 0, 1.9: 1, -1.9: -1, 1 << 53: 1 << 53, 1<<63 - 1024: 1<<63 - 1024, 1 << 63: math.MinInt64,
		-(1 << 63): math.MinInt64,
		1e300:      math.MinInt64, math.Inf(1): math.MinInt64, math.Inf(-1): math.MinInt64,
	} {
		require.Equal(t, want, Int64(f), f)
	}
	require.Equal(t, int64(math.MinInt64), Int64(math.NaN()))
}

func TestUint64(t *testing.T) {
	for f, want := range map[float64]uint64{
		0: 0, 1.9: 1, -1: math.MaxUint64, 1 << 63: 1 << 63, 1<<64 - 2048: 1<<64 - 2048, 1 << 64: 0, -(1 << 63): 1 << 63,
	} {
		require.Equal(t, want, Uint64(f), f)
	}
	require.Equal(t, uint64(1<<63), Uint64(math.NaN()))
}
