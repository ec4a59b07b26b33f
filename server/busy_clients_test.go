package server

import (
	"crypto/tls"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/minilockd/minilockd/internal/require"
	"github.com/minilockd/minilockd/pubsub"
)

// busyTest is a server with a client in some state, a script that never ends on the key "k", and an operator.
type busyTest struct {
	t        *testing.T
	s        *Server
	dial     func() net.Conn
	client   net.Conn
	id       string
	operator net.Conn
}

func (b *busyTest) send(what string) {
	b.t.Helper()
	_, err := b.client.Write([]byte(what))
	require.NoError(b.t, err)
}

func (b *busyTest) command(what, want string) {
	b.t.Helper()
	ask(b.t, b.operator, what+"\r\n", want+"\r\n")
}

// waitListed waits until CLIENT LIST shows the client so.
func (b *busyTest) waitListed(what string) {
	b.t.Helper()
	eventually(b.t, what, func() bool {
		return strings.Contains(bulk(b.t, b.operator, "CLIENT LIST ID "+b.id), what)
	})
}

// bulk sends a request and returns its reply, a bulk string.
func bulk(t *testing.T, nc net.Conn, send string) string {
	t.Helper()
	_, err := nc.Write([]byte(send + "\r\n"))
	require.NoError(t, err)
	size := 0
	for _, digit := range readLine(t, nc)[1:] {
		size = 10*size + int(digit-'0')
	}
	text := make([]byte, size+2)
	_, err = readFull(nc, text)
	require.NoError(t, err)
	return string(text)
}

// busyStates are the states in which a client can be.
var busyStates = map[string]func(b *busyTest){
	"idle": func(*busyTest) {},
	"in mid-request": func(b *busyTest) {
		b.send("*2\r\n$3\r\nGET\r\n$1000\r\nk")
	},
	"blocked": func(b *busyTest) {
		b.send("BLPOP k 0\r\n")
		b.waitListed("cmd=blpop")
	},
	"blocked with a request behind": func(b *busyTest) {
		b.send("BLPOP other 0\r\nEVAL \"while true do end\" 0\r\n")
		b.waitListed("cmd=blpop")
	},
	"paused": func(b *busyTest) {
		b.command("CLIENT PAUSE 600000 WRITE", "+OK")
		b.send("SET paused v\r\n")
		b.waitListed("cmd=set")
	},
	"in MULTI": func(b *busyTest) {
		ask(b.t, b.client, "MULTI\r\nGET k\r\n", "+OK\r\n+QUEUED\r\n")
	},
	"watching": func(b *busyTest) {
		ask(b.t, b.client, "WATCH k\r\n", "+OK\r\n")
	},
	"subscribed": func(b *busyTest) {
		ask(b.t, b.client, "SUBSCRIBE c\r\n", "*3\r\n$9\r\nsubscribe\r\n$1\r\nc\r\n:1\r\n")
	},
	"monitoring": func(b *busyTest) {
		ask(b.t, b.client, "MONITOR\r\n", "+OK\r\n")
	},
	"tracking": func(b *busyTest) {
		ask(b.t, b.client, "HELLO 3\r\n", "%7\r\n")
		b.send("CLIENT TRACKING ON BCAST\r\n")
		b.waitListed("flags=tB")
	},
	"reading slowly": func(b *busyTest) {
		b.command("SETRANGE large 33554432 x", ":33554433")
		b.send("GET large\r\n")
		b.waitListed("cmd=get")
	},
	"waiting for the key": func(b *busyTest) {
		b.send("SET before 1\r\nINCR k\r\n")
	},
}

// busyChanges are what can happen to a client while a script runs.
var busyChanges = map[string]func(b *busyTest){
	"nothing":          func(*busyTest) {},
	"it disconnects":   func(b *busyTest) { _ = b.client.Close() },
	"it is reset":      func(b *busyTest) { _ = linger(b.client); _ = b.client.Close() },
	"it shuts its end": func(b *busyTest) { shutWrite(b.client) },
	"it is killed": func(b *busyTest) {
		b.operator.Write([]byte("CLIENT KILL ID " + b.id + "\r\n"))
		readLine(b.t, b.operator)
	},
	"it is unblocked": func(b *busyTest) {
		b.operator.Write([]byte("CLIENT UNBLOCK " + b.id + "\r\n"))
		readLine(b.t, b.operator)
	},
	"its list gets more": func(b *busyTest) { b.operator.Write([]byte("RPUSH other 1\r\n")) }, // paused, it gets no reply
	"the pause ends":     func(b *busyTest) { b.command("CLIENT UNPAUSE", "+OK") },
	"it is idle for too long": func(b *busyTest) {
		b.s.env.Config.SetFixed("timeout", "1") // CONFIG SET would wait for the script
		b.s.scheduleIdleCheck(0)
		b.s.clock.Advance(time.Minute)
		b.s.env.Config.SetFixed("timeout", "0")
	},
	"it reaches its output limit": func(b *busyTest) {
		b.s.env.Config.SetFixed("client-output-buffer-limit", "normal 16384 0 0 slave 0 0 0 pubsub 16384 0 0")
		b.s.env.PubSub.Publish(nil, pubsub.Channel, "c", strings.Repeat("x", 60000))
	},
}

func linger(nc net.Conn) error {
	if secure, ok := nc.(*tls.Conn); ok {
		nc = secure.NetConn()
	}
	return nc.(*net.TCPConn).SetLinger(0)
}

func shutWrite(nc net.Conn) { _ = nc.(interface{ CloseWrite() error }).CloseWrite() }

// For each state of a client, and each event while a script runs that does not end: others get BUSY, the script can be
// killed, and the server works and closes.
func TestBusy_EveryStateAndEveryChange(t *testing.T) {
	eachDriver(t, func(t *testing.T, s *Server, dial func() net.Conn) {
		for state, enter := range busyStates {
			for change, happen := range busyChanges {
				t.Run(state+", "+change, func(t *testing.T) { runBusyCase(t, s, dial, enter, happen) })
			}
		}
	})
}

func runBusyCase(t *testing.T, s *Server, dial func() net.Conn, enter, happen func(*busyTest)) {
	b := &busyTest{t: t, s: s, dial: dial, client: dial(), operator: dial()}
	defer b.client.Close()
	defer b.operator.Close()
	b.command(`CONFIG SET busy-reply-threshold 600000 timeout 0 client-output-buffer-limit "normal 0 0 0 pubsub 0 0 0"`,
		"+OK")
	b.command("FLUSHALL", "+OK")
	_, err := b.client.Write([]byte("CLIENT ID\r\n"))
	require.NoError(t, err)
	b.id = readLine(t, b.client)[1:]
	enter(b)
	runner := dial()
	defer runner.Close()
	_, err = runner.Write([]byte(`EVAL_RO "while true do pcall(redis.call, 'GET', KEYS[1]) end" 1 k` + "\r\n"))
	require.NoError(t, err)
	eventually(t, "the script runs", func() bool {
		return strings.Contains(bulk(t, b.operator, "CLIENT LIST"), "cmd=eval_ro")
	})
	happen(b)
	s.env.Config.SetFixed("busy-reply-threshold", "1")
	other := dial()
	defer other.Close()
	until(t, other, "PING", busyReply)
	for killed := false; !killed; { // a second script may have started
		_, err := other.Write([]byte("SCRIPT KILL\r\n"))
		require.NoError(t, err)
		killed = readLine(t, other) != "+OK"
	}
	require.Contains(t, readLine(t, runner), "-ERR Script killed by user with SCRIPT KILL... script: ")
	until(t, other, "PING", "+PONG")
	ask(t, other, "CLIENT UNPAUSE\r\n", "+OK\r\n")
	until(t, other, "SET k 1", "+OK")
}

// A server closes while a script runs, with clients in any state.
func TestBusy_CloseInEveryState(t *testing.T) {
	for state, enter := range busyStates {
		t.Run(state, func(t *testing.T) {
			s := StartT(t)
			b := &busyTest{t: t, s: s, client: dial(t, s), operator: dial(t, s)}
			_, err := b.client.Write([]byte("CLIENT ID\r\n"))
			require.NoError(t, err)
			b.id = readLine(t, b.client)[1:]
			enter(b)
			runs(t, dial(t, s), `"redis.pcall('SET', KEYS[1], 1) while true do pcall(redis.call, 'GET', KEYS[1]) end" 1 k`)
			closed := make(chan struct{})
			go func() {
				_ = s.Close()
				close(closed)
			}()
			select {
			case <-closed:
			case <-time.After(testTimeout):
				t.Fatal("Close hangs")
			}
		})
	}
}
