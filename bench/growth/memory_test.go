package growth

import (
	"context"
	"regexp"
	"strconv"
	"testing"
	"time"

	"github.com/minilockd/minilockd/bench/internal/engine"
	"github.com/minilockd/minilockd/bench/internal/load"
	"github.com/minilockd/minilockd/bench/internal/target"
	"github.com/minilockd/minilockd/internal/require"
	"github.com/minilockd/minilockd/server"
)

// BenchmarkMemory compares redis-server's used_memory with minilockd's heap after a collection.
func BenchmarkMemory(b *testing.B) {
	n := 1_000_000
	if testing.Short() {
		n /= 10
	}
	for thing := range makeScripts {
		b.Run(thing, func(b *testing.B) { memoryOf(b, thing, n) })
	}
}

func memoryOf(b *testing.B, thing string, n int) {
	startServers(b, func(b *testing.B, s target.Server) {
		memoryPer(b, thing, n, func() int64 { return usedMemory(b, s) }, func(command []string) { tell(b, s, command...) })
	}, target.Reference)
	b.Run("minilockd", func(b *testing.B) {
		e := engine.New()
		defer e.Close()
		session := e.Session()
		memoryPer(b, thing, n, heap, func(command []string) { session.Call(words(command...)) })
		require.Equal(b, ":"+decimal(keysOf(thing, n))+"\r\n", string(session.Call(words("DBSIZE"))))
	})
}

func memoryPer(b *testing.B, thing string, n int, used func() int64, call func([]string)) {
	var memory int64
	for b.Loop() {
		call([]string{"FLUSHALL"})
		before := used()
		for _, command := range makeCommands(thing, n) {
			call(command)
		}
		memory = used() - before
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(float64(memory)/float64(n), "B/thing")
}

var usedMemoryLine = regexp.MustCompile(`\nused_memory:(\d+)`)

func usedMemory(b *testing.B, s target.Server) int64 {
	reply, err := load.Ask(s.Place, "INFO", "memory")
	require.NoError(b, err)
	found := usedMemoryLine.FindSubmatch(reply)
	require.NotNil(b, found, "%s", reply)
	n, err := strconv.ParseInt(string(found[1]), 10, 64)
	require.NoError(b, err)
	return n
}

// BenchmarkIdleServer measures the memory of a server without clients in a test's process.
func BenchmarkIdleServer(b *testing.B) {
	var memory float64
	for b.Loop() {
		memory = perIdleServer(b)
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(memory, "B/server")
}

func perIdleServer(b *testing.B) float64 {
	const servers = 100
	before := heap()
	for range servers {
		s, err := server.Start(context.Background(), server.Options{})
		require.NoError(b, err)
		defer s.Close()
	}
	return float64(heap()-before) / servers
}

// BenchmarkIdleCPU measures the CPU time per second of a server with 100 idle connections and 1,000 TTLs.
func BenchmarkIdleCPU(b *testing.B) {
	startServers(b, func(b *testing.B, s target.Server) {
		require.NoError(b, load.Do(s.Place, makeCommands("lock", 1000)...))
		idle := connectMany(b, s, 100, ping)
		defer idle.close()
		var used float64
		for b.Loop() {
			used = cpuPerSecond(b, s)
		}
		b.ReportMetric(0, "ns/op")
		b.ReportMetric(used, "cpu-µs/s")
	}, target.Reference, "minilockd")
}

func cpuPerSecond(b *testing.B, s target.Server) float64 {
	before, start := cpu(b, s.Place.PID), time.Now()
	time.Sleep(2 * time.Second)
	return float64((cpu(b, s.Place.PID) - before).Microseconds()) / time.Since(start).Seconds()
}
