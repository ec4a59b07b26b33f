package compat

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/minilockd/minilockd/internal/require"
)

// errNoMessage is the result of a wait that no message has ended.
var errNoMessage = errors.New("no message")

// awaitWithWakeups waits for a Java thread, and sends wakeups that Redisson needs.
//
// An unlock of a Redisson read/write lock wakes the threads of a process that wait at that moment. It misses a thread
// that did not get the lock and is about to wait: that one waits for the next message, or for the end of the lease.
// Threads of one JVM on redis-server, without Go, wait so, too. In production another unlock follows; here, when all
// other threads are done, a Go writer locks and unlocks.
func (m *interopTest) awaitWithWakeups(t *testing.T, p lockRef, done <-chan error) error {
	limit := time.After(longLease - 10*time.Second)
	ticker := time.NewTicker(200 * time.Millisecond)
	defer ticker.Stop()
	for {
		select {
		case err := <-done:
			return err
		case <-limit:
			return errNoMessage
		case <-ticker.C:
			if p.kind == "read" || p.kind == "write" {
				m.acquireAndRelease(t, lockRef{"write", p.name})
			}
		}
	}
}

// acquireAndRelease acquires and releases a lock if it is free.
func (m *interopTest) acquireAndRelease(t *testing.T, p lockRef) {
	thread := m.newGoThread()
	acquired, err := thread.tryAcquire(p)
	require.NoError(t, err)
	if acquired {
		t.Log("an unlock to wake a thread of Redisson")
		require.NoError(t, thread.release(p))
	}
}

// awaitScripts waits until the server has executed n scripts. A waiter tries to lock, subscribes and tries once more:
// after the second script only a message can end its wait.
func (m *interopTest) awaitScripts(t *testing.T, n int) {
	t.Helper()
	require.Eventually(t, func() bool { return m.scripts(t) >= n }, messageTimeout, time.Millisecond, "scripts executed")
}

// scripts returns how many scripts the server has executed.
func (m *interopTest) scripts(t *testing.T) (sum int) {
	t.Helper()
	stats, err := m.rdb.Info(t.Context(), "commandstats").Result()
	require.NoError(t, err)
	for line := range strings.Lines(stats) {
		name, numbers, _ := strings.Cut(line, ":")
		if name != "cmdstat_eval" && name != "cmdstat_evalsha" {
			continue
		}
		var calls, rejected, failed int
		var usec, each float64
		_, err := fmt.Sscanf(strings.ReplaceAll(numbers, ",", " "),
			"calls=%d usec=%g usec_per_call=%g rejected_calls=%d failed_calls=%d",
			&calls, &usec, &each, &rejected, &failed)
		require.NoError(t, err)
		sum += calls - failed // an EVALSHA of an unknown script fails
	}
	return sum
}
