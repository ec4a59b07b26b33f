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
