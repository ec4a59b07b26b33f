package lock_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/minilockd/minilockd/internal/require"
	"github.com/minilockd/minilockd/lock"
)

func TestSpinMutex_Lock_TriesAgainWithoutMessages(t *testing.T) {
	onBoth(t, func(t *testing.T, r *testServer) {
		h, err := r.client().SpinMutex("s").Lock(ctx)
		require.NoError(t, err)
		m := r.client().SpinMutex("s")
		_, err = m.Lock(ctx, lock.WithWait(3*time.Millisecond))
		require.ErrorIs(t, err, lock.ErrTimeout)
		got := async(func() error {
			return m.Do(ctx, func(context.Context) error { return nil })
		})
		require.NoError(t, h.Unlock(ctx))
		require.NoError(t, await(t, got))
		require.Zero(t, r.commands("subscribe"))
		require.Zero(t, r.rdb.Exists(ctx, "s").Val())
	})
}

func TestSpinMutex_ForceUnlock(t *testing.T) {
	onBoth(t, func(t *testing.T, r *testServer) {
		m := r.client().SpinMutex("s")
		h, err := m.Lock(ctx)
		require.NoError(t, err)
		was, err := m.ForceUnlock(ctx)
		require.NoError(t, err)
		require.True(t, was)
		require.ErrorIs(t, h.Unlock(ctx), lock.ErrLost)
	})
}

func TestFencedMutex_Token_Grows(t *testing.T) {
	onBoth(t, func(t *testing.T, r *testServer) {
		last := int64(0)
		for range 5 {
			m := r.client().FencedMutex("f")
			h, err := m.Lock(ctx)
			require.NoError(t, err)
			require.Greater(t, h.Token(), last)
			last = h.Token()
			require.NoError(t, h.Reenter(ctx))
			require.Greater(t, h.Token(), last)
			last = h.Token()
			_, err = m.TryLock(ctx)
			require.ErrorIs(t, err, lock.ErrTaken)
			info, err := m.Inspect(ctx)
			require.NoError(t, err)
			require.Equal(t, last, info.Token)
			require.NoError(t, h.Unlock(ctx))
			require.NoError(t, h.Unlock(ctx))
		}
		require.Equal(t, "10", r.rdb.Get(ctx, "redisson_lock_token:{f}").Val())
	})
}

func TestMulti_Lock_TakesAllOrNone(t *testing.T) {
	onBoth(t, func(t *testing.T, r *testServer) {
		c := r.client()
		all := lock.NewMulti(c.Mutex("a"), c.FairMutex("b"), c.RWMutex("c"))
		h, err := all.Lock(ctx)
		require.NoError(t, err)
		require.EqualValues(t, 3, r.rdb.Exists(ctx, "a", "b", "c").Val())
		_, err = lock.NewMulti(c.Mutex("d"), c.Mutex("a")).TryLock(ctx)
		require.ErrorIs(t, err, lock.ErrTaken)
		require.Zero(t, r.rdb.Exists(ctx, "d").Val())
		require.NoError(t, h.Extend(ctx, time.Hour))
		require.Greater(t, r.ttl("c"), 50*time.Minute)
		require.Greater(t, time.Until(h.Deadline()), 50*time.Minute)
		require.NoError(t, h.Reenter(ctx))
		require.NoError(t, h.Unlock(ctx))
		require.EqualValues(t, 3, r.rdb.Exists(ctx, "a", "b", "c").Val())
		require.NoError(t, h.Unlock(ctx))
		require.Zero(t, r.rdb.Exists(ctx, "a", "b", "c").Val())
		require.ErrorIs(t, h.Unlock(ctx), lock.ErrNotHeld)
		require.Zero(t, r.keys("redisson_unlock_latch"))
	})
}

func TestMulti_Lock_InDifferentOrdersDoesNotBlock(t *testing.T) {
	onBoth(t, func(t *testing.T, r *testServer) {
		var all sync.WaitGroup
		counter := 0
		for i := range 6 {
			c := r.client()
			m := lock.NewMulti(c.Mutex("a"), c.Mutex("b"), c.Mutex("c"))
			if i%2 == 0 {
				m = lock.NewMulti(c.Mutex("c"), c.Mutex("b"), c.Mutex("a"))
			}
			all.Go(func() {
				for range 10 {
					if err := m.Do(ctx, func(context.Context) error { counter++; return nil }); err != nil {
						t.Error(err)
					}
				}
			})
		}
		all.Wait()
		require.Equal(t, 60, counter)
	})
}

func TestMulti_IsLostWithAnyMember(t *testing.T) {
	onBoth(t, func(t *testing.T, r *testServer) {
		c := r.client()
		a, b := c.Mutex("a"), c.Mutex("b")
		h, err := lock.NewMulti(a, b).Lock(ctx)
		require.NoError(t, err)
		_, err = b.ForceUnlock(ctx)
		require.NoError(t, err)
		require.ErrorIs(t, h.Unlock(ctx), lock.ErrLost)
		await(t, h.Lost())
		require.ErrorIs(t, context.Cause(h.Context()), lock.ErrLost)
		require.Zero(t, r.rdb.Exists(ctx, "a", "b").Val())
	})
}
