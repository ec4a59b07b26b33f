package main

import (
	"testing"
	"time"

	"github.com/minilockd/minilockd/bench/internal/load"
	"github.com/minilockd/minilockd/internal/require"
)

const header = `"test","rps","avg_latency_ms","min_latency_ms","p50_latency_ms",` +
	`"p95_latency_ms","p99_latency_ms","max_latency_ms"` + "\n"

func TestParseRedisBenchmark(t *testing.T) {
	const one = `"SET","50000.00","0.305","0.080","0.295","0.375","0.663","0.703"` + "\n"
	result, alone, err := parseRedisBenchmark([]byte(header+one), 1000)
	require.NoError(t, err)
	require.True(t, alone)
	require.Equal(t, load.Result{Ops: 1000, Elapsed: 20 * time.Millisecond,
		Latency: load.Latency{P50: 295 * time.Microsecond, P99: 663 * time.Microsecond}}, result)

	_, alone, err = parseRedisBenchmark([]byte(header+one+one), 1000)
	require.NoError(t, err)
	require.False(t, alone)
}

func TestParseRedisBenchmark_NoResult(t *testing.T) {
	for _, output := range []string{"", header, "Could not connect", header + `"SET","nan","","","","","",""`} {
		_, _, err := parseRedisBenchmark([]byte(output), 1000)
		require.Error(t, err, output)
	}
}
