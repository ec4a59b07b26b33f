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
	"github.com/stretchr/testify/require"

	"github.com/minilockd/minilockd/internal/testenv"
	"github.com/minilockd/minilockd/lock"
	"github.com/minilockd/minilockd/server"
)

// newestVersionOnly are the kinds that the older Redisson has not, or has with records of another format.
var newestVersionOnly = []string{"spin", "fenced", "multi", "red", "permits", "rate"}

// TestInterop lets Go and Java contend for the same locks. On Java's side is one process for each version of Redisson.
func TestInterop(t *testing.T) {
	for _, version := range clientVersions {
		t.Run(version, func(t *testing.T) {
			if !testenv.Long() && version != clientVersions[0] {
				t.Skip("the newest version only")
			}
			p := startJavaProcess(t, version)
			t.Run("minilockd", func(t *testing.T) {
				testInterop(t, p, version, func() string { return server.StartT(t).Addr() })
			})
			t.Run("redis", func(t *testing.T) { testInterop(t, p, version, func() string { return startRedis(t) }) })
		})
	}
}

// testInterop runs all tests on one server, and those of what spans several on three.
func testInterop(t *testing.T, p *javaProcess, version string, start func() string) {
	m := newInteropTest(t, p, version, start())
	t.Run("race", m.testRaces)
	t.Run("a message wakes the other language", m.testWakeups)
	t.Run("the other's lock is not unlocked", m.testRefusals)
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

// interopTest is a server with a Go client and a Java client on it, or several with one of each on each.
type interopTest struct {
	javaProcess  *javaProcess
	version      string
	servers      []string // their addresses
	redisClients []*redis.Client
	clients      []*lock.Client
	rdb          *redis.Client // on the first server, as locks
	locks        *lock.Client
	names        int
}

func newInteropTest(t *testing.T, p *javaProcess, version string, servers ...string) *interopTest {
	m := &interopTest{javaProcess: p, version: version, servers: servers}
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

// has reports whether the version of Redisson has a kind of lock that can be shared.
func (m *interopTest) has(kind string) bool {
	return m.version == clientVersions[0] || !slices.Contains(newestVersionOnly, kind)
}

// each runs a test for each of the kinds that there are, at a lockRef that no other test uses.
func (m *interopTest) each(t *testing.T, kinds []string, test func(*testing.T, lockRef)) {
	for _, kind := range kinds {
		if m.has(kind) {
			t.Run(kind, func(t *testing.T) { test(t, m.lockRef(t, kind)) })
		}
	}
}

// lockRef is a new lockRef; one with permits has one.
func (m *interopTest) lockRef(t *testing.T, kind string) lockRef {
	m.names++
	p := lockRef{kind, fmt.Sprintf("%s:%d", kind, m.names)}
	m.setPermits(t, p, 1)
	return p
}

// setPermits sets the permits of what has any.
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

// java is a thread of the JVM.
func (m *interopTest) java(thread int) *javaThread {
	return &javaThread{javaProcess: m.javaProcess, servers: strings.Join(m.servers, ","), thread: fmt.Sprint(thread)}
}

func (m *interopTest) golang() *goThread { return &goThread{clients: m.clients, rdb: m.rdb} }

// mixed are n threads, Go and Java in turn.
func (m *interopTest) mixed(n int) []lockThread {
	threads := make([]lockThread, n)
	for i := range threads {
		if threads[i] = m.golang(); i%2 == 1 {
			threads[i] = m.java(i)
		}
	}
	return threads
}

// subscribers waits until so many clients wait for messages about a name.
func (m *interopTest) subscribers(t *testing.T, name string, n int64) {
	t.Helper()
	require.Eventually(t, func() bool {
		channels, err := m.rdb.PubSubChannels(t.Context(), "*"+name+"*").Result()
		if err != nil || len(channels) == 0 {
			return false
		}
		counts, err := m.rdb.PubSubNumSub(t.Context(), channels...).Result()
		return err == nil && slices.Max(slices.Collect(maps.Values(counts))) >= n
	}, soon, time.Millisecond, "nobody waits")
}

// inBackground runs a call that waits.
func inBackground(call func() error) <-chan error {
	done := make(chan error, 1)
	go func() { done <- call() }()
	return done
}

// requireDone takes a result that must come, without an error.
func requireDone(t *testing.T, done <-chan error) {
	t.Helper()
	select {
	case err := <-done:
		require.NoError(t, err)
	case <-time.After(soon):
		require.Fail(t, "no message came")
	}
}
