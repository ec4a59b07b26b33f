package compat

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// testRed has Redisson's RedissonRedLock and Go's lock.Red contend for the majority of three servers.
func (m *interopTest) testRed(t *testing.T) {
	p := lockRef{"red", "red"}
	t.Run("race", func(t *testing.T) { m.testExclusion(t, p) })
	t.Run("Go wakes Java", func(t *testing.T) { m.testHandOver(t, m.golang(), m.java(1), p, p) })
	t.Run("Java wakes Go", func(t *testing.T) { m.testHandOver(t, m.java(1), m.golang(), p, p) })
	t.Run("the other's lock is not unlocked", func(t *testing.T) { m.testRedRefused(t, p) })
	t.Run("a server is down", func(t *testing.T) {
		m.stop(t, 1)
		m.takeTurns(t, p)
	})
}

// RedissonRedLock keeps to itself that it did not have the lock that it was to unlock.
func (m *interopTest) testRedRefused(t *testing.T, p lockRef) {
	g, j := m.golang(), m.java(1)
	require.NoError(t, g.enter(p))
	require.NoError(t, j.leave(p))
	m.requireRefused(t, []lockThread{j}, p)
	require.NoError(t, g.leave(p), "it was still held")
	m.testGoRefused(t, p)
}

// takeTurns lets in one language after the other, which keeps the other one out. They are few: Redisson takes seconds to find
// out, each time, that a server is not there.
func (m *interopTest) takeTurns(t *testing.T, p lockRef) {
	g, j := m.golang(), m.java(1)
	for _, pair := range [][]lockThread{{g, j}, {j, g}} {
		require.NoError(t, pair[0].enter(p))
		m.requireRefused(t, pair[1:], p)
		require.NoError(t, pair[0].leave(p))
	}
}

// stop ends a server.
func (m *interopTest) stop(t *testing.T, i int) {
	_ = m.redisClients[i].ShutdownNoSave(t.Context()).Err() // there is no reply
	require.Error(t, m.redisClients[i].Ping(t.Context()).Err())
}
