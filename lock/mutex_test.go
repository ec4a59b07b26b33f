package lock_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/minilockd/minilockd/internal/require"
	"github.com/minilockd/minilockd/lock"
)

func TestMutex_Lock_LaysOutTheKeyAsRedissonDoes(t *testing.T) {
	onBoth(t, func(t *testing.T, r *testServer) {
		c := r.client()
		m := c.Mutex("order:7")
		h, err := m.Lock(ctx)
		require.NoError(t, err)
		require.Equal(t, map[string]string{h.Owner(): "1"}, r.rdb.HGetAll(ctx, "order:7").Val())
		require.Regexp(t, `^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}:1$`, h.Owner())
		require.InDelta(t, 30_000, r.rdb.PTTL(ctx, "order:7").Val().Milliseconds(), 1000)
		require.NoError(t, h.Reenter(ctx))
		info, err := m.Inspect(ctx)
		require.NoError(t, err)
		require.Equal(t, []lock.Holder{{Owner: h.Owner(), Holds: 2}}, info.Holders)
		require.NoError(t, h.Unlock(ctx))
		require.Equal(t, "1", r.rdb.HGet(ctx, "order:7", h.Owner()).Val())
		require.NoError(t, h.Unlock(ctx))
		require.Zero(t, r.rdb.Exists(ctx, "order:7").Val())
		require.ErrorIs(t, h.Unlock(ctx), lock.ErrNotHeld)
		require.ErrorIs(t, h.Reenter(ctx), lock.ErrNotHeld)
	})
}

func TestMutex_TryLock_TellsThatItIsTakenAndForHowLong(t *testing.T) {
	onBoth(t, func(t *testing.T, r *testServer) {
		h, err := r.client().Mutex("m").Lock(ctx, lock.Lease(time.Minute))
		require.NoError(t, err)
		_, err = r.client().Mutex("m").TryLock(ctx)
		require.ErrorIs(t, err, lock.ErrTaken)
		var e *lock.Error
		require.True(t, errors.As(err, &e))
		require.Equal(t, "m", e.Name)
		require.Equal(t, "lock", e.Op)
		require.NotEqual(t, h.Owner(), e.Owner)
		require.InDelta(t, time.Minute, e.TTL, float64(5*time.Second))
		require.NoError(t, h.Unlock(ctx))
	})
}

func TestMutex_Lock_IsPassedOnByMessage(t *testing.T) {
	onBoth(t, func(t *testing.T, r *testServer) {
		h, err := r.client().Mutex("m").Lock(ctx, lock.Lease(time.Hour))
		require.NoError(t, err)
		other := r.client().Mutex("m")
		got := async(func() error { _, err := other.Lock(ctx); return err })
		r.subscribed("redisson_lock__channel:{m}", 1)
		require.NoError(t, h.Unlock(ctx))
		require.NoError(t, await(t, got))
		r.subscribed("redisson_lock__channel:{m}", 0)
	})
}

func TestMutex_Lock_EndsWithItsContext(t *testing.T) {
	onBoth(t, func(t *testing.T, r *testServer) {
		h, err := r.client().Mutex("m").Lock(ctx)
		require.NoError(t, err)
		m := r.client().Mutex("m")

		short, cancel := context.WithTimeout(ctx, 10*time.Millisecond)
		defer cancel()
		_, err = m.Lock(short)
		require.ErrorIs(t, err, lock.ErrTimeout)
		require.ErrorIs(t, err, context.DeadlineExceeded)

		why := errors.New("no more wanted")
		waiting, stop := context.WithCancelCause(ctx)
		got := async(func() error { _, err := m.Lock(waiting); return err })
		r.subscribed("redisson_lock__channel:{m}", 1)
		stop(why)
		err = await(t, got)
		require.ErrorIs(t, err, lock.ErrTimeout)
		require.ErrorIs(t, err, context.Canceled)
		require.ErrorIs(t, err, why)
		r.subscribed("redisson_lock__channel:{m}", 0)

		_, err = m.Lock(waiting)
		require.ErrorIs(t, err, context.Canceled)
		require.NoError(t, h.Unlock(ctx))
		require.Zero(t, r.rdb.Exists(ctx, "m").Val())
	})
}

func TestMutex_Lock_WithWait(t *testing.T) {
	r := newTestServer(t)
	h, err := r.client().Mutex("m").Lock(ctx, lock.Lease(time.Hour))
	require.NoError(t, err)
	m := r.client().Mutex("m", lock.WithWait(time.Minute))
	got := async(func() error { _, err := m.Lock(ctx); return err })
	r.subscribed("redisson_lock__channel:{m}", 1)
	r.srv.Advance(time.Minute)
	err = await(t, got)
	require.ErrorIs(t, err, lock.ErrTimeout)
	require.False(t, errors.Is(err, context.DeadlineExceeded))
	require.NoError(t, h.Unlock(ctx))
}

func TestMutex_Lock_TakesWhatALeaseHasLeftWithoutMessage(t *testing.T) {
	r := newTestServer(t)
	_, err := r.client().Mutex("m").Lock(ctx, lock.Lease(time.Hour))
	require.NoError(t, err)
	other := r.client().Mutex("m")
	got := async(func() error { _, err := other.Lock(ctx); return err })
	r.subscribed("redisson_lock__channel:{m}", 1)
	r.eventually("the second attempt", func() bool { return r.commands("evalsha") >= 3 })
	r.srv.Advance(time.Hour)
	require.NoError(t, await(t, got))
}

func TestMutex_Lock_OfManyExcludesAll(t *testing.T) {
	onBoth(t, func(t *testing.T, r *testServer) {
		const processes, goroutines, rounds = 3, 4, 25
		counter := 0 // guarded only by the lock: the race detector finds overlaps
		var all sync.WaitGroup
		for range processes {
			m := r.client().Mutex("m")
			for range goroutines {
				all.Go(func() {
					for range rounds {
						h, err := m.Lock(ctx)
						if err == nil {
							counter++
							err = h.Unlock(ctx)
						}
						if err != nil {
							t.Error(err)
						}
					}
				})
			}
		}
		all.Wait()
		require.Equal(t, processes*goroutines*rounds, counter)
	})
}

func TestMutex_Do(t *testing.T) {
	onBoth(t, func(t *testing.T, r *testServer) {
		m := r.client().Mutex("m")
		sorry := errors.New("sorry")
		require.ErrorIs(t, m.Do(ctx, func(context.Context) error {
			require.EqualValues(t, 1, r.rdb.Exists(ctx, "m").Val())
			return sorry
		}), sorry)
		require.Zero(t, r.rdb.Exists(ctx, "m").Val())
		require.Panics(t, func() { _ = m.Do(ctx, func(context.Context) error { panic("oh") }) })
		require.Zero(t, r.rdb.Exists(ctx, "m").Val())
		require.NoError(t, m.Do(ctx, func(context.Context) error { return nil }))

		err := m.Do(ctx, func(inner context.Context) error {
			was, err := m.ForceUnlock(ctx)
			require.True(t, was)
			return err
		})
		require.ErrorIs(t, err, lock.ErrLost)
	})
}

func TestMutex_As_ActsForAnyOwner(t *testing.T) {
	onBoth(t, func(t *testing.T, r *testServer) {
		const java = "8743c9c0-0795-4907-87fd-6c719a6b4586:42"
		h, err := r.client().Mutex("m").Lock(ctx, lock.As(java))
		require.NoError(t, err)
		again, err := r.client().Mutex("m").TryLock(ctx, lock.As(java))
		require.NoError(t, err)
		require.Equal(t, map[string]string{java: "2"}, r.rdb.HGetAll(ctx, "m").Val())
		require.NoError(t, h.Unlock(ctx))
		require.NoError(t, again.Unlock(ctx))
		require.Zero(t, r.rdb.Exists(ctx, "m").Val())
	})
}

func TestMutex_OnAKeyOfAnotherType(t *testing.T) {
	onBoth(t, func(t *testing.T, r *testServer) {
		require.NoError(t, r.rdb.Set(ctx, "m", "no lock", 0).Err())
		m := r.client().Mutex("m")
		_, err := m.Lock(ctx)
		require.ErrorIs(t, err, lock.ErrWrongType)
		_, err = m.Inspect(ctx)
		require.ErrorIs(t, err, lock.ErrWrongType)
	})
}

func TestMutex_UncontendedIsTwoCommands(t *testing.T) {
	onBoth(t, func(t *testing.T, r *testServer) {
		m := r.client().Mutex("m")
		lockOnce := func() {
			h, err := m.Lock(ctx)
			require.NoError(t, err)
			require.NoError(t, h.Unlock(ctx))
		}
		lockOnce() // the scripts are loaded
		r.resetStats()
		for range 250 {
			lockOnce()
		}
		require.Equal(t, 500, r.commands("evalsha"))
		require.LessOrEqual(t, r.commands("del"), 250+3, "the scripts delete the lock; the latches go a hundred at a time")
	})
}

// A client that may not subscribe to a lock's channel (ACL) gets an error when it has to wait.
func TestMutex_Lock_WithoutRightToSubscribe(t *testing.T) {
	onBoth(t, func(t *testing.T, r *testServer) {
		require.NoError(t, r.rdb.Do(ctx, "acl", "setuser", "u", "on", "nopass", "+@all", "~*", "resetchannels").Err())
		_, err := r.client().Mutex("m").Lock(ctx)
		require.NoError(t, err)
		rdb := redis.NewClient(&redis.Options{Addr: r.addr, Username: "u", Password: "any"})
		t.Cleanup(func() { _ = rdb.Close() })
		c := lock.New(rdb)
		t.Cleanup(func() { require.NoError(t, c.Close()) })
		_, err = c.Mutex("m").Lock(ctx)
		require.ErrorContains(t, err, "NOPERM")
	})
}

// A LockOption of New is the default of all locks, which an option of a lock or a call overrides.
func TestNew_LockOptionsAreDefaults(t *testing.T) {
	r := newTestServer(t)
	m := r.client(lock.Lease(time.Hour)).Mutex("m")
	h, err := m.Lock(ctx)
	require.NoError(t, err)
	require.Greater(t, r.ttl("m"), 50*time.Minute)
	require.NoError(t, h.Unlock(ctx))
	_, err = m.Lock(ctx, lock.Lease(time.Minute))
	require.NoError(t, err)
	require.LessOrEqual(t, r.ttl("m"), time.Minute)
}
