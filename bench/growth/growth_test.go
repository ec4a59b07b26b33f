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

	"github.com/stretchr/testify/require"

	"github.com/minilockd/minilockd/bench/internal/load"
	"github.com/minilockd/minilockd/bench/internal/target"
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

// grow runs a benchmark for each size and then tells the exponent. measure returns the time per operation.
func grow(b *testing.B, sizes []int, measure func(b *testing.B, n int) time.Duration) {
	var points []point
	for _, n := range sizes {
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			points = append(points, point{n, measure(b, n)})
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

// perOp is the time that an operation of b took so far.
func perOp(b *testing.B) time.Duration { return b.Elapsed() / time.Duration(max(b.N, 1)) }

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

// startServers starts the server processes of these names and calls f for each that is installed.
func startServers(b *testing.B, f func(b *testing.B, s target.Server), names ...string) {
	fleet, err := target.Start(names, b.Output())
	require.NoError(b, err)
	defer fleet.Close()
	for _, s := range fleet.Servers {
		b.Run(s.Name, func(b *testing.B) { f(b, s) })
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
