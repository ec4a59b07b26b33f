package growth

import (
	"flag"
	"fmt"
	"math"
	"os"
	"runtime"
	"strconv"
	"testing"
	"time"

	"github.com/minilockd/minilockd/bench/internal/load"
	"github.com/minilockd/minilockd/bench/internal/target"
	"github.com/minilockd/minilockd/internal/require"
)

var huge = flag.Bool("huge", false, "up to 10,000,000 keys and TTLs")

func TestMain(m *testing.M) {
	target.RunRole()
	flag.Parse()
	os.Exit(m.Run())
}

// upTo returns the powers of ten between two, with -short only up to a tenth of the last.
func upTo(from, to int) (sizes []int) {
	if testing.Short() {
		to /= 10
	}
	for n := from; n <= to; n *= 10 {
		sizes = append(sizes, n)
	}
	return sizes
}

// point is the time of an operation at a size.
type point struct {
	size    int
	elapsed time.Duration
}

// grow runs a benchmark for each size and then reports the exponent. measure returns the CPU time per operation, which
// other load on the machine does not change.
func grow(b *testing.B, sizes []int, measure func(b *testing.B, n int) time.Duration) {
	var points []point
	for _, n := range sizes {
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			if elapsed := measure(b, n); elapsed > 0 {
				points = append(points, point{n, elapsed})
			}
		})
	}
	b.Run("fit", func(b *testing.B) {
		b.ReportMetric(0, "ns/op") // hides it
		b.ReportMetric(exponent(points), "exponent")
	})
}

// exponent returns the slope of the line that fits the points best with logarithmic axes; 0 for less than two sizes.
func exponent(points []point) float64 {
	var x, y, xx, xy float64
	for _, p := range points {
		lx, ly := math.Log(float64(p.size)), math.Log(float64(p.elapsed))
		x, y, xx, xy = x+lx, y+ly, xx+lx*lx, xy+lx*ly
	}
	n := float64(len(points))
	if variance := n*xx - x*x; variance > 0 {
		return (n*xy - x*y) / variance
	}
	return 0
}

// timed runs op b.N times and returns the CPU time of a process (0: this one) per operation, including the collection
// of op's garbage.
func timed(b *testing.B, pid int, op func(i int)) time.Duration {
	n := 0
	before := cpu(b, pid)
	for b.Loop() {
		op(n)
		n++
	}
	elapsed := (cpu(b, pid) - before) / time.Duration(max(n, 1))
	b.ReportMetric(float64(elapsed.Nanoseconds()), "cpu-ns/op")
	return elapsed
}

func cpu(b *testing.B, pid int) time.Duration {
	used, err := load.ProcessCPU(pid)
	require.NoError(b, err)
	return used
}

// heap returns the size of objects and stacks after a collection.
func heap() int64 {
	var stats runtime.MemStats
	runtime.GC()
	runtime.GC() // the first may have started before the garbage to free was unreachable
	runtime.ReadMemStats(&stats)
	return int64(stats.HeapAlloc + stats.StackInuse)
}

// words returns a command.
func words(ws ...string) (args [][]byte) {
	for _, w := range ws {
		args = append(args, []byte(w))
	}
	return args
}

// startServers calls f with each server of these names that is installed, one after the other.
func startServers(b *testing.B, f func(b *testing.B, s target.Server), names ...string) {
	for _, name := range names {
		b.Run(name, func(b *testing.B) { startServer(b, name, f) })
	}
}

// startServer calls f with a server whose process is new.
func startServer(b *testing.B, name string, f func(b *testing.B, s target.Server)) {
	running, err := target.Start([]string{name}, b.Output())
	require.NoError(b, err)
	defer running.Close()
	for _, s := range running.Servers {
		f(b, s)
	}
}

// growServers calls measure with a new server for each size, so that its memory does not include that of another.
func growServers(b *testing.B, sizes []int, measure func(b *testing.B, s target.Server, n int) time.Duration,
	names ...string) {
	for _, name := range names {
		b.Run(name, func(b *testing.B) {
			grow(b, sizes, func(b *testing.B, n int) (elapsed time.Duration) {
				startServer(b, name, func(b *testing.B, s target.Server) { elapsed = measure(b, s, n) })
				return elapsed
			})
		})
	}
}

func tell(b *testing.B, s target.Server, command ...string) {
	require.NoError(b, load.Do(s.Place, command))
}

func TestExponent(t *testing.T) {
	require.InDelta(t, 0, exponent([]point{{10, 7}, {100, 7}, {1000, 7}}), 1e-9)
	require.InDelta(t, 1, exponent([]point{{10, 10}, {100, 100}, {1000, 1000}}), 1e-9)
	require.InDelta(t, 0.5, exponent([]point{{1, 3}, {100, 30}}), 1e-9)
	require.Zero(t, exponent([]point{{10, 7}}))
}

func decimal(n int) string { return strconv.Itoa(n) }
