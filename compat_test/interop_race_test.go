package compat

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/minilockd/minilockd/internal/testenv"
)

// raceThreads is how many threads are in a race, half of them in each language.
const raceThreads = 8

// rounds is how often each thread goes in and out.
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

// Everybody counts, and nothing is lost. A fair lock goes to and fro between the languages; of the others it only is known
// that both had their turns.
func (m *interopTest) testExclusion(t *testing.T, p lockRef) {
	switches := m.race(t, p.name, func(int) (string, lockRef) { return "count", p })
	sum := 0
	for _, n := range switches {
		sum += n
	}
	require.Equal(t, raceThreads*rounds(), m.counter(t, p.name))
	least := 2
	if p.kind == "fair" {
		least = rounds()
	}
	require.GreaterOrEqual(t, sum, least, "the languages did not take turns")
}

// Half of each language counts, half looks on.
func (m *interopTest) testReadWriteRace(t *testing.T) {
	w := m.lockRef(t, "write")
	m.race(t, w.name, func(i int) (string, lockRef) {
		if i%4 < 2 {
			return "read", lockRef{"read", w.name}
		}
		return "count", w
	})
	require.Equal(t, raceThreads/2*rounds(), m.counter(t, w.name))
}

// race lets all raceThreads run at once, where and how the entry says, and returns what each of them found.
func (m *interopTest) race(t *testing.T, name string, entry func(i int) (verb string, p lockRef)) []int {
	for _, key := range []string{"counter:", "readers:", "token:", "inside:", "present:"} {
		require.NoError(t, m.rdb.Set(t.Context(), key+name, 0, 0).Err())
	}
	began := time.Now()
	results := make([]int, raceThreads)
	var running []<-chan error
	for i, thread := range m.mixed(raceThreads) {
		running = append(running, inBackground(func() (err error) {
			verb, p := entry(i)
			if results[i], err = thread.race(verb, p, rounds(), permitLimit); err != nil {
				err = fmt.Errorf("racer %d: %w", i, err)
			}
			return err
		}))
	}
	for i := 0; i < raceThreads; i += 2 { // Go first: it needs nobody to help it
		require.NoError(t, <-running[i])
	}
	for i := 1; i < raceThreads; i += 2 {
		_, p := entry(i)
		require.NoError(t, m.awaitWithWakeups(t, p, running[i]))
	}
	t.Logf("%d sections in %.1f s, results %v", raceThreads*rounds(), time.Since(began).Seconds(), results)
	require.Less(t, time.Since(began), longLease, "somebody may have waited for a lease to end")
	return results
}

func (m *interopTest) counter(t *testing.T, name string) int {
	n, err := m.rdb.Get(t.Context(), "counter:"+name).Int()
	require.NoError(t, err)
	return n
}
