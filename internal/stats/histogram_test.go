package stats

import (
	"testing"
	"time"

	"github.com/minilockd/minilockd/internal/require"
)

// The ends are those in the reply of redis-server 7.0.15.
func TestHistogram_Buckets(t *testing.T) {
	var h Histogram
	for _, elapsed := range []int64{0, 1, 2, 3, 32, 33, 34, 500, 600, 1000, 1056, 1057, 999_999, 3_600_000_000} {
		h.Bucket(time.Duration(elapsed) * time.Microsecond).Add(1)
	}
	var sum Buckets
	h.addTo(&sum)
	filled := map[int64]int64{}
	for i, n := range sum {
		if n > 0 {
			filled[BucketEnd(i)/1000] = n
		}
	}
	require.Equal(t, map[int64]int64{1: 2, 2: 1, 4: 1, 33: 2, 66: 1, 528: 1, 1056: 3, 2113: 1, 1073741: 2}, filled)
	h.reset()
	h.addTo(&sum)
	require.EqualValues(t, 2, sum[0])
}
