package command

import (
	"math/bits"
	"sync/atomic"
	"time"

	"github.com/minilockd/minilockd/internal/resp"
)

// histogramSize is the number of buckets: one for each power of two of 1.024 µs. As in Redis the last one takes all
// that is longer than a second.
const histogramSize = 21

// firstBucket is below how many nanoseconds a call counts in the first bucket: Redis' buckets end 8/1024 above a
// power of two.
const firstBucket = 1032

// histogram counts calls by how long they took. The zero value is empty, and small; it is safe for concurrent use.
type histogram struct {
	buckets atomic.Pointer[[histogramSize]atomic.Int64] // bucket i is of those that took up to bucketEnd(i)
}

// bucket is where a call that took so long is counted.
func (h *histogram) bucket(took time.Duration) *atomic.Int64 {
	buckets := h.buckets.Load()
	for buckets == nil {
		h.buckets.CompareAndSwap(nil, new([histogramSize]atomic.Int64))
		buckets = h.buckets.Load()
	}
	i := bits.Len64(uint64(max(took.Microseconds(), 0)) * 1000 / firstBucket)
	return &buckets[min(i, histogramSize-1)]
}

// bucketEnd is the longest time in nanoseconds that bucket i is for.
func bucketEnd(i int) int64 {
	if i == histogramSize-1 {
		return 1<<30 - 1
	}
	return firstBucket<<i - 1
}

func (h *histogram) reset() { h.buckets.Store(nil) }

// addTo adds the buckets to sum.
func (h *histogram) addTo(sum *[histogramSize]int64) {
	if b := h.buckets.Load(); b != nil {
		for i := range b {
			sum[i] += b[i].Load()
		}
	}
}

// latencyHistogram tells for each command that was called how often, and how the times of its calls are distributed:
// in pairs of microseconds and how many took no longer. Nothing is known of the times without latency-tracking.
func latencyHistogram(c *Call) resp.Value {
	var replies []resp.Value
	add := func(cmd *Command) {
		if of := c.Env().Stats.calls.of(cmd); of.calls > 0 {
			replies = append(replies, resp.BulkString(cmd.FullName()), c.histogramOf(cmd, of.calls))
		}
	}
	if c.Len() == 2 {
		c.Env().Table.eachWithSubcommands(add)
	}
	for _, name := range c.Rest(2) {
		cmd := c.Env().Table.Get(string(name))
		if cmd == nil {
			continue
		}
		add(cmd)
		for i := range cmd.Sub {
			add(&cmd.Sub[i])
		}
	}
	return resp.Map(replies...)
}

// histogramOf is the sum over the stripes.
func (c *callCounts) histogramOf(cmd *Command) (sum [histogramSize]int64) {
	c.each(func(l stripe) { l[cmd.number].histogram.addTo(&sum) })
	return sum
}

// atPercentile is how many nanoseconds that part of the calls took at most, to the end of a bucket. It reports false
// if there are none.
func atPercentile(counts *[histogramSize]int64, percentile float64) (nanos int64, ok bool) {
	total, seen := int64(0), int64(0)
	for _, n := range counts {
		total += n
	}
	for i, n := range counts {
		if seen += n; n > 0 && float64(seen) >= float64(total)*percentile/100 {
			return bucketEnd(i), true
		}
	}
	return 0, false
}

func (c *Call) histogramOf(cmd *Command, calls int64) resp.Value {
	counts := c.Env().Stats.calls.histogramOf(cmd)
	var pairs []resp.Value
	sum := int64(0)
	for i, n := range counts {
		if sum += n; n > 0 {
			pairs = append(pairs, resp.Int(bucketEnd(i)/1000), resp.Int(sum))
		}
	}
	return resp.Map(resp.BulkString("calls"), resp.Int(calls), resp.BulkString("histogram_usec"), resp.Map(pairs...))
}
