package compat

import (
	"fmt"
	"testing"
	"time"

	"github.com/minilockd/minilockd/internal/require"
	"github.com/minilockd/minilockd/internal/testenv"
)

// raceThreads is the number of threads in a race, half of them in each language.
const raceThreads = 8

// rounds is how often each thread acquires the lock.
func rounds() int {
	if !testenv.Long() {
		return 50
	}
	return 250
}

func (m *interopTest) testRaces(t *testing.T) {
	m.each(t, []string{"plain", "fair", "write", "spin", "fenced", "multi", "semaphore", "permits"}, m.testExclusion)
	t.Run("readers and writers", m.testReadWriteRace)
}

// No increment of the counter is lost. A fair lock alternates between the languages; of the other locks it is only
// required that threads of both languages get them.
func (m *interopTest) testExclusion(t *testing.T, p lockRef) {
	switches := m.race(t, p.name, func(int) (string, lockRef) { return "count", p })
	sum := 0
	for _, n := range switches {
		sum += n
	}
	require.Equal(t, raceThreads*rounds(), m.counter(t, p.name))
	atLeast := 2
	if p.kind == "fair" {
		atLeast = rounds()
	}
	require.GreaterOrEqual(t, sum, atLeast, "switches between the languages")
}

// Half of the threads of each language write the counter, the other half read it.
func (m *interopTest) testReadWriteRace(t *testing.T) {
	w := m.newLock(t, "write")
	m.race(t, w.name, func(i int) (string, lockRef) {
		if i%4 < 2 {
			return "read", lockRef{"read", w.name}
		}
		return "count", w
	})
	require.Equal(t, raceThreads/2*rounds(), m.counter(t, w.name))
}

// race runs all threads at once and returns their results. entry says which lock a thread acquires, and what it does
// then.
func (m *interopTest) race(t *testing.T, name string, entry func(i int) (verb string, p lockRef)) []int {
	for _, key := range []string{"counter:", "readers:", "token:", "inside:", "arrived:"} {
		require.NoError(t, m.rdb.Set(t.Context(), key+name, 0, 0).Err())
	}
	startTime := time.Now()
	results := make([]int, raceThreads)
	var running []<-chan error
	for i, thread := range m.mixed(raceThreads) {
		running = append(running, start(func() (err error) {
			verb, p := entry(i)
			if results[i], err = thread.race(verb, p, rounds(), permitLimit); err != nil {
				err = fmt.Errorf("racer %d: %w", i, err)
			}
			return err
		}))
	}
	for i := 0; i < raceThreads; i += 2 { // the Java threads may need Go to wake them
		require.NoError(t, <-running[i])
	}
	for i := 1; i < raceThreads; i += 2 {
		_, p := entry(i)
		require.NoError(t, m.awaitWithWakeups(t, p, running[i]))
	}
	t.Logf("%d sections in %.1f s, results %v", raceThreads*rounds(), time.Since(startTime).Seconds(), results)
	require.Less(t, time.Since(startTime), longLease, "a thread may have waited for the end of a lease")
	return results
}

func (m *interopTest) counter(t *testing.T, name string) int {
	n, err := m.rdb.Get(t.Context(), "counter:"+name).Int()
	require.NoError(t, err)
	return n
}
