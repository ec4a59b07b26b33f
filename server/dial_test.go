package server

import (
	"context"
	"io"
	"net"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/minilockd/minilockd/internal/require"
)

// inMemory returns a client with a connection in memory, which is closed when the test ends.
func inMemory(t testing.TB, s *Server) *client {
	t.Helper()
	nc, err := s.Dial()
	require.NoError(t, err)
	t.Cleanup(func() { _ = nc.Close() })
	return &client{nc: nc}
}

func TestStartT_InABubble(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fatal{T: t}
		require.Nil(t, StartT(f, Options{Addr: "127.0.0.1:0"}))
		require.Contains(t, f.message, "testing/synctest")
		require.Nil(t, StartT(f, Options{Config: "unixsocket /tmp/x"}))
		require.Contains(t, f.message, "testing/synctest")

		s := StartT(t)
		require.Equal(t, "127.0.0.1:0", s.Addr())
		c := inMemory(t, s)
		c.must(t, "SET", "lock", "me", "PX", 30_000)
		time.Sleep(30*time.Second - time.Millisecond)
		require.Equal(t, "1", c.must(t, "PTTL", "lock").String())
		time.Sleep(time.Millisecond)
		require.Equal(t, "-2", c.must(t, "PTTL", "lock").String())
	})
	require.False(t, inBubble())
}

// A blocked client times out when the time of the bubble has passed, and is served by another one before that.
func TestDial_BlockedInABubble(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := StartT(t)
		blocked, other := inMemory(t, s), inMemory(t, s)
		start := time.Now()
		require.Equal(t, "*-1\r\n", string(blocked.must(t, "BLPOP", "q", 30).Raw))
		require.Equal(t, 30*time.Second, time.Since(start))
		go func() {
			time.Sleep(time.Second)
			_, _ = other.do("RPUSH", "q", "x")
		}()
		require.Equal(t, []string{"q", "x"}, elements(blocked.must(t, "BLPOP", "q", 0)))
		require.Equal(t, 31*time.Second, time.Since(start))
	})
}

func TestInMemory_Options(t *testing.T) {
	s := StartT(t, Options{InMemory: true, Config: "port 7000\nbind 10.0.0.1"})
	require.Equal(t, []string{"port", "0"}, elements(inMemory(t, s).must(t, "CONFIG", "GET", "port")))
	for _, more := range []Options{{Addr: "127.0.0.1:0"}, {UnixSocket: "/tmp/x"}, {Listener: newMemoryListener("")}} {
		more.InMemory = true
		_, err := Start(t.Context(), more)
		require.ErrorIs(t, err, errInMemory)
	}
}

// A connection in memory is a client like any other.
func TestDial_IsAClient(t *testing.T) {
	s := StartT(t, Options{Config: "maxclients 3"})
	a, b, tcp := inMemory(t, s), inMemory(t, s), connect(t, s)
	list := tcp.must(t, "CLIENT", "LIST").String()
	require.Contains(t, list, "addr=memory:1 laddr=127.0.0.1:0 ")
	require.Contains(t, list, "addr=memory:2 laddr=127.0.0.1:0 ")
	require.Contains(t, a.must(t, "INFO", "clients").String(), "connected_clients:3\r\n")

	_, err := inMemory(t, s).receive()
	require.EqualError(t, err, "ERR max number of clients reached")
	require.Equal(t, "1", a.must(t, "CLIENT", "KILL", "ADDR", "memory:2", "TYPE", "normal").String())
	_, err = b.receive()
	require.ErrorIs(t, err, io.EOF)
}

// Messages are pushed to it, and large replies arrive in full, whatever the client does meanwhile.
func TestDial_PushesAndLargeReplies(t *testing.T) {
	s := StartT(t)
	a, b := inMemory(t, s), inMemory(t, s)
	a.must(t, "SUBSCRIBE", "ch")
	b.must(t, "PUBLISH", "ch", "hello")
	message, err := a.receive()
	require.NoError(t, err)
	require.Equal(t, []string{"message", "ch", "hello"}, elements(message))
	large := strings.Repeat("x", 1<<20)
	b.must(t, "SET", "k", large)
	for range 3 {
		_, err := b.nc.Write([]byte(bulks("GET", "k")))
		require.NoError(t, err)
	}
	for range 3 {
		reply, err := b.receive()
		require.NoError(t, err)
		require.True(t, reply.String() == large)
	}
}

func TestDial_Fails(t *testing.T) {
	s := StartT(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := s.DialContext(ctx, "tcp", s.Addr())
	require.ErrorIs(t, err, context.Canceled)
	require.NoError(t, s.Close())
	_, err = s.Dial()
	require.ErrorIs(t, err, syscall.ECONNREFUSED)
	var op *net.OpError
	require.ErrorAs(t, err, &op)
	require.Equal(t, "dial", op.Op)
}
