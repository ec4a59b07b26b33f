package server

import (
	"net"
	"testing"
	"time"

	"github.com/minilockd/minilockd/internal/require"
)

// resp3 makes a connection use RESP3.
func resp3(t *testing.T, nc net.Conn) {
	t.Helper()
	_, err := nc.Write([]byte("HELLO 3\r\n"))
	require.NoError(t, err)
	for readLine(t, nc) != "*0" { // the modules, which come last
	}
}

func invalidate(keys ...string) string {
	return ">2\r\n$10\r\ninvalidate\r\n" + bulks(keys...)
}

func TestTracking_InvalidatesOnceAKeyThatWasRead(t *testing.T) {
	eachDriver(t, func(t *testing.T, s *Server, dial func() net.Conn) {
		tracking, writer := dial(), dial()
		resp3(t, tracking)
		ask(t, tracking, "CLIENT TRACKING ON\r\nGET k\r\n", "+OK\r\n_\r\n")
		ask(t, writer, "SET other 1\r\nSET k 1\r\nSET k 2\r\n", "+OK\r\n+OK\r\n+OK\r\n")
		ask(t, tracking, "", invalidate("k"))
		ask(t, tracking, "GET k\r\nINCR k\r\nPING\r\n", "$1\r\n2\r\n:3\r\n"+invalidate("k")+"+PONG\r\n")
		ask(t, tracking, "SET k 1 PX 5\r\nGET k\r\n", "+OK\r\n$1\r\n1\r\n")
		s.Advance(time.Second)
		ask(t, tracking, "", invalidate("k"))
		ask(t, tracking, "GET k\r\n", "_\r\n")
		ask(t, writer, "FLUSHALL\r\n", "+OK\r\n")
		ask(t, tracking, "", ">2\r\n$10\r\ninvalidate\r\n_\r\n")
		ask(t, tracking, "GET k\r\nCLIENT TRACKING OFF\r\n", "_\r\n+OK\r\n")
		ask(t, writer, "SET k 3\r\n", "+OK\r\n")
		ask(t, tracking, "PING\r\n", "+PONG\r\n")
	})
}

func TestTracking_Broadcast(t *testing.T) {
	eachDriver(t, func(t *testing.T, s *Server, dial func() net.Conn) {
		tracking, writer := dial(), dial()
		resp3(t, tracking)
		ask(t, tracking, "CLIENT TRACKING ON BCAST PREFIX a: PREFIX b: NOLOOP\r\n", "+OK\r\n")
		ask(t, writer, "MSET a:1 x a:2 x b:1 x c:1 x\r\n", "+OK\r\n")
		ask(t, tracking, "", invalidate("a:1", "a:2")+invalidate("b:1"))
		ask(t, tracking, "SET a:1 own\r\nPING\r\n", "+OK\r\n+PONG\r\n")
	})
}

func TestTracking_Redirect(t *testing.T) {
	eachDriver(t, func(t *testing.T, s *Server, dial func() net.Conn) {
		listener, tracking, writer := dial(), dial(), dial()
		ask(t, listener, "SUBSCRIBE __redis__:invalidate\r\n",
			"*3\r\n$9\r\nsubscribe\r\n$20\r\n__redis__:invalidate\r\n:1\r\n")
		ask(t, tracking, "CLIENT TRACKING ON REDIRECT 1\r\nCLIENT GETREDIR\r\nMGET k l\r\n",
			"+OK\r\n:1\r\n*2\r\n$-1\r\n$-1\r\n")
		ask(t, writer, "SET k 1\r\n", "+OK\r\n")
		ask(t, listener, "", "*3\r\n$7\r\nmessage\r\n$20\r\n__redis__:invalidate\r\n"+bulks("k"))
		resp3(t, tracking)
		ask(t, listener, "QUIT\r\n", "+OK\r\n")
		eventually(t, "the listener is gone", func() bool { return connOf(s, 1) == nil })
		ask(t, writer, "SET l 1\r\n", "+OK\r\n")
		ask(t, tracking, "", ">2\r\n$21\r\ntracking-redir-broken\r\n:1\r\n")
	})
}

func TestTracking_BlockedClient_InvalidatedAfterItsReply(t *testing.T) {
	eachDriver(t, func(t *testing.T, s *Server, dial func() net.Conn) {
		tracking, producer := dial(), dial()
		resp3(t, tracking)
		ask(t, tracking, "CLIENT TRACKING ON\r\nLRANGE to 0 -1\r\n", "+OK\r\n*0\r\n")
		blocked(t, s, tracking, "BLMOVE from to LEFT LEFT 0")
		ask(t, producer, "RPUSH from foo\r\n", ":1\r\n")
		ask(t, tracking, "", "$3\r\nfoo\r\n"+invalidate("to"))
	})
}
