package lock_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/minilockd/minilockd/internal/require"
	"github.com/minilockd/minilockd/lock"
)

// everyLocker takes each type of lock, once while it is free and once after a wait.
func everyLocker(t *testing.T, c *lock.Client, other *lock.Client, suffix string) {
	t.Helper()
	takeTurns(t, c, other, "mutex", func(c *lock.Client) lock.Locker { return c.Mutex("m" + suffix) })
	takeTurns(t, c, other, "fair", func(c *lock.Client) lock.Locker { return c.FairMutex("f" + suffix) })
	takeTurns(t, c, other, "spin", func(c *lock.Client) lock.Locker { return c.SpinMutex("s" + suffix) })
	takeTurns(t, c, other, "fenced", func(c *lock.Client) lock.Locker { return c.FencedMutex("n" + suffix) })
	takeTurns(t, c, other, "write", func(c *lock.Client) lock.Locker { return c.RWMutex("w" + suffix) })
	require.NoError(t, c.RWMutex("r"+suffix).RDo(ctx, func(ctx context.Context) error {
		return other.RWMutex("r"+suffix).RDo(ctx, func(context.Context) error { return nil })
	}))
	several := func(c *lock.Client) []lock.Locker {
		return []lock.Locker{c.Mutex("a" + suffix), c.FairMutex("b" + suffix), c.SpinMutex("c" + suffix)}
	}
	takeTurns(t, c, other, "multi", func(c *lock.Client) lock.Locker { return lock.NewMulti(several(c)...) })
	takeTurns(t, c, other, "red", func(c *lock.Client) lock.Locker { return lock.NewRed(several(c)...) })
	everyCounter(t, c, other, suffix)
}

// takeTurns lets one client hold a lock, and another one get ErrTaken, wait and take it.
func takeTurns[C any](t *testing.T, c, other C, name string, of func(C) lock.Locker) {
	t.Helper()
	h, err := of(c).Lock(ctx)
	require.NoError(t, err, name)
	_, err = of(other).TryLock(ctx)
	require.ErrorIs(t, err, lock.ErrTaken, name)
	got := async(func() error { return of(other).Do(ctx, func(context.Context) error { return nil }) })
	require.NoError(t, h.Unlock(ctx), name)
	require.NoError(t, await(t, got), name)
}

// everyCounter lets one client wait for another one, with each type that counts.
func everyCounter(t *testing.T, c, other *lock.Client, suffix string) {
	t.Helper()
	_, err := c.Semaphore("sem"+suffix).TrySetPermits(ctx, 1)
	require.NoError(t, err)
	require.NoError(t, c.Semaphore("sem"+suffix).Acquire(ctx, 1))
	got := async(func() error { return other.Semaphore("sem"+suffix).Acquire(ctx, 1) })
	require.NoError(t, c.Semaphore("sem"+suffix).Release(ctx, 1))
	require.NoError(t, await(t, got))

	_, err = c.PermitSemaphore("per"+suffix).TrySetPermits(ctx, 1)
	require.NoError(t, err)
	_, err = c.PermitSemaphore("per" + suffix).Acquire(ctx)
	require.NoError(t, err)
	_, err = other.PermitSemaphore("per" + suffix).TryAcquire(ctx)
	require.ErrorIs(t, err, lock.ErrTaken)

	// Redisson puts a latch's name into braces of its own, so one with braces has no slot
	suffix = strings.Trim(suffix, "{}")
	_, err = c.Latch("lat"+suffix).TrySetCount(ctx, 1)
	require.NoError(t, err)
	got = async(func() error { return other.Latch("lat" + suffix).Await(ctx) })
	require.NoError(t, c.Latch("lat"+suffix).CountDown(ctx))
	require.NoError(t, await(t, got))

	_, err = c.RateLimiter("rate"+suffix).TrySetRate(ctx, lock.Rate{Permits: 1, Interval: time.Hour})
	require.NoError(t, err)
	require.NoError(t, c.RateLimiter("rate"+suffix).TryAcquire(ctx, 1))
	require.ErrorIs(t, other.RateLimiter("rate"+suffix).TryAcquire(ctx, 1), lock.ErrTaken)
}

func TestName_IsTheKey(t *testing.T) {
	c := newTestServer(t).client()
	for _, named := range []interface{ Name() string }{c.Mutex("n"), c.FairMutex("n"), c.RWMutex("n"),
		c.RWMutex("n").RLocker(), c.SpinMutex("n"),
		c.FencedMutex("n"), c.Semaphore("n"), c.PermitSemaphore("n"), c.Latch("n"), c.RateLimiter("n")} {
		require.Equal(t, "n", named.Name())
	}
	require.Equal(t, "a b", lock.NewMulti(c.Mutex("a"), c.Mutex("b")).Name())
}
