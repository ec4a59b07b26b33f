package lock_test

import (
	"bytes"
	"context"
	"io"
	"net"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/minilockd/minilockd/internal/require"
	"github.com/minilockd/minilockd/lock"
)

// dropConn is a connection that can drop the reply to a command after the server has executed it.
type dropConn struct {
	net.Conn
	plan *dropPlan
	lose bool // set by Write, read by Read: go-redis uses a connection by one goroutine at a time
}

// dropPlan is the number of replies to scripts that are still to be dropped.
type dropPlan struct{ left atomic.Int32 }

func (c *dropConn) Write(b []byte) (int, error) {
	if bytes.Contains(b, []byte("\r\neval")) && c.plan.left.Add(-1) >= 0 {
		c.lose = true
	}
	return c.Conn.Write(b)
}

func (c *dropConn) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	if c.lose {
		_ = c.Conn.Close()
		return 0, io.EOF
	}
	return n, err
}

// dropClient returns a lock client that drops some replies.
func (r *testServer) dropClient() (*lock.Client, *dropPlan) {
	plan := new(dropPlan)
	rdb := redis.NewClient(&redis.Options{Addr: r.addr,
		Dialer: func(ctx context.Context, network, addr string) (net.Conn, error) {
			c, err := new(net.Dialer).DialContext(ctx, network, addr)
			if err != nil {
				return nil, err
			}
			return &dropConn{Conn: c, plan: plan}, nil
		}})
	r.t.Cleanup(func() { _ = rdb.Close() })
	c := lock.New(rdb)
	r.t.Cleanup(func() { require.NoError(r.t, c.Close()) })
	return c, plan
}

func TestLostReply_AcquireRecognisesItself(t *testing.T) {
	onBoth(t, func(t *testing.T, r *testServer) {
		c, plan := r.dropClient()
		loadScripts(t, c)
		for _, m := range []lock.Locker{c.Mutex("m"), c.FairMutex("f"), c.RWMutex("w"), c.RWMutex("r").RLocker(),
			c.SpinMutex("s"),
			c.FencedMutex("t")} {
			for lost := range int32(3) {
				plan.left.Store(lost)
				h, err := m.Lock(ctx)
				require.NoError(t, err, m.Name())
				if m.Name() == "t" {
					require.Equal(t, r.rdb.Get(ctx, "redisson_lock_token:{t}").Val(), strconv.FormatInt(h.Token(), 10))
				}
				plan.left.Store(lost)
				require.NoError(t, h.Unlock(ctx), m.Name())
				require.Zero(t, r.rdb.Exists(ctx, m.Name()).Val(), m.Name())
			}
		}
	})
}

// loadScripts makes the server cache the scripts, so that each call is one command.
func loadScripts(t *testing.T, c *lock.Client) {
	for _, m := range []lock.Locker{c.Mutex("m"), c.FairMutex("f"), c.RWMutex("w"), c.RWMutex("r").RLocker(),
		c.SpinMutex("s"),
		c.FencedMutex("t")} {
		require.NoError(t, m.Do(ctx, func(context.Context) error { return nil }))
	}
}

func TestLostReply_WithoutEndIsUnavailableAndLeavesNothing(t *testing.T) {
	onBoth(t, func(t *testing.T, r *testServer) {
		c, plan := r.dropClient()
		loadScripts(t, c)
		m := c.Mutex("m")
		plan.left.Store(1)
		canceled, cancel := context.WithTimeout(ctx, time.Nanosecond)
		defer cancel()
		<-canceled.Done()
		_, err := m.Lock(canceled)
		require.ErrorIs(t, err, lock.ErrTimeout)

		h, err := m.Lock(ctx)
		require.NoError(t, err)
		plan.left.Store(100)
		require.ErrorIs(t, h.Unlock(ctx), lock.ErrUnavailable)
		require.ErrorIs(t, h.Context().Err(), context.Canceled)
		plan.left.Store(0)
		require.NoError(t, h.Unlock(ctx), "the same request again")
		r.eventually("free", func() bool { return r.rdb.Exists(ctx, "m").Val() == 0 })
	})
}

func TestSubscription_SurvivesCuts(t *testing.T) {
	onBoth(t, func(t *testing.T, r *testServer) {
		h, err := r.client().Mutex("m").Lock(ctx, lock.Lease(time.Hour))
		require.NoError(t, err)
		m := r.client().Mutex("m")
		got := async(func() error { _, err := m.Lock(ctx, lock.Lease(time.Hour)); return err })
		for range 3 {
			r.subscribed("redisson_lock__channel:{m}", 1)
			require.NoError(t, r.rdb.Do(ctx, "client", "kill", "type", "pubsub").Err())
		}
		require.NoError(t, h.Unlock(ctx), "perhaps nobody hears it")
		require.NoError(t, await(t, got))
	})
}

func TestWaiters_1000CostOneCommandEach(t *testing.T) {
	onBoth(t, func(t *testing.T, r *testServer) {
		const waiters = 1000
		c := r.client()
		m := c.Mutex("m")
		h, err := r.client().Mutex("m").Lock(ctx, lock.Lease(time.Hour))
		require.NoError(t, err)
		var all sync.WaitGroup
		wait := func() {
			h, err := m.Lock(ctx, lock.Lease(time.Hour))
			if err == nil {
				err = h.Unlock(ctx)
			}
			if err != nil {
				t.Error(err)
			}
		}
		all.Go(wait)
		r.subscribed("redisson_lock__channel:{m}", 1)
		r.eventually("the first one sleeps", func() bool { return r.commands("evalsha")+r.commands("eval") >= 3 })
		r.resetStats()
		for range waiters - 1 {
			all.Go(wait)
		}
		r.eventually("all wait", func() bool { return c.Waiting("redisson_lock__channel:{m}") == waiters })
		require.NoError(t, h.Unlock(ctx))
		all.Wait()
		require.LessOrEqual(t, r.commands("evalsha"), 2*waiters+50, "an attempt and an unlock each")
		r.subscribed("redisson_lock__channel:{m}", 0)
	})
}
