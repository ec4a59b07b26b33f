package workload

import (
	"testing"
	"time"

	"github.com/minilockd/minilockd/bench/internal/load"
	"github.com/minilockd/minilockd/internal/require"
)

// Every workload gets the expected replies in every cycle.
func TestAll_RunInside(t *testing.T) {
	names := make(map[string]bool)
	for _, w := range All() {
		t.Run(w.Name, func(t *testing.T) {
			require.False(t, names[w.Name], "its name is taken")
			names[w.Name] = true
			ran := 0
			for _, network := range []string{load.Memory, load.Direct} {
				spec := w.Spec
				spec.Place, spec.Conns, spec.Batch = load.Place{Network: network}, min(spec.Conns, 3), min(spec.Batch, 2)
				spec.Window = 5 * time.Millisecond
				if !(Workload{Spec: spec}).RunsOn(spec.Place) {
					continue
				}
				result, err := load.Run(spec)
				require.NoError(t, err)
				require.Positive(t, result.Ops)
				ran++
			}
			require.True(t, ran > 0 || w.Spec.Scenario == load.Fanout || w.Spec.GoClient)
		})
	}
}

func TestFairSteps_EndAsTheyStart(t *testing.T) {
	steps := fairSteps()
	require.Len(t, steps, 3*(queue+1))
	require.Equal(t, fairAcquire(0, held), steps[len(steps)-2], "the first thread has the lock again")
}

func TestLines_WantAndKeys(t *testing.T) {
	require.Equal(t, []load.Step{
		{Args: []string{"SET", "bench:x:######", "v"}, Want: "+OK"},
		{Args: []string{"DEL", "{bench:x:######}:b"}},
	}, lines("x", "\n >+OK SET K v\n DEL {K}:b\n"))
}
