package server

import (
	"net"
	"testing"
	"time"
)

func TestPause_WritesWait(t *testing.T) {
	eachDriver(t, func(t *testing.T, s *Server, dial func() net.Conn) {
		operator, writer, script, queue := dial(), dial(), dial(), dial()
		ask(t, queue, "MULTI\r\nSET c 1\r\n", "+OK\r\n+QUEUED\r\n")
		ask(t, operator, "CLIENT PAUSE 100000 WRITE\r\n", "+OK\r\n")
		blocked(t, s, writer, "SET a 1\r\nGET a")
		blocked(t, s, script, "EVAL 'return 1' 0")
		blocked(t, s, queue, "EXEC")
		ask(t, operator, "GET a\r\nEVAL_RO 'return 2' 0\r\nSET a\r\n",
			"$-1\r\n:2\r\n-ERR wrong number of arguments for 'set' command\r\n")
		ask(t, operator, "CLIENT UNBLOCK 2\r\nCLIENT UNPAUSE\r\n", ":0\r\n+OK\r\n")
		ask(t, writer, "", "+OK\r\n$1\r\n1\r\n")
		ask(t, script, "", ":1\r\n")
		ask(t, queue, "", "*1\r\n+OK\r\n")
	})
}

func TestPause_EndsByItself(t *testing.T) {
	eachDriver(t, func(t *testing.T, s *Server, dial func() net.Conn) {
		operator, reader := dial(), dial()
		ask(t, operator, "CLIENT PAUSE 200000\r\n", "+OK\r\n")
		blocked(t, s, operator, "CLIENT PAUSE 100000 WRITE")
		blocked(t, s, reader, "PING")
		s.Advance(200 * time.Second)
		ask(t, reader, "", "+PONG\r\n")
		ask(t, operator, "", "+OK\r\n")
	})
}

func TestPause_KeysAreNotRemoved(t *testing.T) {
	s := StartT(t)
	nc := dial(t, s)
	ask(t, nc, "MULTI\r\nSET a 1 PX 10\r\nCLIENT PAUSE 100000 WRITE\r\nSET b 1 PX 10\r\nEXEC\r\n",
		"+OK\r\n+QUEUED\r\n+QUEUED\r\n+QUEUED\r\n*3\r\n+OK\r\n+OK\r\n+OK\r\n")
	s.Advance(time.Second)
	ask(t, nc, "GET a\r\nDBSIZE\r\nCLIENT UNPAUSE\r\nEXISTS a b\r\nDBSIZE\r\n", "$-1\r\n:2\r\n+OK\r\n:0\r\n:0\r\n")
}
