package server

import (
	"io"
	"log/slog"
	"net"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/minilockd/minilockd/internal/config"
	"github.com/minilockd/minilockd/internal/require"
	"github.com/minilockd/minilockd/internal/testenv"
	"github.com/minilockd/minilockd/store"
)

// A panic while a client is served ends only that connection, and is logged once.
func TestPanic_EndsOneConnection(t *testing.T) {
	log := new(testenv.Buffer)
	const fault = "a fault in the parser"
	eachDriver(t, func(t *testing.T, s *Server, dial func() net.Conn) {
		before := strings.Count(log.String(), fault)
		other, target := dial(), dial()
		ask(t, target, "PING\r\n", "+PONG\r\n")
		connOf(s, 2).in.authenticated = func() bool { panic(fault) }
		connOf(s, 1)                   // the change is made before the lock is released ...
		bulk(t, target, "CLIENT LIST") // ... which is taken here before the victim is served again
		_, err := target.Write([]byte("*11\r\n"))
		require.NoError(t, err)
		rest, _ := io.ReadAll(target)
		require.Equal(t, "-ERR internal error\r\n", string(rest))
		ask(t, other, "PING\r\n", "+PONG\r\n")
		require.Equal(t, before+1, strings.Count(log.String(), fault), log.String())
		require.Contains(t, log.String(), "request.go")
	}, Options{Logger: slog.New(slog.NewTextHandler(log, nil))})
}

// With a length near the largest integer, the server waits for the bytes.
func TestPanic_HugeBulkLength(t *testing.T) {
	s := StartT(t)
	ask(t, dial(t, s), "CONFIG SET proto-max-bulk-len 9223372036854775807\r\n", "+OK\r\n")
	nc := dial(t, s)
	_, err := nc.Write([]byte("*2\r\n$3\r\nGET\r\n$9223372036854775805\r\n" + strings.Repeat("x", 100000)))
	require.NoError(t, err)
	ask(t, dial(t, s), "PING\r\n", "+PONG\r\n")
}

// corrupt changes a connection as a bug of the server could. The goroutine that serves client locks the server
// afterwards, so it sees the change.
func corrupt(t *testing.T, s *Server, id int64, client net.Conn, change func(c *conn)) {
	t.Helper()
	change(connOf(s, id))
	connOf(s, id) // locks the server, as CLIENT LIST does
	bulk(t, client, "CLIENT LIST")
}

// eachDriverPanics runs a test on a server for each driver, and checks that one panic was logged in each, with a line
// of the file.
func eachDriverPanics(t *testing.T, file string, test func(t *testing.T, s *Server, dial func() net.Conn)) {
	log := new(testenv.Buffer)
	eachDriver(t, func(t *testing.T, s *Server, dial func() net.Conn) {
		before := strings.Count(log.String(), "msg=\"panic")
		test(t, s, dial)
		require.Equal(t, before+1, strings.Count(log.String(), "msg=\"panic"), log.String())
		require.Contains(t, log.String(), file)
	}, Options{Logger: slog.New(slog.NewTextHandler(log, nil))})
}

// isClosed waits until the server has closed a connection.
func isClosed(t *testing.T, nc net.Conn) {
	t.Helper()
	_, err := io.Copy(io.Discard, nc)
	require.False(t, os.IsTimeout(err), err)
}

// A panic while replies are written, when no command runs any more.
func TestPanic_WhileWriting(t *testing.T) {
	eachDriverPanics(t, "outbox_limit.go", func(t *testing.T, s *Server, dial func() net.Conn) {
		other, target := dial(), dial()
		ask(t, other, "SETRANGE k 99999 x\r\n", ":100000\r\n")
		ask(t, target, "PING\r\n", "+PONG\r\n")
		corrupt(t, s, 2, target, func(c *conn) { c.out.limit.current = nil })
		_, err := target.Write([]byte("GET k\r\n"))
		require.NoError(t, err)
		isClosed(t, target)
		ask(t, other, "PING\r\n", "+PONG\r\n")
	})
}

// A panic while a message is pushed or written ends the connection of the subscriber, not that of the publisher.
func TestPanic_WhilePublishing(t *testing.T) {
	for _, when := range []int32{1, 2} { // it is called when the message is pushed, and when it is written
		eachDriverPanics(t, "panic_test.go", func(t *testing.T, s *Server, dial func() net.Conn) {
			publisher, target := dial(), dial()
			ask(t, publisher, "PING\r\n", "+PONG\r\n")
			ask(t, target, "SUBSCRIBE ch\r\n", "*3\r\n$9\r\nsubscribe\r\n$2\r\nch\r\n:1\r\n")
			corrupt(t, s, 2, publisher, func(c *conn) { c.out.limit.current = limitUntil(when) })
			ask(t, publisher, "PUBLISH ch "+strings.Repeat("m", 2*freeReply)+"\r\n", ":1\r\n")
			isClosed(t, target)
			eventually(t, "the subscription ends", func() bool {
				reply, err := askLine(publisher, "PUBLISH ch m\r\n")
				require.NoError(t, err)
				return reply == ":0\r\n"
			})
		})
	}
}

// limitUntil is a soft limit that panics at its n-th call.
func limitUntil(n int32) func() config.OutputLimit {
	var calls atomic.Int32
	return func() config.OutputLimit {
		if calls.Add(1) == n {
			panic("a fault in a limit")
		}
		return config.OutputLimit{Soft: 1, Patience: time.Hour}
	}
}

// A panic when a key expires ends the expiry in its shard; keys of other shards expire.
func TestPanic_WhenKeysExpire(t *testing.T) {
	eachDriverPanics(t, "expire.go", func(t *testing.T, s *Server, dial func() net.Conn) {
		nc := dial()
		ask(t, nc, "PING\r\n", "+PONG\r\n")
		corrupt(t, s, 1, nc, func(*conn) {
			s.env.Store.SetEventSink(func(_ *store.Tx, _ store.EventClass, event string, _ int, key []byte) {
				if event == "expired" && string(key) == "bad" {
					panic("a fault in an event")
				}
			})
		})
		good := "good"
		for store.LockOf([]byte(good)) == store.LockOf([]byte("bad")) {
			good += "!"
		}
		ask(t, nc, "SET bad v PX 1000\r\nSET "+good+" v PX 1000\r\nSET {"+good+"}2 v PX 2000\r\n", "+OK\r\n+OK\r\n+OK\r\n")
		s.Advance(time.Minute)
		ask(t, nc, "DBSIZE\r\nSET bad v\r\n", ":0\r\n+OK\r\n")
	})
}

// A panic in the code of a loop itself ends its connections; new ones get another loop.
func TestPanic_OfALoop(t *testing.T) {
	log := new(testenv.Buffer)
	s := StartT(t, Options{Logger: slog.New(slog.NewTextHandler(log, nil))})
	if breakLoop == nil {
		return // there are no loops on this system
	}
	target := dial(t, s)
	ask(t, target, "PING\r\n", "+PONG\r\n")
	breakLoop(s)
	isClosed(t, target)
	ask(t, dial(t, s), "PING\r\n", "+PONG\r\n")
	require.Equal(t, 1, strings.Count(log.String(), "msg=\"panic"), log.String())
}

// breakLoop makes the only loop panic. It is nil on systems without loops.
var breakLoop func(*Server)
