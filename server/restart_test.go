package server

import (
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/minilockd/minilockd/fault"
	"github.com/minilockd/minilockd/internal/require"
	"github.com/minilockd/minilockd/locks"
)

// infoField returns a field of INFO.
func infoField(t *testing.T, c *client, name string) string {
	t.Helper()
	for line := range strings.Lines(c.must(t, "INFO").String()) {
		if value, ok := strings.CutPrefix(strings.TrimSpace(line), name+":"); ok {
			return value
		}
	}
	require.Fail(t, name)
	return ""
}

// A restart closes the connections of all but the caller, with what they hold. What is not data is lost with either
// form; what a test has set to control the server stays.
func TestRestart(t *testing.T) {
	for form, left := range map[string]int{"KEEP": 1, "LOSE": 0} { // keys, and libraries
		t.Run(form, func(t *testing.T) {
			eachDriver(t, func(t *testing.T, s *Server, dial func() net.Conn) {
				caller := &client{nc: dial()}
				caller.must(t, "FUNCTION", "LOAD", "#!lua name=lib\nredis.register_function('f', function() return 1 end)")
				sha := caller.must(t, "SCRIPT", "LOAD", "return 1").String()
				caller.must(t, "SET", "k", "v")
				caller.must(t, "CLIENT", "SETNAME", "test")
				caller.must(t, "WATCH", "k")
				caller.must(t, "FAULT.ADD", "CHANNEL", "ch", "THEN", "DELAY", "1000")
				caller.must(t, "PUBLISH", "ch", "lost")
				waiter, subscriber := dial(), dial()
				blocked(t, s, waiter, "BLPOP q 0")
				ask(t, subscriber, "SUBSCRIBE ch\r\n", "*3\r\n$9\r\nsubscribe\r\n$2\r\nch\r\n:1\r\n")
				before := infoField(t, caller, "run_id")
				s.Advance(500 * time.Millisecond)

				require.Equal(t, "OK", caller.must(t, "FAULT.RESTART", strings.ToLower(form)).String())
				for _, nc := range []net.Conn{waiter, subscriber} {
					_, err := io.ReadAll(nc)
					require.False(t, isTimeout(err), err)
				}
				require.True(t, before != infoField(t, caller, "run_id"), "a new run_id")
				require.Equal(t, "0", infoField(t, caller, "uptime_in_seconds"))
				require.Equal(t, "1", infoField(t, caller, "connected_clients"))
				require.Equal(t, "0", infoField(t, caller, "total_connections_received"))
				require.Equal(t, int64(left), caller.must(t, "DBSIZE").Int())
				require.Len(t, elements(caller.must(t, "FUNCTION", "LIST")), left)
				_, err := caller.do("EVALSHA", sha, 0)
				require.ErrorContains(t, err, "NOSCRIPT")
				require.Equal(t, "test", caller.must(t, "CLIENT", "GETNAME").String())
				require.Equal(t, "0", caller.must(t, "PUBLISH", "ch", "x").String())
				require.Len(t, s.Faults().List(), 1)
			})
		})
	}
}

// A restart ends scripts, also one that has written.
func TestRestart_EndsScripts(t *testing.T) {
	s := StartT(t)
	connect(t, s).must(t, "CONFIG", "SET", "busy-reply-threshold", "1")
	runs(t, dial(t, s), `"redis.call('set', KEYS[1], 'v') while true do end" 1 k`)
	eventually(t, "the script is busy", func() bool { return s.env.Scripts.Busy() != nil })
	s.Restart(LoseData())
	require.Equal(t, "0", connect(t, s).must(t, "DBSIZE").String())
}

// In Go there is no caller: all connections end. Connections made afterwards are served.
func TestRestart_InGo(t *testing.T) {
	s := StartT(t)
	nc := dial(t, s)
	ask(t, nc, "SET k v\r\n", "+OK\r\n")
	s.Restart(KeepData())
	_, err := io.ReadAll(nc)
	require.False(t, isTimeout(err), err)
	ask(t, dial(t, s), "GET k\r\n", "$1\r\nv\r\n")
	s.Restart(LoseData())
	ask(t, dial(t, s), "GET k\r\n", "$-1\r\n")
}

// Two restarts at a time do not wait for each other's callers; the later one ends the connection of the other's.
func TestRestart_Twice(t *testing.T) {
	s := StartT(t)
	callers := []net.Conn{dial(t, s), dial(t, s)}
	for _, nc := range callers {
		ask(t, nc, "PING\r\n", "+PONG\r\n")
	}
	for _, nc := range callers {
		send(t, nc, "FAULT.RESTART LOSE")
	}
	for _, nc := range callers {
		_, err := readToLineEnd(nc)
		require.False(t, isTimeout(err), err)
	}
	ask(t, dial(t, s), "PING\r\n", "+PONG\r\n")
}

// readToLineEnd reads a line, or up to the end.
func readToLineEnd(nc net.Conn) (line string, err error) {
	b := make([]byte, 1)
	for err == nil && !strings.HasSuffix(line, "\n") {
		var n int
		n, err = nc.Read(b)
		line += string(b[:n])
	}
	return line, err
}

func TestRestart_Errors(t *testing.T) {
	c := connect(t, StartT(t))
	for _, words := range [][]any{{"FAULT.RESTART", "SOME"}, {"FAULT.RESTART", "KEEP", "LOSE"}} {
		_, err := c.do(words...)
		require.EqualError(t, err, "ERR syntax error")
	}
	c.must(t, "MULTI")
	_, err := c.do("FAULT.RESTART")
	require.EqualError(t, err, "ERR Command not allowed inside a transaction")
}

// A restart leaves a partition and the rules as they are.
func TestRestart_DuringAPartition(t *testing.T) {
	s := StartT(t)
	s.Faults().Add(fault.Rule{Command: "get", Action: fault.Hang()})
	s.Partition()
	s.Restart(KeepData())
	nc := dial(t, s)
	blocked(t, s, nc, "PING")
	require.Len(t, s.Faults().List(), 1)
	s.Heal()
	ask(t, nc, "", "+PONG\r\n")
}

// A server that restarts with the data of a snapshot has lost what came after; the lock history says so.
func TestRestart_WithTheDataOfASnapshot(t *testing.T) {
	s := StartT(t)
	c := &client{nc: dial(t, s)}
	s.Locks().Track(10)
	const a, b = "01234567-89ab-cdef-0123-456789abcdef:1", "01234567-89ab-cdef-0123-456789abcdef:2"
	c.must(t, "HSET", "before", a, "1")
	c.must(t, "TEST.SNAPSHOT", "s")
	saved := s.Snapshot()
	for _, restart := range []func(){
		func() { c.must(t, "FAULT.RESTART", "SNAPSHOT", "s") },
		func() { s.Restart(DataOf(saved)) },
	} {
		c.must(t, "DEL", "before")
		c.must(t, "HSET", "after", b, "1")
		restart()
		c = &client{nc: dial(t, s)}
		require.Equal(t, "1", c.must(t, "HLEN", "before").String())
		require.Zero(t, c.must(t, "EXISTS", "after").Int())
		events := s.Locks().History("after")
		require.Equal(t, locks.Forced, events[len(events)-1].Type)
	}
	_, err := c.do("FAULT.RESTART", "SNAPSHOT", "none")
	require.ErrorContains(t, err, "ERR no snapshot 'none'")
}
