package stats

import (
	"math/bits"
	"sync/atomic"
	"time"
)

// bucketCount is the number of buckets: one for each power of two of 1.024 µs. As in Redis the last one takes all that
// is longer than a second.
const bucketCount = 21

// firstBucket is the end of the first bucket, in nanoseconds: Redis' buckets end 8/1024 above a power of two.
const firstBucket = 1032

// Buckets are numbers of calls by duration.
type Buckets [bucketCount]int64

// Histogram counts calls by duration. The zero value is empty, and small; it is safe for concurrent use.
type Histogram struct {
	buckets atomic.Pointer[[bucketCount]atomic.Int64] // bucket i counts calls of at most BucketEnd(i) ns
}

// Bucket returns the counter for a call of this duration. The first call allocates the buckets: most commands are
// never called.
func (h *Histogram) Bucket(elapsed time.Duration) *atomic.Int64 {
	buckets := h.buckets.Load()
	for buckets == nil {
		h.buckets.CompareAndSwap(nil, new([bucketCount]atomic.Int64))
		buckets = h.buckets.Load()
	}
	i := bits.Len64(uint64(max(elapsed.Microseconds(), 0)) * 1000 / firstBucket)
	return &buckets[min(i, bucketCount-1)]
}

// BucketEnd returns the longest duration that bucket i is for, in nanoseconds.
func BucketEnd(i int) int64 {
	if i == bucketCount-1 {
		return 1<<30 - 1
	}
	return firstBucket<<i - 1
}

func (h *Histogram) reset() { h.buckets.Store(nil) }

// addTo adds the buckets to sum.
func (h *Histogram) addTo(sum *Buckets) {
	if b := h.buckets.Load(); b != nil {
		for i := range b {
			sum[i] += b[i].Load()
		}
	}
}

// AtPercentile returns the duration in nanoseconds that this part of the calls did not exceed, rounded up to the end
// of a bucket. ok is false if there are no calls.
func (b *Buckets) AtPercentile(percentile float64) (nanos int64, ok bool) {
	total, seen := int64(0), int64(0)
	for _, n := range b {
		total += n
	}
	for i, n := range b {
		if seen += n; n > 0 && float64(seen) >= float64(total)*percentile/100 {
			return BucketEnd(i), true
		}
	}
	return 0, false
}
