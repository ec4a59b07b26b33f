package load

import (
	"context"
	"net"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/minilockd/minilockd/internal/require"
	"github.com/minilockd/minilockd/server"
)

var listening = []Step{
	{Args: []string{"SUBSCRIBE", "c"}, Want: "*3\r\n$9\r\nsubscribe"},
	{Want: "*3\r\n$7\r\nmessage"},
	{Args: []string{"UNSUBSCRIBE", "c"}, Want: "*3\r\n$11\r\nunsubscribe"},
}

// passing is the simplest lock, whose release sends a message.
var passing = []Step{
	{Args: []string{"SET", "lock", HolderDigits, "NX"}, Want: "+OK", Rejected: "$-1"},
	{Args: []string{"EVAL", "redis.call('del', 'lock') return redis.call('publish', 'c', 'free')", "0"}, Want: ":1"},
}

func tcpPlace(t *testing.T) Place {
	s := server.StartT(t)
	return Place{Network: TCP, Addr: s.Addr()}
}

func TestRun_HandOver(t *testing.T) {
	for _, at := range []Place{tcpPlace(t), {Network: Memory}} {
		t.Run(at.Network, func(t *testing.T) {
			r, err := Run(Spec{Place: at, Scenario: HandOver, Steps: passing, Listen: listening, Batch: 1,
				Window: 20 * time.Millisecond})
			require.NoError(t, err)
			require.Positive(t, r.Ops)
			require.Positive(t, r.Latency.P50)
			require.LessOrEqual(t, r.Latency.P50, r.Latency.P999)
		})
	}
}

func TestRun_HandOver_RejectedThoughReleased(t *testing.T) {
	steps := []Step{passing[0], {Args: []string{"PUBLISH", "c", "free"}, Want: ":1"}}
	_, err := Run(Spec{Place: tcpPlace(t), Scenario: HandOver, Steps: steps, Listen: listening, Batch: 1,
		Window: 20 * time.Millisecond})
	require.EqualError(t, err, "told that the lock is free, the waiter was refused")
}

func fanoutSpec(at Place) Spec {
	return Spec{
		Place: at, Scenario: Fanout, Subscribers: 5, Batch: 3, Window: 20 * time.Millisecond,
		Steps: []Step{{Args: []string{"PUBLISH", "c", "hello"}, Want: ":5"}}, Listen: listening[:1],
	}
}

func TestRun_Fanout_CountsMessages(t *testing.T) {
	r, err := Run(fanoutSpec(tcpPlace(t)))
	require.NoError(t, err)
	require.Positive(t, r.Ops)
	require.Zero(t, r.Ops%3)
	require.Positive(t, r.Latency.P99)
}

func TestRun_Fanout_ASubscriberIsCutOff(t *testing.T) {
	spec := fanoutSpec(tcpPlace(t))
	spec.Steps[0] = Step{Args: []string{"CLIENT", "KILL", "TYPE", "pubsub"}, Want: ":"}
	_, err := Run(spec)
	require.ErrorContains(t, err, "a subscriber was cut off")
}

// Requests that do not fit the socket's buffers are written as the server takes them, by every driver.
func TestRun_LargeBatches(t *testing.T) {
	socket := filepath.Join(t.TempDir(), "socket")
	s, err := server.Start(context.Background(), server.Options{UnixSocket: socket})
	require.NoError(t, err)
	defer s.Close()
	const size = 1 << 20
	value := strings.Repeat("v", size)
	for _, spec := range []Spec{
		{Place: Place{Network: TCP, Addr: s.Addr()}},
		{Place: Place{Network: TCP, Addr: s.Addr()}, GoClient: true},
		{Place: Place{Network: Unix, Addr: socket}},
		{Place: Place{Network: Loopback}},
		{Place: Place{Network: Memory}},
		{Place: Place{Network: Direct}},
	} {
		t.Run(spec.Place.Network, func(t *testing.T) {
			spec.Conns, spec.Batch, spec.OwnKeys, spec.Window = 2, 4, 1, 20*time.Millisecond
			spec.Steps = []Step{
				{Args: []string{"SET", KeyDigits, value}, Want: "+OK"},
				{Args: []string{"GET", KeyDigits}, Want: "$" + strconv.Itoa(size) + "\r\n" + value},
			}
			r, err := Run(spec)
			require.NoError(t, err)
			require.Positive(t, r.Ops)
		})
	}
}

func TestRun_OpeningIsDoneOnce(t *testing.T) {
	r, err := Run(Spec{
		Place: Place{Network: Direct}, Conns: 2, Batch: 2, OwnKeys: 1, Window: time.Millisecond,
		Opening: []Step{{Args: []string{"RPUSH", KeyDigits, "a", "b"}, Want: ":2"}},
		Steps:   []Step{{Args: []string{"LRANGE", KeyDigits, "0", "-1"}, Want: "*2"}},
	})
	require.NoError(t, err)
	require.Positive(t, r.Ops)
}

func TestRun_Profile_LeavesFourFiles(t *testing.T) {
	prefix := filepath.Join(t.TempDir(), "ping")
	_, err := Run(Spec{
		Place: Place{Network: Direct}, Conns: 1, Batch: 1, Window: time.Millisecond, Profile: prefix,
		Steps: []Step{{Args: []string{"PING"}, Want: "+PONG"}},
	})
	require.NoError(t, err)
	files, err := filepath.Glob(prefix + ".*.pprof")
	require.NoError(t, err)
	require.Len(t, files, 4)
}

func TestAsk(t *testing.T) {
	reply, err := Ask(tcpPlace(t), "ECHO", "hello")
	require.NoError(t, err)
	require.Equal(t, "$5\r\nhello\r\n", string(reply))
	_, err = Ask(Place{Network: "pigeon"}, "PING")
	require.EqualError(t, err, `no such network: "pigeon"`)
}

func TestLatency(t *testing.T) {
	require.Zero(t, latency())
	var low, high latencies
	for i := range 500 {
		low.add(time.Duration(i))
		high.add(time.Duration(500 + i))
	}
	require.Equal(t, Latency{P50: 499, P99: 989, P999: 998}, latency(high, low))
}

func TestPipe_Write_DoesNotWaitWithALargeBatch(t *testing.T) {
	near, far := net.Pipe()
	defer far.Close()
	n, err := pipe{near}.Write(make([]byte, atOnce+1))
	require.NoError(t, err)
	require.Equal(t, atOnce+1, n)
}
