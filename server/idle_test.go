package server

import (
	"io"
	"net"
	"testing"
	"time"

	"github.com/minilockd/minilockd/internal/require"
)

// requireClosed asserts that the server has closed the connection, with nothing left to read.
func requireClosed(t *testing.T, nc net.Conn) {
	t.Helper()
	n, err := nc.Read(make([]byte, 1))
	require.Zero(t, n)
	require.ErrorIs(t, err, io.EOF)
}

// connOf returns the server's n-th connection, counted from 1.
func connOf(s *Server, n int64) *conn {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.conns[n]
}

func TestTimeout_ClosesIdleClients(t *testing.T) {
	eachDriver(t, func(t *testing.T, s *Server, dial func() net.Conn) {
		idle, active, subscriber, waiter, monitor := dial(), dial(), dial(), dial(), dial()
		ask(t, idle, "PING\r\n", "+PONG\r\n")
		ask(t, subscriber, "SUBSCRIBE ch\r\n", subscribed)
		ask(t, monitor, "MONITOR\r\n", "+OK\r\n")
		blocked(t, s, waiter, "BLPOP k 0")
		ask(t, active, "CONFIG SET timeout 100\r\n", "+OK\r\n")
		s.Advance(60 * time.Second)
		ask(t, active, "PING\r\n", "+PONG\r\n")
		s.Advance(45 * time.Second)
		requireClosed(t, idle)
		ask(t, active, "RPUSH k v\r\nPUBLISH ch text\r\n", ":1\r\n:1\r\n")
		ask(t, waiter, "", bulks("k", "v"))
		ask(t, subscriber, "", bulks("message", "ch", "text"))
		s.Advance(90 * time.Second)
		ask(t, waiter, "PING\r\n", "+PONG\r\n")
		ask(t, subscriber, "UNSUBSCRIBE ch\r\n", "*3\r\n$11\r\nunsubscribe\r\n$2\r\nch\r\n:0\r\n")
		s.Advance(60 * time.Second)
		requireClosed(t, active)
		ask(t, waiter, "CONFIG SET timeout 0\r\n", "+OK\r\n")
		s.Advance(time.Hour)
		ask(t, subscriber, "PING\r\n", "+PONG\r\n")
	})
}

func TestTimeout_ClientsThatComeLater(t *testing.T) {
	eachDriver(t, func(t *testing.T, s *Server, dial func() net.Conn) {
		first := dial()
		ask(t, first, "CONFIG SET timeout 100\r\n", "+OK\r\n")
		s.Advance(102 * time.Second)
		requireClosed(t, first)
		eventually(t, "the client is gone", func() bool { return connOf(s, 1) == nil })
		s.Advance(102 * time.Second)
		second := dial()
		ask(t, second, "PING\r\n", "+PONG\r\n")
		s.Advance(60 * time.Second)
		ask(t, second, "PING\r\n", "+PONG\r\n")
		s.Advance(102 * time.Second)
		requireClosed(t, second)
	})
}

// A client whose command runs is not idle.
func TestTimeout_NotForARunningCommand(t *testing.T) {
	s := StartT(t)
	runner := dial(t, s)
	ask(t, runner, "CONFIG SET timeout 100 busy-reply-threshold 50\r\n", "+OK\r\n")
	runs(t, runner, `"while true do end" 0`)
	admin := dial(t, s)
	until(t, admin, "PING", busyReply)
	s.Advance(200 * time.Second)
	eventually(t, "the client is suspected", connOf(s, 1).maybeIdle.Load)
	admin = dial(t, s)
	until(t, admin, "SCRIPT KILL", "+OK")
	require.Contains(t, readLine(t, runner), "Script killed by user")
	ask(t, runner, "PING\r\n", "+PONG\r\n")
}

// A client that is sending a command is not idle.
func TestTimeout_NotForASlowSender(t *testing.T) {
	eachDriver(t, func(t *testing.T, s *Server, dial func() net.Conn) {
		nc := dial()
		ask(t, nc, "CONFIG SET timeout 100\r\n", "+OK\r\n")
		c := connOf(s, 1)
		s.Advance(60 * time.Second)
		before, _ := c.session.IdleUntil()
		_, err := nc.Write([]byte("*1\r\n$4\r\nPI"))
		require.NoError(t, err)
		eventually(t, "the part is read", func() bool { now, _ := c.session.IdleUntil(); return now.After(before) })
		s.Advance(60 * time.Second)
		ask(t, nc, "NG\r\n", "+PONG\r\n")
	})
}

// Without a timeout, and without clients, nothing wakes the server.
func TestTimeout_NoTimerWithoutNeed(t *testing.T) {
	s := StartT(t)
	scheduled := func() bool {
		s.idle.mu.Lock()
		defer s.idle.mu.Unlock()
		return s.idle.scheduled
	}
	nc := dial(t, s)
	ask(t, nc, "PING\r\n", "+PONG\r\n")
	require.False(t, scheduled())
	ask(t, nc, "CONFIG SET timeout 100\r\n", "+OK\r\n")
	require.NoError(t, nc.Close())
	eventually(t, "the client is gone", func() bool { return connOf(s, 1) == nil })
	s.Advance(101 * time.Second)
	eventually(t, "the watch rests", func() bool { return !scheduled() })
}
