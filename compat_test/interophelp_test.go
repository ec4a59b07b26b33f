package compat

import (
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// errNoMessage is what comes of a wait that no message has ended.
var errNoMessage = errors.New("no message came")

// comeAndGo waits for what a Java party does, and helps it where Redisson needs help.
//
// An unlock of a Redisson read/write lock wakes as many threads of a process as are asleep at that moment. One that has just
// been refused and is about to fall asleep is not among them: it sleeps until the next message, or until the lease that it saw
// should be over. Threads of one JVM on redis-server, without Go, get stuck so. In life somebody else comes and goes soon, and
// the message of that unlock wakes it; here, once all others are through, that is a writer of Go's.
func (m *meeting) comeAndGo(t *testing.T, p place, done <-chan error) error {
	limit := time.After(longLease - 10*time.Second)
	passing := time.NewTicker(200 * time.Millisecond)
	defer passing.Stop()
	for {
		select {
		case err := <-done:
			return err
		case <-limit:
			return errNoMessage
		case <-passing.C:
			if p.kind == "read" || p.kind == "write" {
				m.passThrough(t, place{"write", p.name})
			}
		}
	}
}

// passThrough goes in and out if nobody is in the way.
func (m *meeting) passThrough(t *testing.T, p place) {
	passer := m.golang()
	in, err := passer.try(p)
	require.NoError(t, err)
	if in {
		t.Log("a thread of Redisson's was told once more")
		require.NoError(t, passer.leave(p))
	}
}
