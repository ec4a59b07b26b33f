package compat

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/minilockd/minilockd/lock"
)

// Who waits is let in when the holder leaves, long before the lease is over.
func (m *interopTest) testWakeups(t *testing.T) {
	kinds := []string{"plain", "fair", "fenced", "multi", "semaphore", "permits"}
	t.Run("Go wakes Java", func(t *testing.T) {
		m.each(t, kinds, func(t *testing.T, p lockRef) { m.testHandOver(t, m.golang(), m.java(1), p, p) })
		m.testReadWriteWakeups(t, m.golang(), m.java(1))
	})
	t.Run("Java wakes Go", func(t *testing.T) {
		m.each(t, kinds, func(t *testing.T, p lockRef) { m.testHandOver(t, m.java(1), m.golang(), p, p) })
		m.testReadWriteWakeups(t, m.java(1), m.golang())
	})
}

func (m *interopTest) testReadWriteWakeups(t *testing.T, holder, waiter lockThread) {
	for _, pair := range [][2]string{{"write", "write"}, {"write", "read"}, {"read", "write"}} {
		t.Run(pair[0]+" to "+pair[1], func(t *testing.T) {
			held := m.lockRef(t, pair[0])
			m.testHandOver(t, holder, waiter, held, lockRef{pair[1], held.name})
		})
	}
}

func (m *interopTest) testHandOver(t *testing.T, holder, waiter lockThread, held, wanted lockRef) {
	require.NoError(t, holder.enter(held))
	in, err := waiter.try(wanted)
	require.NoError(t, err)
	require.False(t, in, "both are in")
	before := m.scripts(t)
	done := inBackground(func() error { return waiter.enter(wanted) })
	m.subscribers(t, held.name, 1)
	m.tried(t, before+2)
	require.Empty(t, done)
	require.NoError(t, holder.leave(held))
	if _, java := waiter.(*javaThread); java {
		require.NoError(t, m.awaitWithWakeups(t, wanted, done))
	} else {
		requireDone(t, done)
	}
	require.NoError(t, waiter.leave(wanted))
}

// An unlock of what the other language holds is an error there and changes nothing.
func (m *interopTest) testRefusals(t *testing.T) {
	m.each(t, []string{"plain", "fair", "read", "write", "spin", "fenced", "multi"}, func(t *testing.T, p lockRef) {
		m.testJavaRefused(t, p)
		m.testGoRefused(t, p)
	})
}

func (m *interopTest) testJavaRefused(t *testing.T, p lockRef) {
	g := m.golang()
	require.NoError(t, g.enter(p))
	var thrown *javaError
	require.ErrorAs(t, m.java(1).leave(p), &thrown)
	require.Equal(t, "IllegalMonitorStateException", thrown.class)
	require.NoError(t, g.leave(p), "it was still held")
}

// A handle that has been unlocked, and one whose lock was forced open, leave Java's lock alone.
func (m *interopTest) testGoRefused(t *testing.T, p lockRef) {
	g, j := m.golang(), m.java(1)
	require.NoError(t, g.enter(p))
	require.NoError(t, g.leave(p))
	require.NoError(t, j.enter(p))
	require.ErrorIs(t, g.leave(p), lock.ErrNotHeld)
	require.NoError(t, j.leave(p), "it was still held")
	if p.kind == "fenced" || p.kind == "multi" || p.kind == "red" {
		return
	}
	require.NoError(t, g.enter(p))
	forced, err := j.call("force", p)
	require.NoError(t, err)
	require.Equal(t, "true", forced)
	require.NoError(t, j.enter(p))
	require.ErrorIs(t, g.leave(p), lock.ErrLost)
	require.NoError(t, j.leave(p), "it was still held")
}

// Go reads the owner that Java has written, and gets its lock again as that owner.
func (m *interopTest) testOwners(t *testing.T) {
	m.each(t, []string{"plain", "fair", "write", "spin", "fenced"}, func(t *testing.T, p lockRef) {
		j := m.java(1)
		require.NoError(t, j.enter(p))
		info := m.inspect(t, p)
		require.Len(t, info.Holders, 1)
		owner := info.Holders[0].Owner
		h, err := locker(m.clients, p).TryLock(t.Context(), lock.As(owner), lock.Lease(longLease))
		require.NoError(t, err)
		require.Equal(t, 2, m.inspect(t, p).Holds(owner))
		require.NoError(t, j.leave(p))
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

// Those who have queued up in turn are let in in that order.
func (m *interopTest) testFairOrder(t *testing.T) {
	p := m.lockRef(t, "fair")
	holder, order := m.golang(), make(chan int, raceThreads)
	require.NoError(t, holder.enter(p))
	var running []<-chan error
	for i, waiter := range m.mixed(raceThreads) {
		running = append(running, inBackground(func() error {
			if err := waiter.enter(p); err != nil {
				return err
			}
			order <- i
			return waiter.leave(p)
		}))
		m.queued(t, p, i+1)
	}
	require.NoError(t, holder.leave(p))
	for _, done := range running {
		requireDone(t, done)
	}
	for i := range raceThreads {
		require.Equal(t, i, <-order)
	}
}
