package compat

import (
	"context"
	"testing"

	"github.com/minilockd/minilockd/internal/require"
	"github.com/minilockd/minilockd/lock"
)

// A waiter gets the lock when the holder unlocks it, before the end of the lease.
func (m *interopTest) testWakeups(t *testing.T) {
	kinds := []string{"plain", "fair", "fenced", "multi", "semaphore", "permits"}
	t.Run("Go wakes Java", func(t *testing.T) {
		m.each(t, kinds, func(t *testing.T, p lockRef) { m.testHandOver(t, m.newGoThread(), m.java(1), p, p) })
		m.testReadWriteWakeups(t, m.newGoThread(), m.java(1))
	})
	t.Run("Java wakes Go", func(t *testing.T) {
		m.each(t, kinds, func(t *testing.T, p lockRef) { m.testHandOver(t, m.java(1), m.newGoThread(), p, p) })
		m.testReadWriteWakeups(t, m.java(1), m.newGoThread())
	})
}

func (m *interopTest) testReadWriteWakeups(t *testing.T, holder, waiter lockThread) {
	for _, pair := range [][2]string{{"write", "write"}, {"write", "read"}, {"read", "write"}} {
		t.Run(pair[0]+" to "+pair[1], func(t *testing.T) {
			held := m.newLock(t, pair[0])
			m.testHandOver(t, holder, waiter, held, lockRef{pair[1], held.name})
		})
	}
}

func (m *interopTest) testHandOver(t *testing.T, holder, waiter lockThread, held, wanted lockRef) {
	require.NoError(t, holder.acquire(held))
	acquired, err := waiter.tryAcquire(wanted)
	require.NoError(t, err)
	require.False(t, acquired, "both hold it")
	before := m.scripts(t)
	done := start(func() error { return waiter.acquire(wanted) })
	m.subscribers(t, held.name, 1)
	m.awaitScripts(t, before+2)
	require.Empty(t, done)
	require.NoError(t, holder.release(held))
	if _, java := waiter.(*javaThread); java {
		require.NoError(t, m.awaitWithWakeups(t, wanted, done))
	} else {
		requireDone(t, done)
	}
	require.NoError(t, waiter.release(wanted))
}

// An unlock of a lock that the other language holds is an error and changes nothing.
func (m *interopTest) testRejections(t *testing.T) {
	m.each(t, []string{"plain", "fair", "read", "write", "spin", "fenced", "multi"}, func(t *testing.T, p lockRef) {
		m.testJavaRejected(t, p)
		m.testGoRejected(t, p)
	})
}

func (m *interopTest) testJavaRejected(t *testing.T, p lockRef) {
	g := m.newGoThread()
	require.NoError(t, g.acquire(p))
	var javaErr *javaError
	require.ErrorAs(t, m.java(1).release(p), &javaErr)
	require.Equal(t, "IllegalMonitorStateException", javaErr.class)
	require.NoError(t, g.release(p), "still held")
}

// A handle that was unlocked, or whose lock was force-unlocked, does not unlock the lock that Java holds then.
func (m *interopTest) testGoRejected(t *testing.T, p lockRef) {
	g, j := m.newGoThread(), m.java(1)
	require.NoError(t, g.acquire(p))
	require.NoError(t, g.release(p))
	require.NoError(t, j.acquire(p))
	require.ErrorIs(t, g.release(p), lock.ErrNotHeld)
	require.NoError(t, j.release(p), "still held")
	if p.kind == "fenced" || p.kind == "multi" || p.kind == "red" {
		return
	}
	require.NoError(t, g.acquire(p))
	forced, err := j.call("force-unlock", p)
	require.NoError(t, err)
	require.Equal(t, "true", forced)
	require.NoError(t, j.acquire(p))
	require.ErrorIs(t, g.release(p), lock.ErrLost)
	require.NoError(t, j.release(p), "still held")
}

// Go reads the owner that Java has written, and locks once more as that owner.
func (m *interopTest) testOwners(t *testing.T) {
	m.each(t, []string{"plain", "fair", "write", "spin", "fenced"}, func(t *testing.T, p lockRef) {
		j := m.java(1)
		require.NoError(t, j.acquire(p))
		info := m.inspect(t, p)
		require.Len(t, info.Holders, 1)
		owner := info.Holders[0].Owner
		h, err := locker(m.clients, p).TryLock(t.Context(), lock.As(owner), lock.Lease(longLease))
		require.NoError(t, err)
		require.Equal(t, 2, m.inspect(t, p).Holds(owner))
		require.NoError(t, j.release(p))
		require.Equal(t, 1, m.inspect(t, p).Holds(owner))
		require.NoError(t, h.Unlock(t.Context()))
		require.False(t, m.inspect(t, p).Held())
	})
}

func (m *interopTest) inspect(t *testing.T, p lockRef) lock.Info {
	l, ok := locker(m.clients, p).(interface {
		Inspect(context.Context) (lock.Info, error)
	})
	require.True(t, ok)
	info, err := l.Inspect(t.Context())
	require.NoError(t, err)
	return info
}

// Waiters of both languages get a fair lock in the order in which they came.
func (m *interopTest) testFairOrder(t *testing.T) {
	p := m.newLock(t, "fair")
	holder, order := m.newGoThread(), make(chan int, raceThreads)
	require.NoError(t, holder.acquire(p))
	var running []<-chan error
	for i, waiter := range m.mixed(raceThreads) {
		running = append(running, start(func() error {
			if err := waiter.acquire(p); err != nil {
				return err
			}
			order <- i
			return waiter.release(p)
		}))
		m.queued(t, p, i+1)
	}
	require.NoError(t, holder.release(p))
	for _, done := range running {
		requireDone(t, done)
	}
	for i := range raceThreads {
		require.Equal(t, i, <-order)
	}
}
