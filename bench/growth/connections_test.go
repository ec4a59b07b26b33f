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

	"github.com/minilockd/minilockd/bench/internal/load"
	"github.com/minilockd/minilockd/bench/internal/target"
	"github.com/minilockd/minilockd/bench/internal/workload"
	"github.com/minilockd/minilockd/internal/require"
)

// client is a connection that sends commands and reads lines.
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

// exchange is a command and the last line of its reply.
type exchange struct {
	command string
	lines   int
	last    string
}

var (
	ping      = exchange{"PING", 1, "+PONG"}
	subscribe = exchange{"SUBSCRIBE quiet", 6, ":1"}
	// pop is blocked once its PING has a reply: both are read at once.
	pop = exchange{"PING\r\nBLPOP list 0", 1, "+PONG"}
)

func (c client) ask(b *testing.B, e exchange) {
	c.send(b, e.command)
	c.expect(b, e.lines, e.last)
}

// many is connections that have sent one command.
type many struct {
	clients []client
	memory  float64 // of the server, per connection, in bytes
}

func connectMany(b *testing.B, s target.Server, n int, first exchange) many {
	tell(b, s, "CONFIG", "SET", "maxclients", "15000")
	before := resident(b, s)
	m := many{clients: make([]client, n)}
	for i := range m.clients {
		m.clients[i] = connect(b, s)
		m.clients[i].ask(b, first)
	}
	m.memory = float64(resident(b, s)-before) / float64(n)
	return m
}

func (m many) close() {
	for _, c := range m.clients {
		c.Close()
	}
}

// BenchmarkConnections measures PING while there are idle connections, and the server's resident memory for each of
// these.
func BenchmarkConnections(b *testing.B) {
	growServers(b, upTo(10, 10_000), func(b *testing.B, s target.Server, n int) time.Duration {
		c := connect(b, s)
		defer c.Close()
		idle := connectMany(b, s, n, ping)
		defer idle.close()
		elapsed := timed(b, s.Place.PID, func(int) { c.ask(b, ping) })
		b.ReportMetric(idle.memory, "B/conn")
		return elapsed
	}, target.Reference, "minilockd")
}

var residentLine = regexp.MustCompile(`VmRSS:\s+(\d+) kB`)

// resident returns the resident memory of the process in bytes; 0 if the system does not report it.
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

// BenchmarkWaiters blocks clients on one list: each pushed element wakes the first one, which blocks again.
func BenchmarkWaiters(b *testing.B) {
	growServers(b, upTo(10, 10_000), func(b *testing.B, s target.Server, n int) time.Duration {
		producer := connect(b, s)
		defer producer.Close()
		waiting := connectMany(b, s, n, pop)
		defer waiting.close()
		elapsed := timed(b, s.Place.PID, func(i int) {
			producer.ask(b, exchange{"RPUSH list x", 1, ":1"})
			first := waiting.clients[i%n]
			first.expect(b, 5, "x")
			first.ask(b, pop)
		})
		b.ReportMetric(waiting.memory, "B/conn")
		return elapsed
	}, target.Reference, "minilockd")
}

// BenchmarkSubscribers measures the server's CPU time for a message to one of many subscribers.
func BenchmarkSubscribers(b *testing.B) {
	growServers(b, upTo(10, 10_000), func(b *testing.B, s target.Server, n int) (elapsed time.Duration) {
		quiet := connectMany(b, s, n, subscribe)
		quiet.close()
		var result load.Result
		for b.Loop() {
			var err error
			result, err = target.Generate(fanout(s, n), 0)
			require.NoError(b, err)
		}
		elapsed = time.Duration(float64(result.ServerCPU) / float64(result.Ops) / float64(n))
		b.ReportMetric(0, "ns/op")
		b.ReportMetric(float64(elapsed.Nanoseconds()), "cpu-ns/delivery")
		b.ReportMetric(result.P99(), "p99-µs")
		b.ReportMetric(quiet.memory, "B/conn")
		return elapsed
	}, target.Reference, "minilockd")
}

func fanout(s target.Server, subscribers int) load.Spec {
	const warmup, window = 100 * time.Millisecond, 500 * time.Millisecond
	spec := workload.Fanout(subscribers).Spec
	spec.Place, spec.Warmup, spec.Window = s.Place, warmup, window
	return spec
}
