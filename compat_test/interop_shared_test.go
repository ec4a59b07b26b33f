package compat

import (
	"testing"
	"time"

	"github.com/minilockd/minilockd/internal/require"
	"github.com/minilockd/minilockd/lock"
)

// permitLimit is the number of permits of a semaphore in these tests.
const permitLimit = 3

// queued waits until n waiters are in the queue of a fair lock.
func (m *interopTest) queued(t *testing.T, p lockRef, n int) {
	t.Helper()
	require.Eventually(t, func() bool { return len(m.inspect(t, p).Waiters) == n }, messageTimeout, time.Millisecond)
}

// Readers of both languages hold the lock at once and exclude writers of both; a writer excludes all readers.
func (m *interopTest) testReaders(t *testing.T) {
	w := m.newLock(t, "write")
	r := lockRef{"read", w.name}
	threads := m.mixed(6)
	readers, writers := threads[:4], threads[4:]
	for _, reader := range readers {
		require.NoError(t, reader.acquire(r))
	}
	m.requireNotAcquired(t, writers, w)
	for _, reader := range readers {
		m.requireNotAcquired(t, writers[:1], w)
		require.NoError(t, reader.release(r))
	}
	for _, writer := range writers {
		require.NoError(t, writer.acquire(w))
		m.requireNotAcquired(t, readers, r)
		require.NoError(t, writer.release(w))
	}
}

// requireNotAcquired requires that none of the threads can acquire the lock.
func (m *interopTest) requireNotAcquired(t *testing.T, out []lockThread, p lockRef) {
	t.Helper()
	for i, lockThread := range out {
		acquired, err := lockThread.tryAcquire(p)
		require.NoError(t, err)
		require.False(t, acquired, "thread %d acquired it", i)
	}
}

// No more permits are granted than there are, one by one and in a race; all are available at the end.
func (m *interopTest) testSemaphores(t *testing.T) {
	m.each(t, []string{"semaphore", "permits"}, func(t *testing.T, p lockRef) {
		m.addPermits(t, p, permitLimit-1)
		inside := m.mixed(permitLimit)
		for _, lockThread := range inside {
			require.NoError(t, lockThread.acquire(p))
		}
		m.requireNotAcquired(t, m.mixed(2), p)
		for _, lockThread := range inside {
			require.NoError(t, lockThread.release(p))
		}
		m.race(t, p.name, func(int) (string, lockRef) { return "limit", p })
		require.EqualValues(t, permitLimit, m.available(t, p))
	})
}

func (m *interopTest) addPermits(t *testing.T, p lockRef, n int64) {
	add := m.locks.Semaphore(p.name).AddPermits
	if p.kind == "permits" {
		add = m.locks.PermitSemaphore(p.name).AddPermits
	}
	require.NoError(t, add(t.Context(), n))
}

func (m *interopTest) available(t *testing.T, p lockRef) int64 {
	available := m.locks.Semaphore(p.name).Available
	if p.kind == "permits" {
		available = m.locks.PermitSemaphore(p.name).Available
	}
	n, err := available(t.Context())
	require.NoError(t, err)
	return n
}

// The last count-down, in either language, releases waiters of both.
func (m *interopTest) testLatch(t *testing.T) {
	for _, last := range []string{"Go", "Java"} {
		t.Run(last+" is last", func(t *testing.T) {
			p, j := m.newLock(t, "latch"), m.java(0)
			l := m.locks.Latch(p.name)
			down := func() error { return l.CountDown(t.Context()) }
			javaDown := func() error { _, err := j.call("count-down", p); return err }
			if last == "Java" {
				down, javaDown = javaDown, down
			}
			set, err := l.TrySetCount(t.Context(), 4)
			require.NoError(t, err)
			require.True(t, set)
			waiters := m.awaiting(t, p, l)
			for _, step := range []func() error{javaDown, down, javaDown} {
				require.NoError(t, step())
			}
			for _, waiter := range waiters {
				require.Empty(t, waiter)
			}
			require.NoError(t, down())
			for _, waiter := range waiters {
				requireDone(t, waiter)
			}
		})
	}
}

// awaiting starts two waiters of each language.
func (m *interopTest) awaiting(t *testing.T, p lockRef, l *lock.Latch) (waiters []<-chan error) {
	for i := range 2 {
		j := m.java(i + 1)
		waiters = append(waiters,
			start(func() error { return l.Await(t.Context()) }),
			start(func() error { _, err := j.call("await", p); return err }))
	}
	m.subscribers(t, p.name, 2)
	return waiters
}

// Both languages share the permits of an interval.
func (m *interopTest) testRateLimiter(t *testing.T, p lockRef) {
	j := m.java(1)
	set, err := j.call("set-rate", p, "5")
	require.NoError(t, err)
	require.Equal(t, "true", set)
	l := m.locks.RateLimiter(p.name)
	rate, err := l.Rate(t.Context())
	require.NoError(t, err)
	require.Equal(t, lock.Rate{Permits: 5, Interval: longLease}, rate)
	for _, take := range []struct{ n, got string }{{"3", "true"}, {"3", "false"}} {
		got, err := j.call("try-acquire-rate", p, take.n)
		require.NoError(t, err)
		require.Equal(t, take.got, got)
	}
	require.NoError(t, l.TryAcquire(t.Context(), 2))
	require.ErrorIs(t, l.TryAcquire(t.Context(), 1), lock.ErrTaken)
	got, err := j.call("try-acquire-rate", p, "1")
	require.NoError(t, err)
	require.Equal(t, "false", got)
}
