package compat

import (
	"context"
	"errors"
	"io"
	"net"
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
	client := redis.NewClient(&redis.Options{Addr: srv.Addr(), MaxRetries: retries, Protocol: 2, DisableIdentity: true})
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
	var timeout net.Error
	require.True(t, errors.Is(err, context.DeadlineExceeded) || errors.As(err, &timeout) && timeout.Timeout(), err)
}
