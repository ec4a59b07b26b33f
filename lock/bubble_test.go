package lock_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/minilockd/minilockd/internal/require"
	"github.com/minilockd/minilockd/lock"
	"github.com/minilockd/minilockd/server"
)

// inBubbleWith runs a test in a bubble, where server, go-redis and lock client all use the time of the bubble.
func inBubbleWith(t *testing.T, test func(t *testing.T, srv *server.Server, dial func() *lock.Client)) {
	synctest.Test(t, func(t *testing.T) {
		srv := server.StartT(t)
		test(t, srv, func() *lock.Client {
			rdb := redis.NewClient(&redis.Options{Addr: srv.Addr(), Dialer: srv.DialContext})
			c := lock.New(rdb)
			t.Cleanup(func() {
				require.NoError(t, c.Close())
				require.NoError(t, rdb.Close())
			})
			return c
		})
	})
}

// A lease of 30 s lapses when the test sleeps for 30 s, which takes no real time. A waiter gets the lock then.
func TestBubble_LeaseLapses(t *testing.T) {
	inBubbleWith(t, func(t *testing.T, _ *server.Server, dial func() *lock.Client) {
		start := time.Now()
		first, err := dial().Mutex("m").Lock(ctx, lock.Lease(30*time.Second))
		require.NoError(t, err)
		_, err = dial().Mutex("m").Lock(ctx)
		require.NoError(t, err)
		require.LessOrEqual(t, 30*time.Second, time.Since(start))
		require.Less(t, time.Since(start), 31*time.Second)
		<-first.Context().Done()
		require.ErrorIs(t, context.Cause(first.Context()), lock.ErrLost)
	})
}

// The watchdog renews for as long as its process lives, and a lock is handed over by a message.
func TestBubble_WatchdogRenewsAndUnlockWakes(t *testing.T) {
	inBubbleWith(t, func(t *testing.T, srv *server.Server, dial func() *lock.Client) {
		h, err := dial().Mutex("m").Lock(ctx)
		require.NoError(t, err)
		time.Sleep(time.Hour)
		require.NoError(t, h.Context().Err())
		taken := async(func() error {
			_, err := dial().Mutex("m").Lock(ctx)
			return err
		})
		synctest.Wait()
		require.NoError(t, h.Unlock(ctx))
		start := time.Now()
		require.NoError(t, <-taken)
		require.Less(t, time.Since(start), time.Second)
	})
}

// The servers of StartN have one clock: a lock is renewed on all, a lease lapses on all, and one may be down.
func TestStartN_Red(t *testing.T) {
	servers := server.StartN(t, 3)
	red := func() *lock.Red {
		var members []lock.Locker
		for _, srv := range servers {
			members = append(members, wrapTestServer(t, srv.Addr(), srv).client().Mutex("r"))
		}
		return lock.NewRed(members...)
	}
	watched, err := red().Lock(ctx)
	require.NoError(t, err)
	servers[1].Advance(time.Hour)
	require.NoError(t, watched.Context().Err())
	require.NoError(t, watched.Unlock(ctx))

	leased, err := red().Lock(ctx, lock.Lease(time.Minute))
	require.NoError(t, err)
	servers[2].Advance(time.Minute)
	<-leased.Context().Done()
	require.ErrorIs(t, context.Cause(leased.Context()), lock.ErrLost)
	require.NoError(t, servers[0].Close())
	again, err := red().Lock(ctx)
	require.NoError(t, err)
	require.NoError(t, again.Unlock(ctx))
}
