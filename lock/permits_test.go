package lock_test

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/minilockd/minilockd/internal/require"
	"github.com/minilockd/minilockd/lock"
)

func TestSemaphore_Permits(t *testing.T) {
	onBoth(t, func(t *testing.T, r *testServer) {
		s := r.client().Semaphore("s")
		require.ErrorIs(t, s.TryAcquire(ctx, 1), lock.ErrTaken)
		set, err := s.TrySetPermits(ctx, 5)
		require.NoError(t, err)
		require.True(t, set)
		set, err = s.TrySetPermits(ctx, 9)
		require.NoError(t, err)
		require.False(t, set)
		require.NoError(t, s.Acquire(ctx, 3))
		require.ErrorIs(t, s.TryAcquire(ctx, 3), lock.ErrTaken)
		require.NoError(t, s.Release(ctx, 1))
		require.NoError(t, s.AddPermits(ctx, 4))
		n, err := s.Available(ctx)
		require.NoError(t, err)
		require.EqualValues(t, 7, n)
		n, err = s.Drain(ctx)
		require.NoError(t, err)
		require.EqualValues(t, 7, n)
		require.Equal(t, "0", r.rdb.Get(ctx, "s").Val())

		require.NoError(t, r.rdb.Del(ctx, "s").Err())
		require.NoError(t, r.rdb.HSet(ctx, "s", "a", "b").Err())
		require.ErrorIs(t, s.Acquire(ctx, 1), lock.ErrWrongType)
	})
}

func TestSemaphore_Acquire_WaitsForAMessage(t *testing.T) {
	onBoth(t, func(t *testing.T, r *testServer) {
		s := r.client().Semaphore("s")
		many := async(func() error { return s.Acquire(ctx, 3) })
		r.subscribed("redisson_sc:{s}", 1)
		other := r.client().Semaphore("s")
		for range 3 {
			require.NoError(t, other.Release(ctx, 1))
		}
		require.NoError(t, await(t, many))

		short, cancel := context.WithTimeout(ctx, time.Millisecond)
		defer cancel()
		require.ErrorIs(t, s.Acquire(short, 1), context.DeadlineExceeded)
		r.subscribed("redisson_sc:{s}", 0)
		require.Equal(t, "0", r.rdb.Get(ctx, "s").Val())
	})
}

func TestSemaphore_OfManyNeverGivesTooMany(t *testing.T) {
	onBoth(t, func(t *testing.T, r *testServer) {
		const permits, processes, goroutines, rounds = 3, 3, 4, 15
		_, err := r.client().Semaphore("s").TrySetPermits(ctx, permits)
		require.NoError(t, err)
		var inside, most atomic.Int32
		var all sync.WaitGroup
		for range processes {
			s := r.client().Semaphore("s")
			for range goroutines {
				all.Go(func() {
					for range rounds {
						err := s.Acquire(ctx, 1)
						n := inside.Add(1)
						most.Store(max(most.Load(), n))
						inside.Add(-1)
						if err = errors.Join(err, s.Release(ctx, 1)); err != nil {
							t.Error(err)
						}
					}
				})
			}
		}
		all.Wait()
		require.LessOrEqual(t, most.Load(), int32(permits))
		require.Equal(t, "3", r.rdb.Get(ctx, "s").Val())
	})
}

func TestPermitSemaphore_Permits(t *testing.T) {
	onBoth(t, func(t *testing.T, r *testServer) {
		s := r.client().PermitSemaphore("p")
		_, err := s.TrySetPermits(ctx, 3)
		require.NoError(t, err)
		p, err := s.Acquire(ctx)
		require.NoError(t, err)
		require.Regexp(t, "^[0-9a-f]{32}$", p.ID())
		many, err := s.AcquireMany(ctx, 2, lock.Lease(lock.Forever))
		require.NoError(t, err)
		require.Len(t, r.rdb.ZRange(ctx, "{p}:timeout", 0, -1).Val()[0], 16)
		require.EqualValues(t, 2, r.rdb.ZCount(ctx, "{p}:timeout", "922337203685477", "922337203685477").Val())
		_, err = s.TryAcquire(ctx)
		require.ErrorIs(t, err, lock.ErrTaken)
		got := async(func() error { _, err := s.Acquire(ctx); return err })
		r.subscribed("redisson_sc:{p}", 1)
		require.NoError(t, many[1].Release(ctx))
		require.NoError(t, await(t, got))
		require.NoError(t, p.Release(ctx))
		require.ErrorIs(t, p.Release(ctx), lock.ErrNotHeld)
		require.NoError(t, s.AddPermits(ctx, 5))
		n, err := s.Available(ctx)
		require.NoError(t, err)
		require.EqualValues(t, 6, n)
	})
}

func TestPermitSemaphore_PermitsComeBackAndAreRenewed(t *testing.T) {
	r, seen := newTestServer(t), newRecorder()
	s := r.client(lock.WithObserver(seen)).PermitSemaphore("p")
	_, err := s.TrySetPermits(ctx, 2)
	require.NoError(t, err)
	watched, err := s.Acquire(ctx)
	require.NoError(t, err)
	p, err := s.Acquire(ctx, lock.Lease(time.Minute))
	require.NoError(t, err)
	got := async(func() error { _, err := s.Acquire(ctx); return err })
	r.subscribed("redisson_sc:{p}", 1)
	for range 6 {
		r.srv.Advance(10 * time.Second)
		require.NoError(t, next(t, seen.renewed).Err)
	}
	await(t, p.Lost())
	require.NoError(t, await(t, got))
	require.ErrorIs(t, p.Release(ctx), lock.ErrLost)
	require.NoError(t, watched.Release(ctx))
}

func TestLostReply_PermitsAreRecognised(t *testing.T) {
	onBoth(t, func(t *testing.T, r *testServer) {
		c, plan := r.dropClient()
		s := c.PermitSemaphore("p")
		_, err := s.TrySetPermits(ctx, 5)
		require.NoError(t, err)
		for range 3 {
			p, err := s.Acquire(ctx)
			require.NoError(t, err)
			require.NoError(t, p.Release(ctx))
			plan.left.Store(1)
			p, err = s.Acquire(ctx)
			require.NoError(t, err)
			require.Equal(t, "4", r.rdb.Get(ctx, "p").Val())
			plan.left.Store(1)
			require.NoError(t, p.Release(ctx))
			require.Equal(t, "5", r.rdb.Get(ctx, "p").Val())
		}
		sem := c.Semaphore("p")
		plan.left.Store(1)
		require.ErrorIs(t, sem.Acquire(ctx, 1), lock.ErrUnavailable)
	})
}

func TestLatch_OpensAtZero(t *testing.T) {
	onBoth(t, func(t *testing.T, r *testServer) {
		l := r.client().Latch("l")
		require.NoError(t, l.Await(ctx), "no count")
		set, err := l.TrySetCount(ctx, 3)
		require.NoError(t, err)
		require.True(t, set)
		require.ErrorIs(t, l.Await(ctx, lock.WithWait(0)), lock.ErrTaken)
		var all sync.WaitGroup
		for range 20 {
			all.Go(func() {
				if err := l.Await(ctx); err != nil {
					t.Error(err)
				}
			})
		}
		r.subscribed("redisson_countdownlatch__channel__{l}", 1)
		other := r.client().Latch("l")
		require.NoError(t, other.CountDown(ctx))
		n, err := l.Count(ctx)
		require.NoError(t, err)
		require.EqualValues(t, 2, n)
		require.NoError(t, other.CountDown(ctx))
		require.NoError(t, other.CountDown(ctx))
		all.Wait()
		require.Zero(t, r.rdb.Exists(ctx, "l").Val())

		_, err = l.TrySetCount(ctx, 1)
		require.NoError(t, err)
		got := async(func() error { return l.Await(ctx) })
		r.subscribed("redisson_countdownlatch__channel__{l}", 1)
		was, err := other.Delete(ctx)
		require.NoError(t, err)
		require.True(t, was)
		require.NoError(t, await(t, got))
	})
}

func TestRateLimiter_GivesSoManyInAnInterval(t *testing.T) {
	r := newTestServer(t)
	l := r.client().RateLimiter("api")
	require.ErrorContains(t, l.TryAcquire(ctx, 1), "RateLimiter is not initialized")
	rate := lock.Rate{Permits: 3, Interval: time.Minute}
	set, err := l.TrySetRate(ctx, rate)
	require.NoError(t, err)
	require.True(t, set)
	got, err := l.Rate(ctx)
	require.NoError(t, err)
	require.Equal(t, rate, got)
	require.ErrorContains(t, l.TryAcquire(ctx, 4), "Requested permits amount cannot exceed defined rate")
	require.NoError(t, l.Acquire(ctx, 2))
	require.NoError(t, r.client().RateLimiter("api").Acquire(ctx, 1))
	err = l.TryAcquire(ctx, 1)
	require.ErrorIs(t, err, lock.ErrTaken)
	var e *lock.Error
	require.True(t, errors.As(err, &e))
	require.InDelta(t, time.Minute, e.TTL, float64(10*time.Second))
	require.ErrorIs(t, l.Acquire(ctx, 1, lock.WithWait(time.Second)), lock.ErrTimeout)
	result := async(func() error { return l.Acquire(ctx, 1) })
	r.eventually("it waits", func() bool { return r.commands("evalsha") >= 8 })
	r.srv.Advance(time.Minute + 10*time.Millisecond)
	require.NoError(t, await(t, result))
	n, err := l.Available(ctx)
	require.NoError(t, err)
	require.EqualValues(t, 2, n)
	was, err := l.Delete(ctx)
	require.NoError(t, err)
	require.True(t, was)
	require.Zero(t, r.keys("-"))
}

func TestLostReply_RateIsNotChargedTwice(t *testing.T) {
	onBoth(t, func(t *testing.T, r *testServer) {
		c, plan := r.dropClient()
		for _, perClient := range []bool{false, true} {
			l := c.RateLimiter("api")
			_, err := l.TrySetRate(ctx, lock.Rate{Permits: 10, Interval: time.Hour, PerClient: perClient})
			require.NoError(t, err)
			require.NoError(t, l.Acquire(ctx, 1))
			plan.left.Store(1)
			require.NoError(t, l.Acquire(ctx, 1))
			n, err := l.Available(ctx)
			require.NoError(t, err)
			require.EqualValues(t, 8, n)
			_, err = l.Delete(ctx)
			require.NoError(t, err)
		}
	})
}

func TestLostReply_ManyPermitsComeBack(t *testing.T) {
	onBoth(t, func(t *testing.T, r *testServer) {
		c, plan := r.dropClient()
		s := c.PermitSemaphore("p")
		_, err := s.TrySetPermits(ctx, 5)
		require.NoError(t, err)
		all, err := s.AcquireMany(ctx, 2)
		require.NoError(t, err)
		for _, p := range all {
			require.NoError(t, p.Extend(ctx, time.Hour))
			require.NoError(t, p.Release(ctx))
		}
		plan.left.Store(1)
		over, cancel := context.WithTimeout(ctx, time.Nanosecond)
		defer cancel()
		<-over.Done()
		_, err = s.AcquireMany(over, 3)
		require.ErrorIs(t, err, lock.ErrTimeout)
		r.eventually("all permits are back", func() bool { return r.rdb.Get(ctx, "p").Val() == "5" })
	})
}
