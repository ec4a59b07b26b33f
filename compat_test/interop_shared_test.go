package compat

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/minilockd/minilockd/lock"
)

// permitLimit is how many permits there are where several may be inside.
const permitLimit = 3

// queued waits until the queue of a fair lock has so many waiters.
func (m *interopTest) queued(t *testing.T, p lockRef, n int) {
	t.Helper()
	require.Eventually(t, func() bool { return len(m.inspect(t, p).Waiters) == n }, soon, time.Millisecond)
}

// Readers of both languages are in at once, and keep writers of both out, as a writer keeps out readers.
func (m *interopTest) testReaders(t *testing.T) {
	w := m.lockRef(t, "write")
	r := lockRef{"read", w.name}
	threads := m.mixed(6)
	readers, writers := threads[:4], threads[4:]
	for _, reader := range readers {
		require.NoError(t, reader.enter(r))
	}
	m.requireRefused(t, writers, w)
	for _, reader := range readers {
		m.requireRefused(t, writers[:1], w)
		require.NoError(t, reader.leave(r))
	}
	for _, writer := range writers {
		require.NoError(t, writer.enter(w))
		m.requireRefused(t, readers, r)
		require.NoError(t, writer.leave(w))
	}
}

// requireRefused requires that nobody of these gets in.
func (m *interopTest) requireRefused(t *testing.T, out []lockThread, p lockRef) {
	t.Helper()
	for i, lockThread := range out {
		in, err := lockThread.try(p)
		require.NoError(t, err)
		require.False(t, in, "party %d got in", i)
	}
}

// No more are inside than there are permits, in a race and one after another; all permits are there in the end.
func (m *interopTest) testSemaphores(t *testing.T) {
	m.each(t, []string{"semaphore", "permits"}, func(t *testing.T, p lockRef) {
		m.addPermits(t, p, permitLimit-1)
		inside := m.mixed(permitLimit)
		for _, lockThread := range inside {
			require.NoError(t, lockThread.enter(p))
		}
		m.requireRefused(t, m.mixed(2), p)
		for _, lockThread := range inside {
			require.NoError(t, lockThread.leave(p))
		}
		m.race(t, p.name, func(int) (string, lockRef) { return "crowd", p })
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

// The last one to count down, of either language, lets waiters of both go on.
func (m *interopTest) testLatch(t *testing.T) {
	for _, last := range []string{"Go", "Java"} {
		t.Run(last+" is last", func(t *testing.T) {
			p, j := m.lockRef(t, "latch"), m.java(0)
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

// awaiting are two waiters of each language.
func (m *interopTest) awaiting(t *testing.T, p lockRef, l *lock.Latch) (waiters []<-chan error) {
	for i := range 2 {
		j := m.java(i + 1)
		waiters = append(waiters,
			inBackground(func() error { return l.Await(t.Context()) }),
			inBackground(func() error { _, err := j.call("await", p); return err }))
	}
	m.subscribers(t, p.name, 2)
	return waiters
}

// What one language takes, the other cannot take in the same interval.
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
		got, err := j.call("take", p, take.n)
		require.NoError(t, err)
		require.Equal(t, take.got, got)
	}
	require.NoError(t, l.TryAcquire(t.Context(), 2))
	require.ErrorIs(t, l.TryAcquire(t.Context(), 1), lock.ErrTaken)
	got, err := j.call("take", p, "1")
	require.NoError(t, err)
	require.Equal(t, "false", got)
}
