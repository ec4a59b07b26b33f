package server

import (
	"fmt"
	"io"
	"net"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/minilockd/minilockd/fault"
	"github.com/minilockd/minilockd/internal/require"
)

// send writes a line.
func send(t *testing.T, nc net.Conn, line string) {
	t.Helper()
	_, err := nc.Write([]byte(line + "\r\n"))
	require.NoError(t, err)
}

// hasHits waits until the fault of a rule has happened n times.
func hasHits(t *testing.T, s *Server, id, n int64) {
	t.Helper()
	eventually(t, fmt.Sprintf("%d hits", n), func() bool {
		hits, _ := s.Faults().Hits(id)
		return hits == n
	})
}

func TestFaults_Refuse(t *testing.T) {
	eachDriver(t, func(t *testing.T, s *Server, dial func() net.Conn) {
		other := dial()
		ask(t, other, "PING\r\n", "+PONG\r\n")
		id := s.Faults().Add(fault.Rule{Connect: true, Times: 1, Action: fault.Refuse()})
		refused := dial()
		_, err := refused.Read(make([]byte, 1))
		require.Error(t, err)
		hasHits(t, s, id, 1)
		ask(t, dial(), "PING\r\n", "+PONG\r\n")
		ask(t, other, "PING\r\n", "+PONG\r\n")
	})
}

func TestFaults_Silent(t *testing.T) {
	eachDriver(t, func(t *testing.T, s *Server, dial func() net.Conn) {
		operator := dial()
		ask(t, operator, "PING\r\nFAULT.ADD CONNECT TIMES 2 THEN SILENT\r\n", "+PONG\r\n:1\r\n")
		silent, gone := dial(), dial()
		hasHits(t, s, 1, 2)
		blocked(t, s, silent, "INCR n\r\nINCR n")
		blocked(t, s, gone, "INCR n")
		require.NoError(t, gone.Close())
		eventually(t, "the client has left", func() bool { return blockedClients(s) == 1 })
		ask(t, operator, "GET n\r\n", "$-1\r\n")
		ask(t, operator, "FAULT.REMOVE 1\r\n", ":1\r\n")
		ask(t, silent, "", ":1\r\n:2\r\n")
	})
}

// A client that is not read can send no more than the buffers of the system hold, and is served when it is read again.
func TestFaults_StopReading(t *testing.T) {
	eachDriver(t, func(t *testing.T, s *Server, dial func() net.Conn) {
		operator, nc := dial(), dial()
		ask(t, nc, "PING\r\n", "+PONG\r\n")
		id := s.Faults().Add(fault.Rule{Command: "echo", Action: fault.StopReading()})
		ask(t, nc, "ECHO stop\r\n", "$4\r\nstop\r\n")
		const requests = 2048 // 64 MiB
		sent, ended := new(atomic.Int64), make(chan error, 1)
		go func() { ended <- sendRequests(nc, "SET k "+strings.Repeat("v", 32<<10)+"\r\n", requests, sent) }()
		for before := int64(-1); before != sent.Load(); time.Sleep(50 * time.Millisecond) {
			before = sent.Load()
		}
		require.Less(t, sent.Load(), int64(requests))
		ask(t, operator, "EXISTS k\r\n", ":0\r\n")
		s.Faults().Remove(id)
		for range requests {
			ask(t, nc, "", "+OK\r\n")
		}
		require.NoError(t, <-ended)
	})
}

// sendRequests sends a request n times and counts in sent.
func sendRequests(nc net.Conn, request string, n int64, sent *atomic.Int64) error {
	for sent.Load() < n {
		if _, err := io.WriteString(nc, request); err != nil {
			return err
		}
		sent.Add(1)
	}
	return nil
}

// A client that leaves while it is not read is gone, and the end of the server ends one that stays.
func TestFaults_StopReading_AtTheEnd(t *testing.T) {
	s := StartT(t)
	s.Faults().Add(fault.Rule{Command: "echo", Action: fault.StopReading()})
	stays, leaves := dial(t, s), dial(t, s)
	for _, nc := range []net.Conn{stays, leaves} {
		ask(t, nc, "ECHO a\r\n", "$1\r\na\r\n")
	}
	require.NoError(t, leaves.Close())
	eventually(t, "one client is left", func() bool { return connections(s) == 1 })
}

func connections(s *Server) (n int) {
	s.eachConn(func(*conn) { n++ })
	return n
}

// A slow connection gets as many bytes as the time on the server's clock allows, and no more.
func TestFaults_Throttle(t *testing.T) {
	eachDriver(t, func(t *testing.T, s *Server, dial func() net.Conn) {
		s.Clock().Freeze()
		nc, operator := dial(), dial()
		ask(t, operator, "SET k "+strings.Repeat("v", 1000)+"\r\n", "+OK\r\n")
		id := s.Faults().Add(fault.Rule{Command: "get", Action: fault.Throttle(100)})
		send(t, nc, "GET k")
		want := "$1000\r\n" + strings.Repeat("v", 1000) + "\r\n"
		ask(t, nc, "", want[:5]) // a piece is a twentieth of what it gets in a second
		for range 4 {
			s.Advance(time.Second)
			ask(t, nc, "", want[5:105])
			want = want[100:]
		}
		requireNothing(t, nc)
		s.Faults().Remove(id)
		ask(t, nc, "PING\r\n", want[5:]+"+PONG\r\n")
		ask(t, operator, "PING\r\n", "+PONG\r\n")
	})
}

// requireNothing requires that a client gets nothing, for a while.
func requireNothing(t *testing.T, nc net.Conn) {
	t.Helper()
	require.NoError(t, nc.SetReadDeadline(time.Now().Add(20*time.Millisecond)))
	n, err := nc.Read(make([]byte, 1))
	require.Zero(t, n)
	require.True(t, isTimeout(err), err)
	require.NoError(t, nc.SetDeadline(time.Now().Add(testTimeout)))
}

// What a slow connection sends takes its time, too.
func TestFaults_Throttle_Requests(t *testing.T) {
	s := StartT(t)
	s.Clock().Freeze()
	nc, operator := dial(t, s), dial(t, s)
	ask(t, operator, "PING\r\nFAULT.ADD CONNECT THEN THROTTLE 1000\r\n", "+PONG\r\n:1\r\n")
	ask(t, nc, "PING\r\n", "+PONG\r\n")
	slow := dial(t, s)
	send(t, slow, "SET k "+strings.Repeat("v", 2992)) // 3000 bytes
	hasHits(t, s, 1, 1)
	s.Advance(time.Second)
	ask(t, operator, "EXISTS k\r\n", ":0\r\n")
	s.Advance(5 * time.Second)
	ask(t, slow, "", "+OK\r\n")
	ask(t, operator, "STRLEN k\r\n", ":2992\r\n")
}

// A slow connection delays neither the end of the server nor that of the client.
func TestFaults_Throttle_AtTheEnd(t *testing.T) {
	eachDriver(t, func(t *testing.T, s *Server, dial func() net.Conn) {
		s.Clock().Freeze()
		s.Faults().Add(fault.Rule{Command: "echo", Action: fault.Throttle(1)})
		stays, leaves := dial(), dial()
		for _, nc := range []net.Conn{stays, leaves} {
			send(t, nc, "ECHO "+strings.Repeat("v", 1000))
		}
		hasHits(t, s, 1, 2)
		require.NoError(t, leaves.Close())
	})
}

// During a partition calls do not run, nothing is sent, and new connections get no answer; all of it happens at its
// end.
func TestPartition(t *testing.T) {
	eachDriver(t, func(t *testing.T, s *Server, dial func() net.Conn) {
		operator, client, waiter, subscriber, exempt := dial(), dial(), dial(), dial(), dial()
		ask(t, exempt, "FAULT.EXEMPT\r\n", "+OK\r\n")
		ask(t, client, "PING\r\n", "+PONG\r\n")
		ask(t, subscriber, "SUBSCRIBE __keyevent@0__:expired\r\n",
			"*3\r\n$9\r\nsubscribe\r\n$22\r\n__keyevent@0__:expired\r\n:1\r\n")
		ask(t, operator, "CONFIG SET notify-keyspace-events Ex\r\nSET k v PX 1000\r\n", "+OK\r\n+OK\r\n")
		blocked(t, s, waiter, "BLPOP q 1")
		ask(t, operator, "FAULT.PARTITION\r\n", "+OK\r\n")
		fresh := dial()
		blocked(t, s, client, "INCR n\r\nINCR n")
		blocked(t, s, fresh, "INCR n")
		ask(t, operator, "FAULT.LIST\r\n", "*0\r\n")
		ask(t, exempt, "SET e 1\r\nGET e\r\n", "+OK\r\n$1\r\n1\r\n")
		s.Advance(time.Minute) // BLPOP times out, and k expires
		for _, nc := range []net.Conn{client, waiter, subscriber, fresh} {
			requireNothing(t, nc)
		}
		ask(t, operator, "FAULT.HEAL\r\nEXISTS k\r\n", "+OK\r\n:0\r\n")
		ask(t, waiter, "PING\r\n", "*-1\r\n+PONG\r\n")
		ask(t, subscriber, "", "*3\r\n$7\r\nmessage\r\n$22\r\n__keyevent@0__:expired\r\n$1\r\nk\r\n")
		for range 2 {
			require.Regexp(t, `^:[123]$`, readLine(t, client))
		}
		require.Regexp(t, `^:[123]$`, readLine(t, fresh))
		ask(t, operator, "GET n\r\n", "$1\r\n3\r\n")
	})
}

// A connection with messages that wait can still be used to end the partition; it gets them before the reply.
func TestPartition_EndsOverAConnectionWithMessages(t *testing.T) {
	eachDriver(t, func(t *testing.T, s *Server, dial func() net.Conn) {
		nc := dial()
		send(t, nc, "HELLO 3")
		for !strings.Contains(readLine(t, nc), "modules") {
			continue
		}
		ask(t, nc, "", "*0\r\n")
		ask(t, nc, "SUBSCRIBE ch\r\n", ">3\r\n$9\r\nsubscribe\r\n$2\r\nch\r\n:1\r\n")
		s.Partition()
		s.env.PubSub.Publish(nil, 0, "ch", "hello")
		ask(t, nc, "FAULT.HEAL\r\n", ">3\r\n$7\r\nmessage\r\n$2\r\nch\r\n$5\r\nhello\r\n+OK\r\n")
		s.Heal()
	})
}

// The server ends during a partition, whatever waits for it.
func TestPartition_AtTheEnd(t *testing.T) {
	eachDriver(t, func(t *testing.T, s *Server, dial func() net.Conn) {
		client, waiter := dial(), dial()
		blocked(t, s, waiter, "BLPOP q 1")
		s.Partition()
		blocked(t, s, client, "PING")
		s.Advance(time.Minute)
		require.NoError(t, s.Close())
		_, err := io.ReadAll(client)
		require.False(t, isTimeout(err), err)
	})
}

func isTimeout(err error) bool {
	timeout, ok := err.(net.Error)
	return ok && timeout.Timeout()
}

// The rules of Options hit the first connection.
func TestOptions_Faults(t *testing.T) {
	s := StartT(t, Options{Faults: []fault.Rule{{Connect: true, Nth: 1, Action: fault.Refuse()}}},
		Options{Faults: []fault.Rule{{Command: "PING", Action: fault.Error("ERR no")}}})
	refused := dial(t, s)
	_, err := refused.Read(make([]byte, 1))
	require.Error(t, err)
	ask(t, dial(t, s), "PING\r\n", "-ERR no\r\n")

	rules := []fault.Rule{{Action: fault.Hang()}, {Command: "pong", Action: fault.Hang()}}
	_, err = Start(t.Context(), Options{Faults: rules})
	require.EqualError(t, err, "minilockd: rule 2 of Faults: ERR unknown command 'pong'")
	var bad *FaultError
	require.ErrorAs(t, err, &bad)
	require.Equal(t, 1, bad.Index)
}

// A rule that limits a connection anew leaves nothing of the one before.
func TestFaults_ThrottleInTurn(t *testing.T) {
	s := StartT(t)
	nc := dial(t, s)
	ask(t, nc, "FAULT.ADD COMMAND get THEN THROTTLE 1000000000\r\n", ":1\r\n")
	ask(t, nc, "FAULT.ADD COMMAND set THEN THROTTLE 2000000000\r\n", ":2\r\n")
	before := runtime.NumGoroutine()
	for range 500 {
		ask(t, nc, "GET k\r\n", "$-1\r\n")
		ask(t, nc, "SET other v\r\n", "+OK\r\n")
	}
	eventually(t, "no more goroutines", func() bool { return runtime.NumGoroutine() < before+50 })
}
