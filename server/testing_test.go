package server

import (
	"fmt"
	"net"
	"os"
	"regexp"
	"runtime"
	"testing"
	"time"

	"github.com/minilockd/minilockd/internal/require"
	"github.com/minilockd/minilockd/internal/testenv"
	"github.com/minilockd/minilockd/pubsub"
)

// TestMain fails if the tests leave a goroutine of a server.
func TestMain(m *testing.M) {
	code := m.Run()
	err := testenv.NoGoroutines(testTimeout, "server", "command", "store", "luaeval", "internal/clock")
	if err != nil && code == 0 {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

// What a server should not have left fails the test that it was started for.
func TestStartT_ChecksWhatIsLeft(t *testing.T) {
	f := &fatal{T: t}
	start := func() *Server {
		s, err := Start(t.Context(), Options{})
		require.NoError(t, err)
		return s
	}
	for want, leave := range map[string]func(*Server){
		"1 connections and 0 timers are left": func(s *Server) { s.conns[1] = nil },
		"0 connections and 1 timers are left": func(s *Server) { s.clock.AfterFunc(testTimeout, func() {}) },
		"1 subscriptions to \"ch\"": func(s *Server) {
			s.env.PubSub.Subscribe(pubsub.NewSubscriber(newConn(s, nil, nil)), pubsub.Channel, "ch")
		},
	} {
		s := start()
		require.NoError(t, s.Close())
		leave(s)
		closeT(f, s)
		require.Contains(t, f.message, want)
	}
	f.message = ""
	s := start()
	s.Clock().AfterFunc(testTimeout, func() {}) // is not the server's, as that of a lock client that is not closed
	closeT(f, s)
	require.Empty(t, f.message)
}

// With FailOnHeldLocks a test fails if it leaves a lock held, and is told of whom.
func TestStartT_FailsOnHeldLocks(t *testing.T) {
	f := &fatal{T: t}
	s, err := Start(t.Context(), Options{FailOnHeldLocks: true})
	require.NoError(t, err)
	c := connect(t, s)
	c.must(t, "CLIENT", "SETNAME", "worker")
	c.must(t, "HSET", "order:1", "01234567-89ab-cdef-0123-456789abcdef:7", 2)
	c.must(t, "SELECT", 3)
	c.must(t, "SET", "job", "01234567-89ab-cdef-0123-456789abcdef", "NX", "PX", 60_000)
	c.must(t, "SET", "cached", "value")
	closeT(f, s)
	require.Regexp(t, regexp.MustCompile(`^locks are held at the end of the test:
"order:1" \(lock\) is held by 01234567-89ab-cdef-0123-456789abcdef:7 2 times since [0-9:.]+, which took it by `+
		`connection id=1 addr=127.0.0.1:\d+ name=worker
"job" \(token\) of database 3 is held by 01234567-89ab-cdef-0123-456789abcdef since [0-9:.]+, which took it by `+
		`connection id=1 addr=127.0.0.1:\d+ name=worker, [0-9a-z.]+ left
$`), f.message)
}

// The servers of StartN share a clock and nothing else. One that the test closes leaves the others and their time.
func TestStartN(t *testing.T) {
	servers := StartN(t, 3, Options{Databases: 2}, Options{Config: "requirepass pw"})
	require.Len(t, servers, 3)
	servers[0].Clock().Freeze()
	for i, s := range servers {
		c := connect(t, s)
		c.must(t, "AUTH", "pw")
		c.must(t, "SET", "lock", i, "PX", 30_000)
	}
	require.NoError(t, servers[0].Close())
	servers[1].Advance(30*time.Second - time.Millisecond)
	for i, s := range servers[1:] {
		c := connect(t, s)
		c.must(t, "AUTH", "pw")
		require.Equal(t, fmt.Sprint(i+1), c.must(t, "GET", "lock").String())
		_, err := c.do("SELECT", 2)
		require.Error(t, err)
	}
	servers[2].Advance(time.Millisecond)
	c := connect(t, servers[1])
	c.must(t, "AUTH", "pw")
	require.Equal(t, "0", c.must(t, "EXISTS", "lock").String())
}

func TestStartN_Fails(t *testing.T) {
	f := &fatal{T: t}
	require.Nil(t, StartN(f, 2, Options{Databases: -1}))
	require.Contains(t, f.message, "Databases")
}

// A server for each of many tests leaves nothing, whatever its clients have left.
func TestStartT_LeavesNothing(t *testing.T) {
	before := runtime.NumGoroutine()
	for range 300 {
		t.Run("", func(t *testing.T) {
			s := StartT(t)
			nc, err := s.Dial()
			require.NoError(t, err)
			c := &client{nc: nc}
			c.must(t, "SUBSCRIBE", "ch")
			_, err = net.Dial("tcp", s.Addr())
			require.NoError(t, err)
		})
	}
	require.NoError(t, testenv.NoGoroutines(testTimeout, "server", "command", "store", "luaeval", "internal/clock"))
	require.LessOrEqual(t, runtime.NumGoroutine(), before+2)
}
