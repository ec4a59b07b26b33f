package lock_test

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/minilockd/minilockd/internal/require"
	"github.com/minilockd/minilockd/lock"
)

func TestRWMutex_ReadersShareAndWritersExclude(t *testing.T) {
	onBoth(t, func(t *testing.T, r *testServer) {
		a, b := r.client().RWMutex("rw"), r.client().RWMutex("rw")
		h1, err := a.RLock(ctx)
		require.NoError(t, err)
		h2, err := b.RLock(ctx)
		require.NoError(t, err)
		_, err = b.TryLock(ctx)
		require.ErrorIs(t, err, lock.ErrTaken)
		info, err := a.Inspect(ctx)
		require.NoError(t, err)
		require.Equal(t, "read", info.Mode)
		require.Len(t, info.Holders, 2)
		require.EqualValues(t, 1, r.rdb.Exists(ctx, "{rw}:"+h1.Owner()+":rwlock_timeout:1").Val())

		written := async(func() *lock.Handle { h, _ := b.Lock(ctx); return h })
		r.subscribed("redisson_rwlock:{rw}", 1)
		require.NoError(t, h1.Unlock(ctx))
		require.NoError(t, h2.Unlock(ctx))
		w := await(t, written)
		require.NotNil(t, w)
		require.Equal(t, map[string]string{"mode": "write", w.Owner() + ":write": "1"}, r.rdb.HGetAll(ctx, "rw").Val())
		_, err = a.TryRLock(ctx)
		require.ErrorIs(t, err, lock.ErrTaken)
		require.NoError(t, w.Unlock(ctx))
		require.Zero(t, r.keys("redisson_unlock_latch"))
	})
}

func TestRWMutex_AWriterBecomesAReader(t *testing.T) {
	onBoth(t, func(t *testing.T, r *testServer) {
		m := r.client().RWMutex("rw")
		w, err := m.Lock(ctx)
		require.NoError(t, err)
		waiting := async(func() error { _, err := m.Lock(ctx); return err })
		r.subscribed("redisson_rwlock:{rw}", 1)
		h, err := m.RLock(ctx, lock.As(w.Owner()))
		require.NoError(t, err)
		require.NoError(t, w.Unlock(ctx))
		other, err := r.client().RWMutex("rw").TryRLock(ctx)
		require.NoError(t, err)
		require.NoError(t, h.Unlock(ctx))
		require.NoError(t, other.Unlock(ctx))
		require.NoError(t, await(t, waiting))
	})
}

func TestRWMutex_AllReadersComeWhenAWriterLeaves(t *testing.T) {
	onBoth(t, func(t *testing.T, r *testServer) {
		const readers = 20
		m := r.client().RWMutex("rw")
		w, err := m.Lock(ctx, lock.Lease(time.Hour))
		require.NoError(t, err)
		var inside sync.WaitGroup // all readers hold the lock at the same time, or the test hangs
		inside.Add(readers)
		var done sync.WaitGroup
		for range readers {
			done.Go(func() {
				err := m.RDo(ctx, func(context.Context) error {
					inside.Done()
					inside.Wait()
					return nil
				}, lock.Lease(time.Hour))
				if err != nil {
					t.Error(err)
				}
			})
		}
		r.subscribed("redisson_rwlock:{rw}", 1)
		require.NoError(t, w.Unlock(ctx))
		done.Wait()
		require.Zero(t, r.keys("redisson_unlock_latch"))
	})
}

func TestRWMutex_OfManyExcludesWriters(t *testing.T) {
	onBoth(t, func(t *testing.T, r *testServer) {
		const processes, goroutines, rounds = 3, 4, 15
		var readers, writers, written atomic.Int32
		check := func(own, other *atomic.Int32, alone bool) {
			n := own.Add(1)
			if other.Load() != 0 || alone && n != 1 {
				t.Error("a writer is not alone")
			}
			own.Add(-1)
		}
		var all sync.WaitGroup
		for range processes {
			m := r.client().RWMutex("rw")
			for g := range goroutines {
				all.Go(func() {
					for range rounds {
						var err error
						if g%2 == 0 {
							err = m.Do(ctx, func(context.Context) error { written.Add(1); check(&writers, &readers, true); return nil })
						} else {
							err = m.RDo(ctx, func(context.Context) error { check(&readers, &writers, false); return nil })
						}
						if err != nil {
							t.Error(err)
						}
					}
				})
			}
		}
		all.Wait()
		require.EqualValues(t, processes*goroutines/2*rounds, written.Load())
		require.Zero(t, r.keys("redisson_unlock_latch"))
	})
}

func TestRWMutex_TheWatchdogRenewsBothSides(t *testing.T) {
	r, seen := newTestServer(t), newRecorder()
	c := r.client(lock.WithObserver(seen))
	for _, name := range []string{"rw", "{shop}rw"} {
		h, err := c.RWMutex(name).RLock(ctx)
		require.NoError(t, err)
		w, err := c.RWMutex(name + "2").Lock(ctx)
		require.NoError(t, err)
		for range 5 {
			r.srv.Advance(10 * time.Second)
			require.NoError(t, next(t, seen.renewed).Err)
			require.NoError(t, next(t, seen.renewed).Err)
		}
		require.NoError(t, h.Context().Err())
		require.Greater(t, r.ttl(name), 10*time.Second)
		require.NoError(t, h.Unlock(ctx))
		require.NoError(t, w.Unlock(ctx))
	}
	require.Empty(t, seen.lost)
}

func TestRWMutex_ACancelledWriterLetsReadersPass(t *testing.T) {
	onBoth(t, func(t *testing.T, r *testServer) {
		h, err := r.client().RWMutex("rw").RLock(ctx, lock.Lease(time.Hour))
		require.NoError(t, err)
		m := r.client().RWMutex("rw")
		waiting, cancel := context.WithCancel(ctx)
		writer := async(func() error { _, err := m.Lock(waiting); return err })
		r.subscribed("redisson_rwlock:{rw}", 1)
		reader := async(func() error { _, err := m.RLock(ctx, lock.Lease(time.Hour)); return err })
		cancel()
		require.ErrorIs(t, await(t, writer), lock.ErrTimeout)
		require.NoError(t, await(t, reader))
		require.NoError(t, h.Unlock(ctx))
	})
}

func TestRWMutex_ForceUnlock(t *testing.T) {
	onBoth(t, func(t *testing.T, r *testServer) {
		m := r.client().RWMutex("rw")
		h, err := m.RLock(ctx)
		require.NoError(t, err)
		was, err := m.ForceUnlock(ctx)
		require.NoError(t, err)
		require.False(t, was)
		was, err = m.ForceRUnlock(ctx)
		require.NoError(t, err)
		require.True(t, was)
		require.ErrorIs(t, h.Unlock(ctx), lock.ErrLost)
	})
}
