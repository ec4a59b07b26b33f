package server

import (
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/minilockd/minilockd/internal/require"
	"github.com/minilockd/minilockd/internal/testenv"
)

// randomClientsTime is how long clients connect and disconnect: a minute if MINILOCKD_LONG is set.
func randomClientsTime() time.Duration {
	if testenv.Long() {
		return time.Minute
	}
	return time.Second
}

// randomRequests are the requests of the clients; {k} stands for one of a few keys, {n} for the id of a client.
var randomRequests = []string{
	"SET {k} v", "GET {k}", "RPUSH l{k} a b c", "BLPOP l{k} 0.002", "BLPOP l{k} l{k} 0", "BLMOVE l{k} l{k} LEFT RIGHT " +
		"0.001", "LPOP l{k}",
	"XADD s{k} * f v", "XREAD BLOCK 2 STREAMS s{k} $", "BZPOPMIN z{k} 0.003", "ZADD z{k} 1 m", "DEL {k} l{k} s{k} z{k}",
	"WATCH {k}", "MULTI", "EXEC", "DISCARD", "UNWATCH",
	"SUBSCRIBE c{k}", "PSUBSCRIBE c*", "UNSUBSCRIBE", "PUBLISH c{k} hello", "PUNSUBSCRIBE",
	"HELLO 3", "HELLO 2", "CLIENT TRACKING ON", "CLIENT TRACKING ON BCAST", "CLIENT TRACKING OFF",
	"MONITOR", "RESET", "CLIENT REPLY SKIP", "CLIENT NO-EVICT on", "CLIENT LIST", "INFO clients",
	"CLIENT PAUSE 2 WRITE", "CLIENT PAUSE 1 ALL", "CLIENT UNPAUSE", "CLIENT KILL ID {n}", "CLIENT UNBLOCK {n}",
	"CLIENT UNBLOCK {n} ERROR",
	`EVAL "return redis.call('INCR', KEYS[1])" 1 n{k}`, `EVAL "for i = 1, 20000 do end redis.call('PUBLISH', 'c{k}', ` +
		`i) return redis.call('GET', 'undeclared{k}')" 1 {k}`,
	"SCRIPT KILL", "GETRANGE big 0 -1", "SETRANGE big 200000 x", "QUIT", "*2\r\n$3\r\nGET\r\n$5\r\nhal",
	"PEXPIRE {k} 1", "FLUSHALL", "SWAPDB 0 1", "NOSUCH", "*-5", "CONFIG SET timeout 0",
}

func randomRequest(r *rand.Rand) string {
	request := randomRequests[r.IntN(len(randomRequests))]
	request = strings.ReplaceAll(request, "{k}", fmt.Sprint("k", r.IntN(4)))
	return strings.ReplaceAll(request, "{n}", fmt.Sprint(1+r.IntN(200))) + "\r\n"
}

// runRandomClient runs one client: it sends requests without waiting for replies, reads or does not, and disconnects in
// a random way.
func runRandomClient(t *testing.T, s *Server, r *rand.Rand) {
	nc, err := net.Dial("tcp", s.Addr())
	if err != nil {
		t.Error(err)
		return
	}
	var reader sync.WaitGroup
	if r.IntN(5) > 0 { // else a slow reader
		reader.Go(func() { _, _ = io.Copy(io.Discard, nc) })
	}
	for range 1 + r.IntN(30) {
		batch := ""
		for range 1 + r.IntN(4) {
			batch += randomRequest(r)
		}
		_ = nc.SetWriteDeadline(time.Now().Add(20 * time.Millisecond)) // it may be paused, blocked or not read
		if _, err := nc.Write([]byte(batch)); err != nil {
			break
		}
	}
	switch r.IntN(3) {
	case 0:
		_ = nc.(*net.TCPConn).SetLinger(0)
	case 1:
		_ = nc.(*net.TCPConn).CloseWrite()
	}
	_ = nc.Close()
	reader.Wait()
}

// Many clients connect, send requests and disconnect at random: nothing hangs, races or leaks.
func TestRandomClients(t *testing.T) {
	for _, loops := range []int{1, 4} {
		t.Run(fmt.Sprint("loops ", loops), func(t *testing.T) {
			s := StartT(t, Options{Config: fmt.Sprint("io-threads ", loops)})
			end := time.Now().Add(randomClientsTime() / 2)
			var clients sync.WaitGroup
			for seed := range uint64(16) {
				clients.Go(func() {
					r := rand.New(rand.NewPCG(seed, uint64(loops)))
					for time.Now().Before(end) {
						if connCount(s) < 100 { // else clients connect faster than a paused or busy server closes those that have gone
							runRandomClient(t, s, r)
						}
					}
				})
			}
			clients.Go(func() { moveConnections(s, end) })
			clients.Wait()
			requireQuiet(t, s)
		})
	}
}

func connCount(s *Server) int {
	time.Sleep(100 * time.Microsecond)
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.conns)
}

// moveConnections moves connections between loops until a time. Only Linux has loops.
var moveConnections = func(*Server, time.Time) {}

// requireLoopsIdle asserts that no loop serves a connection.
var requireLoopsIdle = func(*testing.T, *Server) {}

// requireQuiet asserts that a server without clients holds nothing for them.
func requireQuiet(t *testing.T, s *Server) {
	t.Helper()
	nc := dial(t, s)
	_, err := nc.Write([]byte("CLIENT UNPAUSE\r\n"))
	require.NoError(t, err)
	require.Equal(t, "+OK", readLine(t, nc))
	eventually(t, "all clients have gone", func() bool { return strings.Count(bulk(t, nc, "CLIENT LIST"), "\n") == 2 })
	info := bulk(t, nc, "INFO")
	for _, field := range []string{"blocked_clients:0", "tracking_clients:0", "pubsub_channels:0", "pubsub_patterns:0"} {
		require.Contains(t, info, field)
	}
	requireLoopsIdle(t, s)
}
