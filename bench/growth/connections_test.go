package growth

import (
	"bufio"
	"fmt"
	"net"
	"os"
	"regexp"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/minilockd/minilockd/bench/internal/load"
	"github.com/minilockd/minilockd/bench/internal/target"
)

// client is a connection that asks and reads lines.
type client struct {
	net.Conn
	in *bufio.Reader
}

func connect(b *testing.B, s target.Server) client {
	c, err := net.Dial(s.Place.Network, s.Place.Addr)
	require.NoError(b, err)
	return client{c, bufio.NewReaderSize(c, 64)}
}

func (c client) send(b *testing.B, command string) {
	_, err := c.Write([]byte(command + "\r\n"))
	require.NoError(b, err)
}

// expect reads as many lines as a reply has and checks the last.
func (c client) expect(b *testing.B, lines int, last string) {
	for i := range lines {
		line, err := c.in.ReadString('\n')
		require.NoError(b, err)
		if i == lines-1 {
			require.Equal(b, last+"\r\n", line)
		}
	}
}

// connectMany opens connections that have asked once, and returns what closes them.
func connectMany(b *testing.B, s target.Server, n int) (closeAll func()) {
	tell(b, s, "CONFIG", "SET", "maxclients", "15000")
	all := make([]client, n)
	for i := range all {
		all[i] = connect(b, s)
		all[i].send(b, "PING")
		all[i].expect(b, 1, "+PONG")
	}
	return func() {
		for _, c := range all {
			c.Close()
		}
	}
}

// BenchmarkConnections is PING and its reply among connections that do nothing, and what each of these takes of the server's
// resident memory.
func BenchmarkConnections(b *testing.B) {
	startServers(b, func(b *testing.B, s target.Server) {
		grow(b, upTo(10, 10_000), func(b *testing.B, n int) time.Duration {
			c := connect(b, s)
			defer c.Close()
			before := resident(b, s)
			closeAll := connectMany(b, s, n)
			defer closeAll()
			memory := resident(b, s) - before
			for b.Loop() {
				c.send(b, "PING")
				c.expect(b, 1, "+PONG")
			}
			b.ReportMetric(float64(memory)/float64(n), "B/conn")
			return perOp(b)
		})
	}, target.Reference, "minilockd")
}

var residentLine = regexp.MustCompile(`VmRSS:\s+(\d+) kB`)

// resident is the memory of the process in bytes; 0 where the system does not tell.
func resident(b *testing.B, s target.Server) int {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.Place.PID))
	if os.IsNotExist(err) {
		return 0
	}
	require.NoError(b, err)
	n, err := strconv.Atoi(string(residentLine.FindSubmatch(status)[1]))
	require.NoError(b, err)
	return n << 10
}

// BenchmarkWaiters has clients wait in line for an element of one list: each that is pushed wakes the first, who queues up
// again.
func BenchmarkWaiters(b *testing.B) {
	startServers(b, func(b *testing.B, s target.Server) {
		grow(b, upTo(10, 10_000), func(b *testing.B, n int) time.Duration {
			tell(b, s, "CONFIG", "SET", "maxclients", "15000")
			pusher := connect(b, s)
			defer pusher.Close()
			waiters := make([]client, n)
			for i := range waiters {
				waiters[i] = connect(b, s)
				defer waiters[i].Close()
				waiters[i].send(b, "PING\r\nBLPOP list 0")
				waiters[i].expect(b, 1, "+PONG") // and in line: both were read at once
			}
			for i := 0; b.Loop(); i++ {
				pusher.send(b, "RPUSH list x")
				pusher.expect(b, 1, ":1")
				first := waiters[i%n]
				first.expect(b, 5, "x")
				first.send(b, "PING\r\nBLPOP list 0")
				first.expect(b, 1, "+PONG")
			}
			return perOp(b)
		})
	}, target.Reference, "minilockd")
}

// BenchmarkSubscribers is the server's CPU time for a message to reach one of many subscribers.
func BenchmarkSubscribers(b *testing.B) {
	startServers(b, func(b *testing.B, s target.Server) {
		tell(b, s, "CONFIG", "SET", "maxclients", "15000")
		grow(b, upTo(10, 10_000), func(b *testing.B, n int) time.Duration {
			b.ReportMetric(0, "ns/op")
			result, err := target.Generate(fanOut(s, n), 0)
			require.NoError(b, err)
			took := time.Duration(float64(result.ServerCPU) / float64(result.Ops) / float64(n))
			b.ReportMetric(float64(took.Nanoseconds()), "cpu-ns/delivery")
			b.ReportMetric(result.P99(), "p99-µs")
			return took
		})
	}, target.Reference, "minilockd")
}

func fanOut(s target.Server, subscribers int) load.Spec {
	const warmup, window = 100 * time.Millisecond, 500 * time.Millisecond
	spec := workloadOf(subscribers)
	spec.Place, spec.Warmup, spec.Window = s.Place, warmup, window
	return spec
}
