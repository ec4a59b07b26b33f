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
	target.PlayRole()
	flag.Parse()
	os.Exit(m.Run())
}

// upTo is the powers of ten from one to another, with -short up to a tenth of it.
func upTo(from, to int) (sizes []int) {
	if testing.Short() {
		to /= 10
	}
	for n := from; n <= to; n *= 10 {
		sizes = append(sizes, n)
	}
	return sizes
}

// point is the time that an operation takes at a size.
type point struct {
	size int
	took time.Duration
}

// grow runs a benchmark for each size and then tells the exponent. measure returns the CPU time per operation: it is
// what a busy machine does not change.
func grow(b *testing.B, sizes []int, measure func(b *testing.B, n int) time.Duration) {
	var points []point
	for _, n := range sizes {
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			if took := measure(b, n); took > 0 {
				points = append(points, point{n, took})
			}
		})
	}
	b.Run("fit", func(b *testing.B) {
		b.ReportMetric(0, "ns/op") // hides it
		b.ReportMetric(exponent(points), "exponent")
	})
}

// exponent is the slope of the line that fits the points best when both axes are logarithmic; 0 of less than two sizes.
func exponent(points []point) float64 {
	var x, y, xx, xy float64
	for _, p := range points {
		lx, ly := math.Log(float64(p.size)), math.Log(float64(p.took))
		x, y, xx, xy = x+lx, y+ly, xx+lx*lx, xy+lx*ly
	}
	n := float64(len(points))
	if spread := n*xx - x*x; spread > 0 {
		return (n*xy - x*y) / spread
	}
	return 0
}

// timed runs op as often as the benchmark wants and returns the CPU time of a process (0: this one) per operation; the
// garbage that op makes is collected within it.
func timed(b *testing.B, pid int, op func(i int)) time.Duration {
	n := 0
	before := cpu(b, pid)
	for b.Loop() {
		op(n)
		n++
	}
	took := (cpu(b, pid) - before) / time.Duration(max(n, 1))
	b.ReportMetric(float64(took.Nanoseconds()), "cpu-ns/op")
	return took
}

func cpu(b *testing.B, pid int) time.Duration {
	used, err := load.ProcessCPU(pid)
	require.NoError(b, err)
	return used
}

// heap is what is in use by objects and stacks, after a collection.
func heap() int64 {
	var stats runtime.MemStats
	runtime.GC()
	runtime.GC() // the first may have begun before what is to be counted was dropped
	runtime.ReadMemStats(&stats)
	return int64(stats.HeapAlloc + stats.StackInuse)
}

// words is a command.
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
	fleet, err := target.Start([]string{name}, b.Output())
	require.NoError(b, err)
	defer fleet.Close()
	for _, s := range fleet.Servers {
		f(b, s)
	}
}

// growServers calls measure with a new server for each size, so that the memory of one is not left over from another.
func growServers(b *testing.B, sizes []int, measure func(b *testing.B, s target.Server, n int) time.Duration,
	names ...string) {
	for _, name := range names {
		b.Run(name, func(b *testing.B) {
			grow(b, sizes, func(b *testing.B, n int) (took time.Duration) {
				startServer(b, name, func(b *testing.B, s target.Server) { took = measure(b, s, n) })
				return took
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
