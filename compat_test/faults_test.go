package compat

import (
	"context"
	"errors"
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/minilockd/minilockd/fault"
	"github.com/minilockd/minilockd/internal/require"
	"github.com/minilockd/minilockd/server"
)

// faulty is a server with rules, and a go-redis client with that many retries.
func faulty(t *testing.T, retries int, rules ...fault.Rule) (*server.Server, *redis.Client) {
	t.Helper()
	srv := server.StartT(t)
	client := redis.NewClient(&redis.Options{Addr: srv.Addr(), MaxRetries: retries, Protocol: 2, DisableIdentity: true,
		ContextTimeoutEnabled: true})
	t.Cleanup(func() { require.NoError(t, client.Close()) })
	for _, r := range rules {
		srv.Faults().Add(r)
	}
	return srv, client
}

// noRetries is go-redis' value for none; 0 is its default, 3.
const noRetries = -1

// What go-redis makes of each fault.
func TestFaults_GoRedis(t *testing.T) {
	ctx := t.Context()
	t.Run("an error", func(t *testing.T) {
		_, c := faulty(t, noRetries, fault.Rule{Command: "set", Key: "k*", Times: 1, Action: fault.Error("READONLY")})
		require.EqualError(t, c.Set(ctx, "k", 1, 0).Err(), "READONLY You can't write against a read only replica.")
		require.NoError(t, c.Set(ctx, "k", 1, 0).Err())
	})
	t.Run("LOADING is retried", func(t *testing.T) {
		srv, c := faulty(t, 3, fault.Rule{Command: "get", Times: 2, Action: fault.Error("LOADING")})
		require.ErrorIs(t, c.Get(ctx, "k").Err(), redis.Nil)
		require.EqualValues(t, 2, srv.Faults().List()[0].Hits)
	})
	t.Run("a closed connection", func(t *testing.T) {
		_, c := faulty(t, noRetries, fault.Rule{Command: "incr", Times: 1, Action: fault.Close()})
		require.ErrorIs(t, c.Incr(ctx, "n").Err(), io.EOF)
		require.EqualValues(t, 1, c.Incr(ctx, "n").Val(), "it has not run")
	})
	t.Run("a lost reply", func(t *testing.T) {
		_, c := faulty(t, noRetries, fault.Rule{Command: "incr", Times: 1, Action: fault.LoseReply()})
		require.ErrorIs(t, c.Incr(ctx, "n").Err(), io.EOF)
		require.EqualValues(t, 2, c.Incr(ctx, "n").Val(), "it has run")
	})
	t.Run("a lost reply and a retry", func(t *testing.T) {
		_, c := faulty(t, 3, fault.Rule{Command: "incr", Times: 1, Action: fault.LoseReply()})
		require.EqualValues(t, 2, c.Incr(ctx, "n").Val(), "go-redis has sent it twice")
	})
	t.Run("a cut reply", func(t *testing.T) {
		_, c := faulty(t, noRetries, fault.Rule{Command: "get", Times: 1, Action: fault.CutReply(6)})
		require.NoError(t, c.Set(ctx, "k", "value", 0).Err())
		require.ErrorIs(t, c.Get(ctx, "k").Err(), io.ErrUnexpectedEOF)
	})
	t.Run("a call that runs twice", func(t *testing.T) {
		_, c := faulty(t, noRetries, fault.Rule{Command: "incr", Nth: 1, Action: fault.Twice()})
		require.EqualValues(t, 2, c.Incr(ctx, "n").Val())
	})
}

// A call that is held runs all the same: a client that has given up waiting finds its effect later.
func TestFaults_GoRedis_HeldCalls(t *testing.T) {
	for name, release := range map[string]func(*server.Server){
		"a delay":   func(srv *server.Server) { srv.Advance(time.Hour) },
		"a removal": func(srv *server.Server) { srv.Faults().Clear() },
	} {
		t.Run(name, func(t *testing.T) {
			action := map[string]fault.Action{"a delay": fault.Delay(time.Hour), "a removal": fault.Hang()}[name]
			srv, c := faulty(t, noRetries, fault.Rule{Command: "incr", Action: action})
			got := make(chan int64, 1)
			go func() { got <- c.Incr(context.Background(), "n").Val() }()
			require.Eventually(t, func() bool { return srv.Faults().List()[0].Hits == 1 }, time.Minute, time.Millisecond)
			other := redis.NewClient(&redis.Options{Addr: srv.Addr()})
			defer func() { require.NoError(t, other.Close()) }()
			require.ErrorIs(t, other.Get(t.Context(), "n").Err(), redis.Nil, "others are served meanwhile")
			release(srv)
			require.EqualValues(t, 1, <-got)
		})
	}
}

// A client's own timeout is on real time.
func TestFaults_GoRedis_Timeout(t *testing.T) {
	_, c := faulty(t, noRetries, fault.Rule{Command: "get", Action: fault.Hang()})
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	err := c.Get(ctx, "k").Err()
	require.True(t, isTimeout(err), err)
}

// What go-redis makes of the faults on connections and of redirections. A single client takes MOVED for an error.
func TestFaults_GoRedis_Connections(t *testing.T) {
	ctx := t.Context()
	t.Run("MOVED", func(t *testing.T) {
		_, c := faulty(t, noRetries, fault.Rule{Command: "get", Action: fault.Moved("127.0.0.1:7001")},
			fault.Rule{Command: "set", Action: fault.Ask("127.0.0.1:7001")})
		require.EqualError(t, c.Get(ctx, "foo").Err(), "MOVED 12182 127.0.0.1:7001")
		require.EqualError(t, c.Set(ctx, "foo", 1, 0).Err(), "ASK 12182 127.0.0.1:7001")
	})
	t.Run("a refused connection", func(t *testing.T) {
		_, c := faulty(t, noRetries, fault.Rule{Connect: true, Times: 1, Action: fault.Refuse()})
		require.Error(t, c.Ping(ctx).Err())
		require.NoError(t, c.Ping(ctx).Err())
	})
	t.Run("a refused connection and a retry", func(t *testing.T) {
		srv, c := faulty(t, 3, fault.Rule{Connect: true, Times: 2, Action: fault.Refuse()})
		require.NoError(t, c.Ping(ctx).Err())
		require.EqualValues(t, 2, srv.Faults().List()[0].Hits)
	})
	t.Run("a silent connection", func(t *testing.T) {
		srv, c := faulty(t, noRetries, fault.Rule{Connect: true, Times: 1, Action: fault.Silent()})
		require.True(t, timesOut(c.Incr, "n"))
		require.EqualValues(t, 1, c.Incr(ctx, "n").Val(), "another connection is served")
		srv.Faults().Clear()
	})
	t.Run("a connection that is not read", func(t *testing.T) {
		_, c := faulty(t, noRetries, fault.Rule{Command: "ping", Action: fault.StopReading()})
		require.NoError(t, c.Ping(ctx).Err(), "the call itself is answered")
		require.True(t, timesOut(c.Incr, "n"))
		require.EqualValues(t, 1, c.Incr(ctx, "n").Val(), "go-redis has closed it")
	})
	t.Run("a slow connection", func(t *testing.T) {
		srv, c := faulty(t, noRetries, fault.Rule{Command: "get", Action: fault.Throttle(1000)})
		require.NoError(t, c.Set(ctx, "k", strings.Repeat("v", 10_000), 0).Err())
		srv.Clock().Freeze()
		got := make(chan int, 1)
		go func() { got <- len(c.Get(context.Background(), "k").Val()) }()
		require.Eventually(t, func() bool { return srv.Faults().List()[0].Hits == 1 }, time.Minute, time.Millisecond)
		srv.Advance(time.Minute)
		require.Equal(t, 10_000, <-got)
	})
}

// timesOut reports whether a call gets no reply within the client's own timeout.
func timesOut(call func(context.Context, string) *redis.IntCmd, key string) bool {
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	return isTimeout(call(ctx, key).Err())
}

func isTimeout(err error) bool {
	var timeout net.Error
	return errors.Is(err, context.DeadlineExceeded) || errors.As(err, &timeout) && timeout.Timeout()
}

// A subscriber misses a message that is dropped, and gets one that is delayed when its time has come.
func TestFaults_GoRedis_Messages(t *testing.T) {
	ctx := t.Context()
	srv, c := faulty(t, noRetries, fault.Rule{Channel: "ch", Nth: 1, Action: fault.Drop()},
		fault.Rule{Channel: "ch", Nth: 2, Action: fault.Delay(time.Hour)})
	subscription := c.Subscribe(ctx, "ch")
	defer subscription.Close()
	_, err := subscription.Receive(ctx)
	require.NoError(t, err)
	for _, message := range []string{"dropped", "delayed", "at once"} {
		require.EqualValues(t, 1, c.Publish(ctx, "ch", message).Val())
	}
	messages := subscription.Channel()
	require.Equal(t, "at once", (<-messages).Payload)
	srv.Advance(time.Hour)
	require.Equal(t, "delayed", (<-messages).Payload)
}

// A restart costs go-redis an error on each connection that it has, unless it retries; with LOSE, the data too.
func TestFaults_GoRedis_Restart(t *testing.T) {
	ctx := t.Context()
	srv, c := faulty(t, 3)
	require.NoError(t, c.Set(ctx, "k", 1, 0).Err())
	script := redis.NewScript("return redis.call('INCR', KEYS[1])")
	require.NoError(t, script.Run(ctx, c, []string{"k"}).Err())
	srv.Restart(server.KeepData())
	n, err := script.Run(ctx, c, []string{"k"}).Int()
	require.NoError(t, err, "NOSCRIPT makes go-redis send the source again")
	require.Equal(t, 3, n)
	require.Equal(t, "OK", c.Do(ctx, "FAULT.RESTART", "LOSE").Val())
	require.ErrorIs(t, c.Get(ctx, "k").Err(), redis.Nil)
}

// During a partition a call times out, and has its effect all the same if its client waits for the end. One server of
// three is cut off; the others serve.
func TestFaults_GoRedis_Partition(t *testing.T) {
	ctx := t.Context()
	var servers []*server.Server
	var clients []*redis.Client
	for range 3 {
		srv, c := faulty(t, noRetries)
		servers, clients = append(servers, srv), append(clients, c)
		require.NoError(t, c.Ping(ctx).Err())
	}
	// Its connection is open before: that of a new client would wait for the reply to HELLO.
	operator := redis.NewClient(&redis.Options{Addr: servers[1].Addr()})
	defer func() { require.NoError(t, operator.Close()) }()
	require.Equal(t, "OK", operator.Do(ctx, "FAULT.PARTITION").Val())
	for i, c := range clients {
		require.Equal(t, i == 1, timesOut(c.Incr, "n"), i)
	}
	got := make(chan int64, 1)
	go func() { got <- clients[1].Incr(context.Background(), "m").Val() }()
	require.Equal(t, "OK", operator.Do(ctx, "FAULT.HEAL").Val())
	require.EqualValues(t, 1, <-got)
}
