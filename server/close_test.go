package server

import (
	"bytes"
	"log/slog"
	"net"
	"testing"

	"github.com/minilockd/minilockd/internal/clock"
	"github.com/minilockd/minilockd/internal/require"
)

// waitingConn is a connection whose reads do not end when it is closed.
type waitingConn struct {
	net.Conn
	reading chan struct{} // closed when the server reads
	release chan struct{} // ends the read
}

func (c *waitingConn) Read([]byte) (int, error) {
	close(c.reading)
	<-c.release
	return 0, net.ErrClosed
}

// logWatch passes on log lines.
type logWatch chan string

func (w logWatch) Write(line []byte) (int, error) {
	w <- string(bytes.Clone(line))
	return len(line), nil
}

func TestServer_Close_LogsWhatItWaitsFor(t *testing.T) {
	lines := make(logWatch, 100)
	s := StartT(t, Options{Logger: slog.New(slog.NewTextHandler(lines, nil))})
	now := clock.NewOffset(clock.Real{})
	s.closeClock = now

	_, end := net.Pipe()
	waiting := &waitingConn{Conn: end, reading: make(chan struct{}), release: make(chan struct{})}
	s.ServeConn(waiting)
	<-waiting.reading
	closed := make(chan struct{})
	go func() {
		defer close(closed)
		_ = s.Close()
	}()
	<-s.Done()
	var line string
	for line == "" { // Close may not have set its timer yet
		now.Advance(closeWarning)
		select {
		case line = <-lines:
		default:
		}
	}
	close(waiting.release)
	<-closed
	require.Contains(t, line, "level=WARN")
	require.Contains(t, line, `client 1 at \"pipe\"`)
	require.Contains(t, line, "server.(*waitingConn).Read < server.(*goroutineDriver).read < "+
		"server.(*goroutineDriver).run")
	now.Advance(closeWarning)
	require.Empty(t, lines, "it is logged once, and not after the end")
}

func TestServer_Close_OfIdleServerLogsNothing(t *testing.T) {
	lines := make(logWatch, 100)
	s := StartT(t, Options{Logger: slog.New(slog.NewTextHandler(lines, nil))})
	now := clock.NewOffset(clock.Real{})
	s.closeClock = now
	require.NoError(t, s.Close())
	now.Advance(closeWarning)
	require.Empty(t, lines)
}
