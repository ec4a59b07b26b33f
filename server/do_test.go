package server

import (
	"context"
	"io"
	"math"
	"strconv"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/minilockd/minilockd/internal/require"
)

// got returns a function that fails the test for an error, and returns the value otherwise.
func got[T any](t *testing.T) func(T, error) T {
	return func(v T, err error) T {
		t.Helper()
		require.NoError(t, err)
		return v
	}
}

func TestDo_Results(t *testing.T) {
	s, ctx := StartT(t), t.Context()
	do := func(args ...any) Result { return s.Do(ctx, args...) }
	require.Equal(t, int64(2), got[int64](t)(do("HSET", "h", "a", 1, "b", "x").Int()))
	require.Equal(t, map[string]string{"a": "1", "b": "x"}, got[map[string]string](t)(do("HGETALL", "h").Map()))
	require.Equal(t, map[string]string{"maxmemory": "0"},
		got[map[string]string](t)(do("CONFIG", "GET", "maxmemory").Map()))
	require.Equal(t, int64(1), got[int64](t)(do("HGET", "h", "a").Int()))
	require.Equal(t, []string{"1", ""}, got[[]string](t)(do("HMGET", "h", "a", "none").Strings()))
	require.True(t, got[bool](t)(do("SET", "k", "v", "NX").Bool()))
	require.False(t, got[bool](t)(do("SET", "k", "v", "NX").Bool()))
	require.Equal(t, "v", got[string](t)(do("GET", "k").Text()))
	do("ZADD", "z", 1.5, "m")
	require.Equal(t, 1.5, got[float64](t)(do("ZSCORE", "z", "m").Float()))
	require.Equal(t, []string{}, got[[]string](t)(do("LRANGE", "none", 0, -1).Strings()))
	require.Equal(t, `{"a": "1" "b": "x"}`, do("HGETALL", "h").String())

	none := do("GET", "none")
	require.True(t, none.IsNil())
	require.NoError(t, none.Err())
	_, err := none.Text()
	require.ErrorIs(t, err, ErrNil)
	require.EqualError(t, err, "server: GET: the reply is nil")
	_, err = do("GET", "k").Int()
	require.EqualError(t, err, `server: GET: the reply is not an integer: "v"`)
	_, err = do("GET", "k").Slice()
	require.EqualError(t, err, `server: GET: the reply is not an array: "v"`)
	_, err = do("GET", "k").Bool()
	require.Error(t, err)
	_, err = do("HKEYS", "h").Text()
	require.Error(t, err)

	wrong := do("INCR", "h")
	var reply ReplyError
	require.ErrorAs(t, wrong.Err(), &reply)
	require.Equal(t, "WRONGTYPE", reply.Code())
	require.Equal(t, "WRONGTYPE Operation against a key holding the wrong kind of value", reply.Error())
	_, err = wrong.Int()
	require.ErrorAs(t, err, &reply)
	require.EqualError(t, do("NOSUCH").Err(), "ERR unknown command 'NOSUCH', with args beginning with: ")
}

type text string

func TestDo_Arguments(t *testing.T) {
	s := StartT(t)
	echo := func(arg any) string { return got[string](t)(s.Do(t.Context(), "ECHO", arg).Text()) }
	for want, arg := range map[string]any{
		"a": "a", "b": []byte("b"), "c": text("c"), "-1": -1, "255": uint8(255), "1": true, "0": false, "2.5": 2.5,
		"inf": math.Inf(1), "-inf": math.Inf(-1), "": "", "9223372036854775807": int64(math.MaxInt64),
	} {
		require.Equal(t, want, echo(arg))
	}
	for _, arg := range []any{nil, time.Second, []string{"a"}, struct{}{}} {
		require.ErrorContains(t, s.Do(t.Context(), "ECHO", arg).Err(), "server: ECHO: argument 1 is a ")
	}
	require.EqualError(t, s.Do(t.Context()).Err(), "server: Do: there is no command")
}

// What holds for a connection is rejected, since Do has several; a Client has one.
func TestDo_StateOfConnections(t *testing.T) {
	s, ctx := StartT(t), t.Context()
	for _, args := range [][]any{{"multi"}, {"SELECT", 1}, {"CLIENT", "SETNAME", "x"}, {"WATCH", "k"}} {
		require.ErrorIs(t, s.Do(ctx, args...).Err(), errNotForPool)
	}
	c := s.NewClient()
	for _, args := range [][]any{{"SUBSCRIBE", "ch"}, {"MONITOR"}, {"CLIENT", "REPLY", "OFF"}} {
		require.ErrorIs(t, s.Do(ctx, args...).Err(), errNotForDo)
		require.ErrorIs(t, c.Do(ctx, args...).Err(), errNotForDo)
	}
	require.NoError(t, c.Do(ctx, "SELECT", 1).Err())
	require.NoError(t, c.Do(ctx, "MULTI").Err())
	require.Equal(t, "QUEUED", got[string](t)(c.Do(ctx, "INCR", "n").Text()))
	require.Equal(t, "[1]", c.Do(ctx, "EXEC").String())
	require.True(t, s.Do(ctx, "GET", "n").IsNil(), "database 0")
	require.NoError(t, c.Close())
	require.ErrorIs(t, c.Do(ctx, "PING").Err(), errClientClosed)
}

// A command that blocks ends with its context, and its connection with it: nobody waits any more.
func TestDo_Context(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := StartT(t)
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		start := time.Now()
		require.ErrorIs(t, s.Do(ctx, "BLPOP", "q", 0).Err(), context.DeadlineExceeded)
		require.Equal(t, time.Second, time.Since(start))
		require.ErrorIs(t, s.Do(ctx, "PING").Err(), context.DeadlineExceeded)
		synctest.Wait()
		require.Equal(t, int64(1), got[int64](t)(s.Do(t.Context(), "RPUSH", "q", "x").Int()))
		require.Equal(t, `["q" "x"]`, s.Do(t.Context(), "BLPOP", "q", 0).String())
	})
}

// Do needs no password, waits for CLIENT PAUSE like others, and survives the end of its connections.
func TestDo_IsAClient(t *testing.T) {
	s, ctx := StartT(t, Options{Password: "secret"}), t.Context()
	require.NoError(t, s.Do(ctx, "SET", "k", "v").Err())
	require.Equal(t, int64(0), got[int64](t)(s.Do(ctx, "CLIENT", "KILL", "TYPE", "normal").Int()), "it skips itself")
	c := connect(t, s)
	c.must(t, "AUTH", "secret")
	require.Equal(t, "1", c.must(t, "CLIENT", "KILL", "TYPE", "normal").String())
	require.Equal(t, "v", got[string](t)(s.Do(ctx, "GET", "k").Text()))

	c.must(t, "CLIENT", "PAUSE", 60_000)
	paused := make(chan error, 1)
	go func() { paused <- s.Do(ctx, "SET", "k", "w").Err() }()
	require.Eventually(t, func() (blocked bool) {
		s.eachConn(func(c *conn) { blocked = blocked || c.session.Blocked() })
		return blocked
	}, testTimeout, time.Millisecond)
	s.Advance(time.Minute)
	require.NoError(t, <-paused)

	require.ErrorIs(t, s.Do(ctx, "SHUTDOWN", "NOSAVE").Err(), io.ErrUnexpectedEOF)
	require.ErrorIs(t, s.Do(ctx, "PING").Err(), syscall.ECONNREFUSED)
}

func TestDo_Concurrent(t *testing.T) {
	s := StartT(t)
	const workers, calls = 20, 50
	var all sync.WaitGroup
	for range workers {
		all.Go(func() {
			for range calls {
				if err := s.Do(t.Context(), "INCR", "n").Err(); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	require.Equal(t, strconv.Itoa(workers*calls), got[string](t)(s.Do(t.Context(), "GET", "n").Text()))
	require.LessOrEqual(t, len(s.idleClients), maxIdleClients)
}

func TestDo_MaxClients(t *testing.T) {
	s := StartT(t, Options{Config: "maxclients 1"})
	_ = inMemory(t, s)
	require.EqualError(t, s.Do(t.Context(), "PING").Err(), "ERR max number of clients reached")
}
