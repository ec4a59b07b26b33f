package compat

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/minilockd/minilockd/internal/require"
	"github.com/minilockd/minilockd/internal/testenv"
	"github.com/minilockd/minilockd/lock"
	"github.com/minilockd/minilockd/server"
)

// latestVersionOnly are the kinds of lock that the older Redisson does not have, or stores in another format.
var latestVersionOnly = []string{"spin", "fenced", "multi", "red", "permits", "rate"}

// TestInterop lets Go and Java threads contend for the same locks, with one Java process for each version of Redisson.
func TestInterop(t *testing.T) {
	eachVersion(t, func(t *testing.T, p *javaProcess, version string) {
		testInterop(t, p, version, func() string { return server.StartT(t).Addr() })
	}, func(t *testing.T, p *javaProcess, version string) {
		testInterop(t, p, version, func() string { return startRedis(t) })
	})
}

// eachVersion calls functions for tests on minilockd and on redis-server with each version of Redisson, the older ones
// only in long runs.
func eachVersion(t *testing.T, minilockd, redis func(*testing.T, *javaProcess, string)) {
	for _, version := range clientVersions {
		t.Run(version, func(t *testing.T) {
			if !testenv.Long() && version != clientVersions[0] {
				t.Skip("the newest version only")
			}
			p := startJavaProcess(t, version)
			t.Run("minilockd", func(t *testing.T) { minilockd(t, p, version) })
			t.Run("redis", func(t *testing.T) { redis(t, p, version) })
		})
	}
}

// testInterop runs the tests of red locks on three servers, all others on one.
func testInterop(t *testing.T, p *javaProcess, version string, start func() string) {
	m := newInteropTest(t, p, version, start())
	t.Run("race", m.testRaces)
	t.Run("an unlock wakes the other language", m.testWakeups)
	t.Run("only the holder can unlock", m.testRejections)
	t.Run("an owner of the other language", m.testOwners)
	t.Run("fair order", m.testFairOrder)
	t.Run("readers share", m.testReaders)
	t.Run("semaphores", m.testSemaphores)
	t.Run("latch", m.testLatch)
	m.each(t, []string{"rate"}, m.testRateLimiter)
	if m.has("red") {
		t.Run("red", newInteropTest(t, p, version, start(), start(), start()).testRed)
	}
}

// interopTest is one or more servers, with a Go client and a Java client of each.
type interopTest struct {
	process      *javaProcess
	version      string
	servers      []string // their addresses
	redisClients []*redis.Client
	clients      []*lock.Client
	rdb          *redis.Client // of the first server, as locks is
	locks        *lock.Client
	names        int
}

func newInteropTest(t *testing.T, p *javaProcess, version string, servers ...string) *interopTest {
	m := &interopTest{process: p, version: version, servers: servers}
	for _, addr := range servers {
		rdb := redis.NewClient(&redis.Options{Addr: addr})
		locks := lock.New(rdb)
		t.Cleanup(func() {
			require.NoError(t, locks.Close())
			require.NoError(t, rdb.Close())
		})
		m.redisClients, m.clients = append(m.redisClients, rdb), append(m.clients, locks)
	}
	m.rdb, m.locks = m.redisClients[0], m.clients[0]
	_, err := m.java(0).call("connect", lockRef{"", ""})
	require.NoError(t, err)
	return m
}

// has reports whether the version of Redisson has a kind of lock, in the same format as package lock.
func (m *interopTest) has(kind string) bool {
	return m.version == clientVersions[0] || !slices.Contains(latestVersionOnly, kind)
}

// each runs a test for each kind of lock that Redisson has, with a new lock.
func (m *interopTest) each(t *testing.T, kinds []string, test func(*testing.T, lockRef)) {
	for _, kind := range kinds {
		if m.has(kind) {
			t.Run(kind, func(t *testing.T) { test(t, m.newLock(t, kind)) })
		}
	}
}

// newLock returns a lock that no other test uses; a semaphore has one permit.
func (m *interopTest) newLock(t *testing.T, kind string) lockRef {
	m.names++
	p := lockRef{kind, fmt.Sprintf("%s:%d", kind, m.names)}
	m.setPermits(t, p, 1)
	return p
}

// setPermits sets the permits of a lock that has any.
func (m *interopTest) setPermits(t *testing.T, p lockRef, n int64) {
	set := func(context.Context, int64) (bool, error) { return true, nil }
	switch p.kind {
	case "semaphore":
		set = m.locks.Semaphore(p.name).TrySetPermits
	case "permits":
		set = m.locks.PermitSemaphore(p.name).TrySetPermits
	}
	done, err := set(t.Context(), n)
	require.NoError(t, err)
	require.True(t, done)
}

// java returns a thread of the Java process.
func (m *interopTest) java(thread int) *javaThread {
	return &javaThread{process: m.process, servers: strings.Join(m.servers, ","), thread: fmt.Sprint(thread)}
}

func (m *interopTest) newGoThread() *goThread { return &goThread{clients: m.clients, rdb: m.rdb} }

// mixed returns n threads, Go and Java alternately.
func (m *interopTest) mixed(n int) []lockThread {
	threads := make([]lockThread, n)
	for i := range threads {
		if threads[i] = m.newGoThread(); i%2 == 1 {
			threads[i] = m.java(i)
		}
	}
	return threads
}

// subscribers waits until n clients are subscribed to a channel of a lock.
func (m *interopTest) subscribers(t *testing.T, name string, n int64) {
	t.Helper()
	require.Eventually(t, func() bool {
		channels, err := m.rdb.PubSubChannels(t.Context(), "*"+name+"*").Result()
		if err != nil || len(channels) == 0 {
			return false
		}
		counts, err := m.rdb.PubSubNumSub(t.Context(), channels...).Result()
		return err == nil && slices.Max(slices.Collect(maps.Values(counts))) >= n
	}, messageTimeout, time.Millisecond, "no subscriber")
}

// start runs a call in a goroutine.
func start(call func() error) <-chan error {
	done := make(chan error, 1)
	go func() { done <- call() }()
	return done
}

// requireDone requires that a call ends without an error.
func requireDone(t *testing.T, done <-chan error) {
	t.Helper()
	select {
	case err := <-done:
		require.NoError(t, err)
	case <-time.After(messageTimeout):
		require.Fail(t, "no message")
	}
}
