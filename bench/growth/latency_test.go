package growth

import (
	"fmt"
	"testing"
	"time"

	"github.com/minilockd/minilockd/bench/internal/load"
	"github.com/minilockd/minilockd/bench/internal/target"
	"github.com/minilockd/minilockd/bench/internal/workload"
	"github.com/minilockd/minilockd/internal/require"
)

// BenchmarkTail measures the latency of acquire and release under load while the server has few or many other locks,
// whose keys the garbage collector scans.
func BenchmarkTail(b *testing.B) {
	startServers(b, func(b *testing.B, s target.Server) {
		tails := make(map[int]float64)
		sizes := []int{1000, 1_000_000}
		if testing.Short() {
			sizes = []int{1000, 100_000}
		}
		for _, n := range sizes {
			b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
				var result load.Result
				for b.Loop() {
					var err error
					result, err = target.Generate(underLoad(s, n), 0)
					require.NoError(b, err)
				}
				tails[n] = result.P999()
				b.ReportMetric(0, "ns/op")
				b.ReportMetric(result.P50(), "p50-µs")
				b.ReportMetric(result.P999(), "p99.9-µs")
			})
		}
		b.Run("ratio", func(b *testing.B) {
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(tails[sizes[1]]/tails[sizes[0]], "p99.9-ratio")
		})
	}, target.Reference, "minilockd")
}

func underLoad(s target.Server, locks int) load.Spec {
	const conns, warmup, window = 50, 200 * time.Millisecond, 2 * time.Second
	spec := workload.OwnLocks(conns).Spec
	spec.Place, spec.Warmup, spec.Window = s.Place, warmup, window
	spec.Setup = append(spec.Setup, makeCommands("lock", locks)...)
	for i := range spec.Steps {
		spec.Steps[i].Timed = true
	}
	return spec
}
