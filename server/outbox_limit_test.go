package server

import (
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/minilockd/minilockd/internal/require"
)

func setLimits(t *testing.T, nc net.Conn, limits string) {
	t.Helper()
	ask(t, nc, "CONFIG SET client-output-buffer-limit \""+limits+"\"\r\n", "+OK\r\n")
}

// publishUntilPending publishes 1 MB messages to a channel that one client subscribes to until the server has pending
// bytes for that client, or has closed it. It returns the size of all messages as the client gets them.
func publishUntilPending(t *testing.T, s *Server, publisher net.Conn, subscriber int64) (bytes int64) {
	t.Helper()
	c, text := connOf(s, subscriber), strings.Repeat("x", 1<<20)
	message := fmt.Sprintf("*3\r\n$7\r\nmessage\r\n$2\r\nch\r\n$%d\r\n%s\r\n", len(text), text)
	publish := strings.Replace(message, "message", "PUBLISH", 1)
	for c.out.pending() < 2<<20 && connOf(s, subscriber) != nil {
		_, err := io.WriteString(publisher, publish)
		require.NoError(t, err)
		readLine(t, publisher)
		bytes += int64(len(message))
	}
	return bytes
}

// readUntilClosed reads until the server's end is closed, in the middle of a record of TLS or elsewhere.
func readUntilClosed(t *testing.T, nc net.Conn) {
	t.Helper()
	_, err := io.Copy(io.Discard, nc)
	if _, secure := nc.(*tls.Conn); err != nil && (!secure || !errors.Is(err, io.ErrUnexpectedEOF)) {
		require.ErrorContains(t, err, "connection reset")
	}
}

func TestOutputLimit_Hard(t *testing.T) {
	eachDriver(t, func(t *testing.T, s *Server, dial func() net.Conn) {
		subscriber, publisher := dial(), dial()
		setLimits(t, publisher, "pubsub 1mb 0 0")
		ask(t, subscriber, "SUBSCRIBE ch\r\n", subscribed)
		publishUntilPending(t, s, publisher, 1)
		eventually(t, "the subscriber is closed", func() bool { return connOf(s, 1) == nil })
		readUntilClosed(t, subscriber)
		ask(t, publisher, "PUBLISH ch text\r\n", ":0\r\n")
	})
}

func TestOutputLimit_Soft(t *testing.T) {
	eachDriver(t, func(t *testing.T, s *Server, dial func() net.Conn) {
		subscriber, publisher := dial(), dial()
		setLimits(t, publisher, "pubsub 0 100kb 100")
		ask(t, subscriber, "SUBSCRIBE ch\r\n", subscribed)
		publishUntilPending(t, s, publisher, 1)
		s.Advance(60 * time.Second)
		require.NotNil(t, connOf(s, 1))
		s.Advance(41 * time.Second)
		eventually(t, "the subscriber is closed", func() bool { return connOf(s, 1) == nil })
		readUntilClosed(t, subscriber)
	})
}

// A client that reads in time starts with the full time again.
func TestOutputLimit_Soft_ReadInTime(t *testing.T) {
	eachDriver(t, func(t *testing.T, s *Server, dial func() net.Conn) {
		subscriber, publisher := dial(), dial()
		setLimits(t, publisher, "pubsub 0 100kb 100")
		ask(t, subscriber, "SUBSCRIBE ch\r\n", subscribed)
		c := connOf(s, 1)
		for range 3 {
			messages := publishUntilPending(t, s, publisher, 1)
			s.Advance(60 * time.Second)
			_, err := io.CopyN(io.Discard, subscriber, messages)
			require.NoError(t, err)
			eventually(t, "the server knows that all is sent", func() bool { return c.out.pending() == 0 })
		}
		require.NotNil(t, connOf(s, 1))
	})
}

func TestOutputLimit_Reply(t *testing.T) {
	eachDriver(t, func(t *testing.T, s *Server, dial func() net.Conn) {
		reader, operator := dial(), dial()
		text := strings.Repeat("x", 200<<10)
		ask(t, operator, fmt.Sprintf("*3\r\n$3\r\nSET\r\n$1\r\nk\r\n$%d\r\n%s\r\n", len(text), text), "+OK\r\n")
		setLimits(t, operator, "normal 250kb 0 0 pubsub 100kb 0 0")
		ask(t, reader, "GET k\r\n", fmt.Sprintf("$%d\r\n%s\r\n", len(text), text))
		ask(t, reader, "MULTI\r\nSET done 1\r\nGET k\r\nGET k\r\n", "+OK\r\n+QUEUED\r\n+QUEUED\r\n+QUEUED\r\n")
		_, err := reader.Write([]byte("EXEC\r\n"))
		require.NoError(t, err)
		requireClosed(t, reader)
		ask(t, operator, "GET done\r\n", "$1\r\n1\r\n")
	})
}

// The soft limit closes a client that does not read its reply, and not one that reads slowly.
func TestOutputLimit_SoftReply(t *testing.T) {
	eachDriver(t, func(t *testing.T, s *Server, dial func() net.Conn) {
		reader, operator := dial(), dial()
		ask(t, operator, "SETRANGE k 20000000 x\r\n", ":20000001\r\n")
		setLimits(t, operator, "normal 0 1mb 100")
		_, err := reader.Write([]byte("GET k\r\n"))
		require.NoError(t, err)
		eventually(t, "it has to be sent", func() bool { return connOf(s, 1).out.pending() > 0 })
		s.Advance(60 * time.Second)
		require.NotNil(t, connOf(s, 1))
		s.Advance(41 * time.Second)
		readUntilClosed(t, reader)
		eventually(t, "the reader is closed", func() bool { return connOf(s, 1) == nil })
	})
}

// CLIENT LIST shows what a client leaves unread.
func TestOutputLimit_ClientList(t *testing.T) {
	s := StartT(t)
	subscriber, publisher := dial(t, s), dial(t, s)
	ask(t, subscriber, "SUBSCRIBE ch\r\n", subscribed)
	publishUntilPending(t, s, publisher, 1)
	_, err := publisher.Write([]byte("CLIENT LIST ID 1\r\n"))
	require.NoError(t, err)
	readLine(t, publisher)
	require.Regexp(t, `obl=16384 oll=[1-9]\d\d omem=[23]\d{6} `, readLine(t, publisher))
}
