package server

import (
	"fmt"
	"testing"

	"github.com/minilockd/minilockd/internal/require"
	"github.com/minilockd/minilockd/journal"
)

// A test waits for what a client does, which blocks it, and then asserts on all that it did.
func TestCommands(t *testing.T) {
	s := StartT(t, Options{Journal: 10})
	done := make(chan error, 1)
	go func() { done <- s.Do(t.Context(), "BLPOP", "q", 0).Err() }()
	e, err := s.Commands().WaitFor(t.Context(), journal.Match("BLPOP q *"))
	require.NoError(t, err)
	require.Equal(t, []string{"BLPOP", "q", "0"}, e.Args)
	require.NoError(t, s.Do(t.Context(), "RPUSH", "q", "x").Err())
	require.NoError(t, <-done)
	require.Equal(t, 1, s.Commands().Count("rpush"))
	_, err = Start(t.Context(), Options{Journal: -1})
	require.ErrorContains(t, err, "Journal must be between 0 and 1000000")
}

// failing is a TB whose test has failed or not, with what it has logged.
type failing struct {
	*testing.T
	failed bool
	log    string
}

func (f *failing) Failed() bool                    { return f.failed }
func (f *failing) Logf(format string, args ...any) { f.log += fmt.Sprintf(format, args...) }

func TestStartT_PrintsTheJournalOfAFailedTest(t *testing.T) {
	for _, failed := range []bool{false, true} {
		f := &failing{T: t, failed: failed}
		s, err := Start(t.Context(), Options{InMemory: true, Journal: 100})
		require.NoError(t, err)
		for i := range lastPrinted + 10 {
			require.NoError(t, s.Do(t.Context(), "SET", "k", i).Err())
		}
		closeT(f, s)
		if !failed {
			require.Empty(t, f.log)
			continue
		}
		require.Contains(t, f.log, "the last 50 commands of minilockd at 127.0.0.1:0:\n")
		require.Contains(t, f.log, "SET k 10\n")
		require.NotContains(t, f.log, "SET k 9\n")
	}
}
