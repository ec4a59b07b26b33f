package lock_test

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/minilockd/minilockd/internal/require"
	"github.com/minilockd/minilockd/lock"
)

// workers count under a lock.
type workers struct {
	inside, counted atomic.Int64
	overlaps        atomic.Int64
	failures        atomic.Int64
}

// work counts under the lock until it is stopped, whatever errors occur. A holder whose lock was lost in a failover
// does not count as overlapping.
func (c *workers) work(m lock.Locker, stop <-chan struct{}) {
	for {
		select {
		case <-stop:
			return
		default:
		}
		bounded, cancel := context.WithTimeout(ctx, testTimeout)
		h, err := m.Lock(bounded)
		cancel()
		if err != nil {
			c.failures.Add(1)
			time.Sleep(10 * time.Millisecond)
			continue
		}
		if c.inside.Add(1) > 1 && h.Context().Err() == nil {
			c.overlaps.Add(1)
		}
		c.counted.Add(1)
		c.inside.Add(-1)
		_ = h.Unlock(ctx)
	}
}

// through runs workers while happens changes the servers, and asserts that they count before and after it, and that at
// most one pair of them held the lock together: a holder whose lock the dead master had not replicated, and the next
// holder.
func through(t *testing.T, newLock func() lock.Locker, happens func()) {
	t.Helper()
	var c workers
	stop := make(chan struct{})
	var all sync.WaitGroup
	for range 4 {
		l := newLock()
		all.Go(func() { c.work(l, stop) })
	}
	more := func(n int64) {
		from := c.counted.Load()
		require.Eventually(t, func() bool { return c.counted.Load() >= from+n }, testTimeout, 5*time.Millisecond,
			"nobody gets the lock")
	}
	more(50)
	happens()
	more(1)
	more(50)
	close(stop)
	all.Wait()
	require.LessOrEqual(t, c.overlaps.Load(), int64(1))
	t.Logf("%d critical sections, %d overlaps, %d errors", c.counted.Load(), c.overlaps.Load(), c.failures.Load())
}

// newLock returns a function that returns the lock of a new client.
func newLock(t *testing.T, dial func() redis.UniversalClient) func() lock.Locker {
	return func() lock.Locker {
		rdb := dial()
		t.Cleanup(func() { _ = rdb.Close() })
		l := lock.New(rdb, lock.WithWatchdog(3*time.Second))
		t.Cleanup(func() { _ = l.Close() })
		return l.Mutex("{tag}contended")
	}
}
