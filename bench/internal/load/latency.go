package load

import (
	"slices"
	"time"
)

// latencies collects latencies. One goroutine at a time may use it.
type latencies []time.Duration

// add keeps a latency. It rarely allocates, since append allocates in advance.
func (s *latencies) add(d time.Duration) { *s = append(*s, d) }

// latency returns the distribution of several latencies. All are kept and sorted, so that percentiles are exact; a run
// is short enough for that.
func latency(all ...latencies) Latency {
	merged := slices.Concat(all...)
	if len(merged) == 0 {
		return Latency{}
	}
	slices.Sort(merged)
	at := func(share float64) time.Duration { return merged[int(share*float64(len(merged)-1))] }
	return Latency{P50: at(0.5), P99: at(0.99), P999: at(0.999)}
}
