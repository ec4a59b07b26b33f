package lockview

import (
	"fmt"
	"testing"
	"time"

	"github.com/minilockd/minilockd/internal/require"
	"github.com/minilockd/minilockd/locks"
)

// testConn is a connection of a client.
type testConn int64

func (c testConn) Describe() locks.Client { return locks.Client{ID: int64(c)} }
func (c testConn) Closed() bool           { return false }

func testOwner(client, thread int) string {
	return fmt.Sprintf("01234567-89ab-cdef-0123-%012x:%d", client, thread)
}

// However many owners try to take a lock, a tracker knows a limited number of them.
func TestTracker_AttemptsAreBounded(t *testing.T) {
	subscribers := []Conn{testConn(1)}
	tracker := NewTracker(1)
	tracker.Subscribers = func(string) []Conn { return subscribers }
	e := tracker.entry(key{0, "k"})
	for thread := range 2*maxAttempts + 5 {
		tracker.try(e, testOwner(1, thread), time.Time{})
		tracker.try(e, testOwner(1, thread), time.Time{})
	}
	require.Equal(t, 5, len(e.attempts))
	for client := range 3 {
		subscribers = []Conn{testConn(client + 2)}
		tracker.try(e, testOwner(client, 0), time.Time{})
		tracker.try(e, testOwner(client, 0), time.Time{})
		require.Equal(t, 1, len(e.claims))
	}
	e.dropClaims(nil)
	require.Empty(t, e.claims)
	require.Empty(t, e.attempts)
}

// Free locks are forgotten when there are many, but a semaphore, whose permits only the tracker has seen.
func TestTracker_ForgetsFreeLocks(t *testing.T) {
	tracker := NewTracker(1)
	for i := range 2 * maxFree {
		e := tracker.entry(key{0, fmt.Sprint(i)})
		e.attempts = map[string]attempt{testOwner(1, 1): {}}
		e.counted = i%1000 == 0
	}
	tracker.forgetFree()
	require.Equal(t, 2*maxFree/1000, len(tracker.locks))
}
