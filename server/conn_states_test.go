//go:build linux

package server

import (
	"io"
	"net"
	"strings"
	"syscall"
	"testing"

	"github.com/minilockd/minilockd/internal/require"
)

// The states of a connection and of a loop are in the diagram of doc.go; each transition has its test here.

// stateOf returns the state of a connection, as other goroutines see it.
func stateOf(d *epollDriver) string {
	d.socket.mu.Lock()
	defer d.socket.mu.Unlock()
	switch {
	case d.socket.fd < 0:
		return "ended"
	case d.socket.detached:
		return "detached"
	}
	return map[uint32]string{syscall.EPOLLIN: "reading", syscall.EPOLLRDHUP: "blocked",
		syscall.EPOLLOUT: "writing"}[d.socket.watched]
}

// stateTest is a client of a server, and its connection.
type stateTest struct {
	t      *testing.T
	s      *Server
	nc     net.Conn
	other  net.Conn
	driver *epollDriver
}

func newStateTest(t *testing.T) *stateTest {
	s := StartT(t)
	b := &stateTest{t: t, s: s, nc: dial(t, s), other: dial(t, s)}
	id := readInt(t, b.nc, "CLIENT ID")
	ask(t, b.other, "CONFIG SET busy-reply-threshold 600000\r\n", "+OK\r\n")
	ask(t, b.other, "SETRANGE large 16777215 x\r\n", ":16777216\r\n")
	b.driver = connOf(s, id).driver.(*epollDriver)
	b.requireState("reading")
	return b
}

func readInt(t *testing.T, nc net.Conn, send string) (n int64) {
	t.Helper()
	_, err := nc.Write([]byte(send + "\r\n"))
	require.NoError(t, err)
	for _, digit := range readLine(t, nc)[1:] {
		n = 10*n + int64(digit-'0')
	}
	return n
}

func (b *stateTest) send(what string) {
	b.t.Helper()
	_, err := b.nc.Write([]byte(what + "\r\n"))
	require.NoError(b.t, err)
}

func (b *stateTest) requireState(state string) {
	b.t.Helper()
	eventually(b.t, state, func() bool { return stateOf(b.driver) == state })
}

// isDetached sends a script that runs until the key "stop" exists, and waits until another goroutine runs the loop.
func (b *stateTest) isDetached() {
	b.t.Helper()
	b.send(`EVAL "while true do end" 0`)
	b.requireState("detached")
}

// stops lets the script end.
func (b *stateTest) stops() {
	b.t.Helper()
	b.s.env.Config.SetFixed("busy-reply-threshold", "1")
	until(b.t, b.other, "SCRIPT KILL", "+OK")
}

func (b *stateTest) readsKilledScript() {
	b.t.Helper()
	require.Contains(b.t, readLine(b.t, b.nc), "-ERR Script killed")
}

const largeReply = 16777216 + len("$16777216\r\n\r\n")

func TestStates_BlockedAndServed(t *testing.T) {
	b := newStateTest(t)
	b.send("BLPOP l 0")
	b.requireState("blocked")
	ask(t, b.other, "RPUSH l a\r\n", ":1\r\n")
	b.requireState("reading")
	require.Equal(t, "*2", readLine(t, b.nc))
}

func TestStates_BlockedAndEnded(t *testing.T) {
	for name, end := range map[string]func(b *stateTest){
		"by the client": func(b *stateTest) { _ = b.nc.Close() },
		"by a kill":     func(b *stateTest) { b.driver.kill() },
		"by the server": func(b *stateTest) { _ = b.s.Close() },
	} {
		t.Run(name, func(t *testing.T) {
			b := newStateTest(t)
			b.send("BLPOP l 0")
			b.requireState("blocked")
			end(b)
			b.requireState("ended")
		})
	}
}

func TestStates_WritingAndRead(t *testing.T) {
	b := newStateTest(t)
	b.send("GET large\r\nPING")
	b.requireState("writing")
	_, err := io.CopyN(io.Discard, b.nc, int64(largeReply))
	require.NoError(t, err)
	require.Equal(t, "+PONG", readLine(t, b.nc))
	b.requireState("reading")
}

// A connection that ends lets the client read its replies first.
func TestStates_ClosingUntilRead(t *testing.T) {
	b := newStateTest(t)
	b.send("GET large\r\nQUIT\r\nSET never 1")
	b.requireState("writing")
	reply, err := io.ReadAll(b.nc)
	require.NoError(t, err)
	require.Equal(t, largeReply+len("+OK\r\n"), len(reply))
	require.True(t, strings.HasSuffix(string(reply), "\r\n+OK\r\n"))
	b.requireState("ended")
	ask(t, b.other, "EXISTS never\r\n", ":0\r\n")
}

func TestStates_DetachedAndBack(t *testing.T) {
	b := newStateTest(t)
	b.isDetached()
	ask(t, b.other, "PING\r\n", "+PONG\r\n")
	b.stops()
	b.readsKilledScript()
	b.requireState("reading")
	ask(t, b.nc, "PING\r\n", "+PONG\r\n")
}

// Signals to a detached connection take effect when its command ends.
func TestStates_SignalsWhileDetached(t *testing.T) {
	for name, c := range map[string]struct {
		happen func(b *stateTest)
		then   string
	}{
		"a kill":     {func(b *stateTest) { b.driver.kill() }, "ended"},
		"a wake-up":  {func(b *stateTest) { b.driver.wake() }, "reading"},
		"the end":    {func(b *stateTest) { _ = b.nc.(*net.TCPConn).CloseWrite() }, "ended"},
		"a request":  {func(b *stateTest) { b.send("PING") }, "reading"},
		"no request": {func(*stateTest) {}, "reading"},
	} {
		t.Run(name, func(t *testing.T) {
			b := newStateTest(t)
			b.isDetached()
			c.happen(b)
			for range 10 { // the loop takes the signal, and must keep it
				ask(t, b.other, "PING\r\n", "+PONG\r\n")
			}
			require.Equal(t, "detached", stateOf(b.driver))
			b.stops()
			if name != "a kill" {
				b.readsKilledScript()
			}
			b.requireState(c.then)
		})
	}
}

// Messages for a detached subscriber are sent after its reply.
func TestStates_MessagesWhileDetached(t *testing.T) {
	b := newStateTest(t)
	b.send("HELLO 3")
	for line := ""; line != "*0"; { // modules, the last field
		line = readLine(t, b.nc)
	}
	ask(t, b.nc, "SUBSCRIBE c\r\n", ">3\r\n$9\r\nsubscribe\r\n$1\r\nc\r\n:1\r\n")
	b.isDetached()
	ask(t, b.other, "PUBLISH c m\r\n", ":1\r\n")
	b.stops()
	eventually(t, "both have come", func() bool {
		line := readLine(t, b.nc)
		return strings.HasPrefix(line, "-ERR Script killed") || line == "m"
	})
	b.requireState("reading")
	ask(t, b.other, "PUBLISH c n\r\n", ":1\r\n")
	for line := ""; line != "n"; {
		line = readLine(t, b.nc)
	}
}

func TestStates_DetachedAndTheServerEnds(t *testing.T) {
	b := newStateTest(t)
	b.isDetached()
	require.NoError(t, b.s.Close())
	require.Equal(t, "ended", stateOf(b.driver))
}

// A loop sleeps when nothing happens, and any event wakes it.
func TestStates_LoopSleepsAndWakes(t *testing.T) {
	b := newStateTest(t)
	l := b.s.loops[0]
	sleeping := func() bool { return l.sleeping.Load() && l.current.Load() == nil }
	for name, wake := range map[string]func(){
		"by a request": func() { ask(t, b.nc, "PING\r\n", "+PONG\r\n") },
		"by a signal":  func() { b.driver.wake() },
	} {
		eventually(t, "asleep", sleeping)
		before := l.served.Load()
		wake()
		eventually(t, name, func() bool { return l.served.Load() > before })
	}
}
