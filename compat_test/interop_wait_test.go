package compat

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// errNoMessage is what comes of a wait that no message has ended.
var errNoMessage = errors.New("no message came")

// awaitWithWakeups waits for what a Java lockThread does, and helps it where Redisson needs help.
//
// An unlock of a Redisson read/write lock wakes as many threads of a process as are asleep at that moment. One that has just
// been refused and is about to fall asleep is not among them: it sleeps until the next message, or until the lease that it saw
// should be over. Threads of one JVM on redis-server, without Go, get stuck so. In life somebody else comes and goes soon, and
// the message of that unlock wakes it; here, once all others are through, that is a writer of Go's.
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

// acquireAndRelease goes in and out if nobody is in the way.
func (m *interopTest) acquireAndRelease(t *testing.T, p lockRef) {
	thread := m.golang()
	in, err := thread.try(p)
	require.NoError(t, err)
	if in {
		t.Log("a thread of Redisson's was told once more")
		require.NoError(t, thread.leave(p))
	}
}

// tried waits until so many scripts have been carried out. Who waits for a lock tries, subscribes, and tries once more: after
// the second refusal only a message can end the wait.
func (m *interopTest) tried(t *testing.T, scripts int) {
	t.Helper()
	require.Eventually(t, func() bool { return m.scripts(t) >= scripts }, soon, time.Millisecond, "no second attempt")
}

// scripts is how many scripts the server has carried out.
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
		_, err := fmt.Sscanf(strings.ReplaceAll(numbers, ",", " "), "calls=%d usec=%g usec_per_call=%g rejected_calls=%d failed_calls=%d",
			&calls, &usec, &each, &rejected, &failed)
		require.NoError(t, err)
		sum += calls - failed // one that fails is a text not yet known
	}
	return sum
}
