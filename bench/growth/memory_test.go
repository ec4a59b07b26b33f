package growth

import (
	"context"
	"regexp"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/minilockd/minilockd/bench/internal/load"
	"github.com/minilockd/minilockd/bench/internal/target"
	"github.com/minilockd/minilockd/server"
)

// makeLocks makes ARGV[2] locks from number ARGV[1] on: hashes of one field with a TTL and a name of 40 bytes.
const makeLocks = `for i = ARGV[1], ARGV[1] + ARGV[2] - 1 do
	local name = string.format('growth:of-a-name-that-is-common:%08d', i)
	redis.call('hset', name, ARGV[3], 1)
	redis.call('pexpire', name, 3600000)
end
return 1`

// lockCommands makes n locks, by scripts of no more than 10,000.
func lockCommands(n int) (commands [][]string) {
	const chunk = 10_000
	for first := 0; first < n; first += chunk {
		commands = append(commands, []string{"EVAL", makeLocks, "0", decimal(first), decimal(min(chunk, n-first)), holder})
	}
	return commands
}

// BenchmarkMemoryPerLock compares what the servers themselves call used_memory. Minilockd's includes what the collector has
// not found yet, so it is asked after a while without change: the lowest of some answers.
func BenchmarkMemoryPerLock(b *testing.B) {
	n := upTo(1_000_000, 1_000_000)
	if testing.Short() {
		n = []int{100_000}
	}
	startServers(b, func(b *testing.B, s target.Server) {
		b.ReportMetric(0, "ns/op")
		tell(b, s, "FLUSHALL")
		before := usedMemory(b, s)
		require.NoError(b, load.Do(s.Place, lockCommands(n[0])...))
		b.ReportMetric(float64(usedMemory(b, s)-before)/float64(n[0]), "B/lock")
		tell(b, s, "FLUSHALL")
	}, target.Reference, "minilockd")
}

var usedMemoryLine = regexp.MustCompile(`\nused_memory:(\d+)`)

func usedMemory(b *testing.B, s target.Server) int {
	reply, err := load.Ask(s.Place, "INFO", "memory")
	require.NoError(b, err)
	found := usedMemoryLine.FindSubmatch(reply)
	require.NotNil(b, found, "%s", reply)
	n, err := strconv.Atoi(string(found[1]))
	require.NoError(b, err)
	return n
}

// BenchmarkIdleServer is what a server costs that nobody talks to: memory of one within a test's process.
func BenchmarkIdleServer(b *testing.B) {
	const servers = 100
	b.ReportMetric(0, "ns/op")
	before := heap()
	for range servers {
		s, err := server.Start(context.Background(), server.Options{})
		require.NoError(b, err)
		defer s.Close()
	}
	b.ReportMetric(float64(heap()-before)/servers, "B/server")
}

// BenchmarkIdleCPU is the CPU time that a server uses in a second with 100 connections and 1,000 TTLs but nothing to do.
func BenchmarkIdleCPU(b *testing.B) {
	startServers(b, func(b *testing.B, s target.Server) {
		b.ReportMetric(0, "ns/op")
		require.NoError(b, load.Do(s.Place, lockCommands(1000)...))
		closeAll := connectMany(b, s, 100)
		defer closeAll()
		before, err := load.ProcessCPU(s.Place.PID)
		require.NoError(b, err)
		start := time.Now()
		time.Sleep(2 * time.Second)
		after, err := load.ProcessCPU(s.Place.PID)
		require.NoError(b, err)
		b.ReportMetric(float64((after-before).Microseconds())/time.Since(start).Seconds(), "cpu-µs/s")
	}, target.Reference, "minilockd")
}
