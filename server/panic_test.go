package server

import (
	"io"
	"log/slog"
	"net"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/minilockd/minilockd/internal/testenv"
)

// A panic while a client is served ends that connection and nothing else, and is logged once.
func TestPanic_EndsOneConnection(t *testing.T) {
	log := new(testenv.Buffer)
	const fault = "a fault in the parser"
	eachDriver(t, func(t *testing.T, s *Server, dial func() net.Conn) {
		before := strings.Count(log.String(), fault)
		other, victim := dial(), dial()
		ask(t, victim, "PING\r\n", "+PONG\r\n")
		connOf(s, 2).in.authed = func() bool { panic(fault) }
		connOf(s, 1)                   // the change is made before the lock is released ...
		bulk(t, victim, "CLIENT LIST") // ... which is taken here before the victim is served again
		_, err := victim.Write([]byte("*11\r\n"))
		require.NoError(t, err)
		rest, _ := io.ReadAll(victim)
		require.Equal(t, "-ERR internal error\r\n", string(rest))
		ask(t, other, "PING\r\n", "+PONG\r\n")
		require.Equal(t, before+1, strings.Count(log.String(), fault), log.String())
		require.Contains(t, log.String(), "request.go")
	}, Options{Logger: slog.New(slog.NewTextHandler(log, nil))})
}

// A length near the limit of integers waits for its bytes, as any other.
func TestPanic_HugeBulkLength(t *testing.T) {
	s := StartT(t)
	ask(t, dial(t, s), "CONFIG SET proto-max-bulk-len 9223372036854775807\r\n", "+OK\r\n")
	nc := dial(t, s)
	_, err := nc.Write([]byte("*2\r\n$3\r\nGET\r\n$9223372036854775805\r\n" + strings.Repeat("x", 100000)))
	require.NoError(t, err)
	ask(t, dial(t, s), "PING\r\n", "+PONG\r\n")
}
