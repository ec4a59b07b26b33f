package server

import (
	"bufio"
	"context"
	"net"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/minilockd/minilockd/internal/require"
	"github.com/minilockd/minilockd/internal/testenv"
)

// dial connects to the server and fails any read that takes half a minute.
func dial(t testing.TB, s *Server) net.Conn {
	t.Helper()
	nc, err := net.Dial("tcp", s.Addr())
	require.NoError(t, err)
	t.Cleanup(func() { _ = nc.Close() })
	require.NoError(t, nc.SetDeadline(time.Now().Add(testTimeout)))
	return nc
}

// ask sends raw bytes and reads up to the expected reply's length.
func ask(t *testing.T, nc net.Conn, send, want string) {
	t.Helper()
	_, err := nc.Write([]byte(send))
	require.NoError(t, err)
	got := make([]byte, len(want))
	n, err := readFull(nc, got)
	require.NoError(t, err, "%q: got %q", send, got[:n])
	require.Equal(t, want, string(got), "%q", send)
}

func readFull(nc net.Conn, b []byte) (n int, err error) {
	for n < len(b) && err == nil {
		var m int
		m, err = nc.Read(b[n:])
		n += m
	}
	return n, err
}

func TestServer_AnswersPipelinedAndInlineCommands(t *testing.T) {
	nc := dial(t, StartT(t))
	ask(t, nc, "PING\r\n*1\r\n$4\r\nPING\r\n\r\n*0\r\n*-1\r\nECHO \"a b\"\n", "+PONG\r\n+PONG\r\n$3\r\na b\r\n")
}

func TestServer_CommandsInPieces(t *testing.T) {
	nc := dial(t, StartT(t))
	for _, b := range []byte("*3\r\n$3\r\nSET\r\n$1\r\nk\r\n$5\r\nhello\r\n") {
		_, err := nc.Write([]byte{b})
		require.NoError(t, err)
	}
	ask(t, nc, "GET k\r\n", "+OK\r\n$5\r\nhello\r\n")
}

func TestServer_LargeValue(t *testing.T) {
	nc := dial(t, StartT(t))
	value := strings.Repeat("x", 3<<20)
	ask(t, nc, "*3\r\n$3\r\nSET\r\n$1\r\nk\r\n$3145728\r\n"+value+"\r\n", "+OK\r\n")
	ask(t, nc, "*2\r\n$3\r\nGET\r\n$1\r\nk\r\n", "$3145728\r\n"+value+"\r\n")
}

// proto-max-bulk-len bounds the length of an argument.
func TestServer_MaxBulk(t *testing.T) {
	s := StartT(t)
	operator := dial(t, s)
	ask(t, operator, "CONFIG SET proto-max-bulk-len 1mb\r\n", "+OK\r\n")
	text := strings.Repeat("x", 1<<20)
	ask(t, dial(t, s), "*2\r\n$4\r\nECHO\r\n$1048576\r\n"+text+"\r\n", "$1048576\r\n"+text+"\r\n")
	ask(t, dial(t, s), "*2\r\n$4\r\nECHO\r\n$1048577\r\n", "-ERR Protocol error: invalid bulk length\r\n")
	ask(t, operator, "CONFIG SET proto-max-bulk-len 1gb\r\n", "+OK\r\n")
	ask(t, dial(t, s), "*2\r\n$4\r\nECHO\r\n$1073741825\r\n", "-ERR Protocol error: invalid bulk length\r\n")
}

// Each error is that of Redis, and the connection is closed.
func TestServer_ProtocolErrors(t *testing.T) {
	s := StartT(t)
	for _, c := range []struct{ send, want string }{
		{"*a\r\n", "invalid multibulk length"},
		{"*2147483648\r\n", "invalid multibulk length"},
		{"*+1\r\n", "invalid multibulk length"},
		{"*1\r\n:4\r\n", "expected '$', got ':'"},
		{"*1\r\n$-5\r\n", "invalid bulk length"},
		{"*1\r\n$a\r\n", "invalid bulk length"},
		{"*1\r\n$536870913\r\n", "invalid bulk length"},
		{"GET \"a\r\n", "unbalanced quotes in request"},
		{"GET \"a\"b\r\n", "unbalanced quotes in request"},
		{strings.Repeat("x", 65537), "too big inline request"},
		{"*" + strings.Repeat("1", 65537), "too big mbulk count string"},
		{"*1\r\n$" + strings.Repeat("1", 65537), "too big bulk count string"},
		{"*1\r\n$4\r\nPING\r\n*3\r\n$3\r\nSET\r\n$1\r\nk\r\n$5\r\nabcd\r\n*1\r\n$4\r\nPING\r\n*1\r\nx\r\n", ""},
	} {
		nc := dial(t, s)
		_, err := nc.Write([]byte(c.send))
		require.NoError(t, err)
		line, err := bufio.NewReader(nc).ReadString('\n')
		require.NoError(t, err, "%.40q", c.send)
		if c.want != "" {
			require.Equal(t, "-ERR Protocol error: "+c.want+"\r\n", line, "%.40q", c.send)
		}
		_, err = bufio.NewReader(nc).ReadString(0)
		require.Error(t, err, "the connection is to be closed after %.40q", c.send)
	}
}

func TestServer_BeforeAuthentication_RequestsAreSmall(t *testing.T) {
	s, err := Start(t.Context(), Options{Password: "secret"})
	require.NoError(t, err)
	defer s.Close()
	ask(t, dial(t, s), "*11\r\n", "-ERR Protocol error: unauthenticated multibulk length\r\n")
	ask(t, dial(t, s), "*1\r\n$16385\r\n", "-ERR Protocol error: unauthenticated bulk length\r\n")
	nc := dial(t, s)
	ask(t, nc, "PING\r\n", "-NOAUTH Authentication required.\r\n")
	ask(t, nc, "AUTH wrong\r\n", "-WRONGPASS invalid username-password pair or user is disabled.\r\n")
	ask(t, nc, "AUTH secret\r\n", "+OK\r\n")
	ask(t, nc, "PING\r\n", "+PONG\r\n")
}

func TestServer_Start_ErrorNamesTheAddress(t *testing.T) {
	s := StartT(t)
	_, err := Start(t.Context(), Options{Addr: s.Addr()})
	require.ErrorContains(t, err, s.Addr())
}

func TestServer_Close_LeavesNoGoroutine(t *testing.T) {
	before := runtime.NumGoroutine()
	for range 3 {
		s, err := Start(t.Context(), Options{})
		require.NoError(t, err)
		sub, other := dial(t, s), dial(t, s)
		ask(t, sub, "SUBSCRIBE ch\r\n", "*3\r\n$9\r\nsubscribe\r\n$2\r\nch\r\n:1\r\n")
		ask(t, other, "SET k v PX 100000\r\nPUBLISH ch m\r\n", "+OK\r\n:1\r\n")
		ask(t, sub, "", "*3\r\n$7\r\nmessage\r\n$2\r\nch\r\n$1\r\nm\r\n")
		require.NoError(t, s.Close())
		require.NoError(t, s.Close())
	}
	for wait := time.Now().Add(testTimeout); runtime.NumGoroutine() > before; {
		if time.Now().After(wait) {
			stacks := make([]byte, 1<<16)
			t.Fatalf("goroutines: %d before, %d after\n%s", before, runtime.NumGoroutine(), stacks[:runtime.Stack(stacks, true)])
		}
		runtime.Gosched()
	}
}

func TestServer_ContextEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	s, err := Start(ctx, Options{})
	require.NoError(t, err)
	nc := dial(t, s)
	ask(t, nc, "PING\r\n", "+PONG\r\n")
	cancel()
	<-s.Done()
	require.NoError(t, s.Close())
	_, err = nc.Read(make([]byte, 1))
	require.Error(t, err)
}

func TestServer_1000AtOnce(t *testing.T) {
	if !testenv.Long() {
		t.Skip("opens 1,000 listeners")
	}
	for range 1000 {
		s := StartT(t)
		require.NotEmpty(t, s.Addr())
	}
}

func TestServer_Advance_ExpiresAtOnce(t *testing.T) {
	s := StartT(t)
	nc := dial(t, s)
	ask(t, nc, "SET k v PX 3000000\r\n", "+OK\r\n")
	s.Advance(2000 * time.Second)
	ask(t, nc, "EXISTS k\r\n", ":1\r\n")
	s.Advance(1000 * time.Second)
	ask(t, nc, "EXISTS k\r\nDBSIZE\r\n", ":0\r\n:0\r\n")
}

// A subscriber gets replies and messages in order: since 7.2 its own message after the reply of PUBLISH.
func TestServer_SubscriberOrder(t *testing.T) {
	s := StartT(t)
	sub := dial(t, s)
	ask(t, sub, "HELLO 3\r\nPING\r\n", "%7\r\n")
	r := bufio.NewReader(sub)
	for line := ""; line != "+PONG\r\n"; {
		var err error
		line, err = r.ReadString('\n')
		require.NoError(t, err)
	}
	_, err := sub.Write([]byte("SUBSCRIBE p\r\nPUBLISH p m\r\nGET none\r\n"))
	require.NoError(t, err)
	want := ">3\r\n$9\r\nsubscribe\r\n$1\r\np\r\n:1\r\n:1\r\n>3\r\n$7\r\nmessage\r\n$1\r\np\r\n$1\r\nm\r\n_\r\n"
	got := make([]byte, len(want))
	for n := 0; n < len(want); {
		m, err := r.Read(got[n:])
		require.NoError(t, err)
		n += m
	}
	require.Equal(t, want, string(got))
}

// testTimeout is how long a test waits for what must happen. Only a failing test waits for so long.
const testTimeout = 5 * time.Minute

func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for deadline := time.Now().Add(testTimeout); !holds(); time.Sleep(time.Millisecond) {
		require.True(t, time.Now().Before(deadline), what)
	}
}
