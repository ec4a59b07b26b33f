package compat

import (
	"testing"

	"github.com/minilockd/minilockd/internal/require"
)

// testRed tests RedissonRedLock and lock.Red, which lock the majority of three servers.
func (m *interopTest) testRed(t *testing.T) {
	p := lockRef{"red", "red"}
	t.Run("race", func(t *testing.T) { m.testExclusion(t, p) })
	t.Run("Go wakes Java", func(t *testing.T) { m.testHandOver(t, m.newGoThread(), m.java(1), p, p) })
	t.Run("Java wakes Go", func(t *testing.T) { m.testHandOver(t, m.java(1), m.newGoThread(), p, p) })
	t.Run("only the holder can unlock", func(t *testing.T) { m.testRedRejected(t, p) })
	t.Run("a server is down", func(t *testing.T) {
		m.stop(t, 1)
		m.testOneAfterTheOther(t, p)
	})
}

// RedissonRedLock reports no error if it unlocks a lock that it does not hold.
func (m *interopTest) testRedRejected(t *testing.T, p lockRef) {
	g, j := m.newGoThread(), m.java(1)
	require.NoError(t, g.acquire(p))
	require.NoError(t, j.release(p))
	m.requireNotAcquired(t, []lockThread{j}, p)
	require.NoError(t, g.release(p), "still held")
	m.testGoRejected(t, p)
}

// testOneAfterTheOther lets each language acquire the lock once, which excludes the other. Redisson needs seconds to
// notice that a server is down, so a race would take long.
func (m *interopTest) testOneAfterTheOther(t *testing.T, p lockRef) {
	g, j := m.newGoThread(), m.java(1)
	for _, pair := range [][]lockThread{{g, j}, {j, g}} {
		require.NoError(t, pair[0].acquire(p))
		m.requireNotAcquired(t, pair[1:], p)
		require.NoError(t, pair[0].release(p))
	}
}

// stop shuts a server down.
func (m *interopTest) stop(t *testing.T, i int) {
	_ = m.redisClients[i].ShutdownNoSave(t.Context()).Err() // SHUTDOWN has no reply
	require.Error(t, m.redisClients[i].Ping(t.Context()).Err())
}
