package lock_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/minilockd/minilockd/internal/require"
	"github.com/minilockd/minilockd/lock"
	"github.com/minilockd/minilockd/server"
)

// onItsOwnClock runs a test with a client on the machine's clock, which is that of a bubble, and a server whose clock
// advances.
func onItsOwnClock(t *testing.T, test func(t *testing.T, srv *server.Server, c *lock.Client)) {
	synctest.Test(t, func(t *testing.T) {
		n := newNetwork()
		srv, err := server.Start(context.Background(), server.Options{Listener: n})
		require.NoError(t, err)
		defer srv.Close()
		rdb := (&schedule{t: t}).dial(newWire(n, 1, 1, faultRates{latency: time.Microsecond}))
		defer rdb.Close()
		c := lock.New(rdb)
		defer c.Close()
		test(t, srv, c)
	})
}

func TestWithoutWithClock_ALeaseEndsByTheClientsClock(t *testing.T) {
	onItsOwnClock(t, func(t *testing.T, srv *server.Server, c *lock.Client) {
		start := time.Now()
		h, err := c.Mutex("m").Lock(ctx, lock.Lease(5*time.Second))
		require.NoError(t, err)
		srv.Advance(time.Hour)
		require.NoError(t, h.Context().Err(), "it can't know")
		<-h.Context().Done()
		require.ErrorIs(t, context.Cause(h.Context()), lock.ErrLost)
		require.LessOrEqual(t, time.Since(start), 5*time.Second+time.Millisecond)
	})
}

func TestWithoutWithClock_ARenewalFindsTheLockGone(t *testing.T) {
	onItsOwnClock(t, func(t *testing.T, srv *server.Server, c *lock.Client) {
		h, err := c.Mutex("m").Lock(ctx)
		require.NoError(t, err)
		had := time.Now()
		srv.Advance(31 * time.Second)
		require.NoError(t, h.Context().Err(), "it can't know")
		<-h.Lost()
		require.Less(t, time.Since(had), 10*time.Second+100*time.Millisecond, "at the first renewal")
		require.ErrorIs(t, h.Unlock(ctx), lock.ErrLost)
	})
}
