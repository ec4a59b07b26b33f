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

// contention is a number of workers that count under a lock.
type contention struct {
	inside, counted atomic.Int64
	overlaps        atomic.Int64
	failures        atomic.Int64
}

// work counts under the lock until n more have been counted by all, in the face of errors. Holders that were told that
// their lock is lost, in a failover, are not counted as overlapping.
func (c *contention) work(m lock.Locker, stop <-chan struct{}) {
	for {
		select {
		case <-stop:
			return
		default:
		}
		bounded, cancel := context.WithTimeout(ctx, patience)
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

// through has clients contend while something happens to the servers, and asserts that they count before and after it,
// and that at most one pair of them was ever inside together: the holder whose lock a dead master had not yet passed
// on, and who got it next.
func through(t *testing.T, contended func() lock.Locker, happens func()) {
	t.Helper()
	var c contention
	stop := make(chan struct{})
	var all sync.WaitGroup
	for range 4 {
		l := contended()
		all.Go(func() { c.work(l, stop) })
	}
	more := func(n int64) {
		from := c.counted.Load()
		require.Eventually(t, func() bool { return c.counted.Load() >= from+n }, patience, 5*time.Millisecond,
			"nobody gets the lock")
	}
	more(50)
	happens()
	more(1)
	more(50)
	close(stop)
	all.Wait()
	require.LessOrEqual(t, c.overlaps.Load(), int64(1))
	t.Logf("%d critical sections, %d overlaps, %d errors told", c.counted.Load(), c.overlaps.Load(), c.failures.Load())
}

// contended is the lock that is contended for, of a client of its own each time.
func contended(t *testing.T, dial func() redis.UniversalClient) func() lock.Locker {
	return func() lock.Locker {
		rdb := dial()
		t.Cleanup(func() { _ = rdb.Close() })
		l := lock.New(rdb, lock.WithWatchdog(3*time.Second))
		t.Cleanup(func() { _ = l.Close() })
		return l.Mutex("{tag}contended")
	}
}
