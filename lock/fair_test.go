package lock_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/minilockd/minilockd/internal/require"
	"github.com/minilockd/minilockd/lock"
)

func (r *testServer) queued(name string, n int64) {
	r.t.Helper()
	r.eventually(fmt.Sprintf("%d in the queue", n),
		func() bool { return r.rdb.LLen(ctx, "redisson_lock_queue:{"+name+"}").Val() == n })
}

func TestFairMutex_Lock_InOrder(t *testing.T) {
	onBoth(t, func(t *testing.T, r *testServer) {
		const n = 6
		h, err := r.client().FairMutex("f").Lock(ctx, lock.Lease(time.Hour))
		require.NoError(t, err)
		order := make(chan int, n)
		var all sync.WaitGroup
		clients := []*lock.Client{r.client(), r.client(), r.client()}
		for i := range n {
			m := clients[i%len(clients)].FairMutex("f")
			all.Go(func() {
				h, err := m.Lock(ctx, lock.Lease(time.Hour))
				if err == nil {
					order <- i
					err = h.Unlock(ctx)
				}
				if err != nil {
					t.Error(err)
				}
			})
			r.queued("f", int64(i+1))
		}
		_, err = r.client().FairMutex("f").TryLock(ctx)
		require.ErrorIs(t, err, lock.ErrTaken)
		info, err := clients[0].FairMutex("f").Inspect(ctx)
		require.NoError(t, err)
		require.Len(t, info.Waiters, n)
		require.NoError(t, h.Unlock(ctx))
		for i := range n {
			require.Equal(t, i, await(t, order))
		}
		all.Wait()
		require.Zero(t, r.keys("redisson_unlock_latch"))
	})
}

// keys counts the keys that do not begin with a prefix.
func (r *testServer) keys(except string) int {
	n := 0
	for _, k := range r.rdb.Keys(ctx, "*").Val() {
		if len(k) < len(except) || k[:len(except)] != except {
			n++
		}
	}
	return n
}

func TestFairMutex_Lock_CancelledWaitersLeaveTheQueue(t *testing.T) {
	onBoth(t, func(t *testing.T, r *testServer) {
		h, err := r.client().FairMutex("f").Lock(ctx, lock.Lease(time.Hour))
		require.NoError(t, err)
		m := r.client().FairMutex("f")
		waiting, cancel := context.WithCancel(ctx)
		first := async(func() error { _, err := m.Lock(waiting); return err })
		r.queued("f", 1)
		second := async(func() error { _, err := m.Lock(ctx, lock.Lease(time.Hour)); return err })
		r.queued("f", 2)
		cancel()
		require.ErrorIs(t, await(t, first), lock.ErrTimeout)
		r.queued("f", 1)
		require.EqualValues(t, 1, r.rdb.ZCard(ctx, "redisson_lock_timeout:{f}").Val())
		require.NoError(t, h.Unlock(ctx))
		require.NoError(t, await(t, second))
		require.Zero(t, r.rdb.Exists(ctx, "redisson_lock_queue:{f}", "redisson_lock_timeout:{f}").Val())
	})
}

func TestFairMutex_Lock_ADeadWaitersPlaceLapses(t *testing.T) {
	r := newTestServer(t)
	m := r.client().FairMutex("f")
	h, err := m.Lock(ctx)
	require.NoError(t, err)
	require.NoError(t, r.rdb.RPush(ctx, "redisson_lock_queue:{f}", "dead:1").Err())
	lapse := float64(r.srv.Clock().Now().Add(time.Minute).UnixMilli())
	require.NoError(t, r.rdb.Do(ctx, "zadd", "redisson_lock_timeout:{f}", lapse, "dead:1").Err())
	got := async(func() error { _, err := m.Lock(ctx); return err })
	r.queued("f", 2)
	require.NoError(t, h.Unlock(ctx))
	r.srv.Advance(time.Minute)
	require.NoError(t, await(t, got))
}

func TestFairMutex_ForceUnlock_WakesTheNext(t *testing.T) {
	onBoth(t, func(t *testing.T, r *testServer) {
		m := r.client().FairMutex("f")
		h, err := m.Lock(ctx)
		require.NoError(t, err)
		got := async(func() error { return r.client().FairMutex("f").Do(ctx, func(context.Context) error { return nil }) })
		r.queued("f", 1)
		was, err := m.ForceUnlock(ctx)
		require.NoError(t, err)
		require.True(t, was)
		require.NoError(t, await(t, got))
		require.ErrorIs(t, h.Unlock(ctx), lock.ErrLost)
	})
}
