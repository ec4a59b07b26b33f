package load

import (
	"slices"
	"time"
)

// stopwatch gathers latencies. One goroutine at a time may use it.
type stopwatch []time.Duration

func (s *stopwatch) add(d time.Duration) { *s = append(*s, d) }

// latency is the distribution of what several stopwatches have gathered.
func latency(all ...stopwatch) Latency {
	merged := slices.Concat(all...)
	if len(merged) == 0 {
		return Latency{}
	}
	slices.Sort(merged)
	at := func(share float64) time.Duration { return merged[int(share*float64(len(merged)-1))] }
	return Latency{P50: at(0.5), P99: at(0.99), P999: at(0.999)}
}
