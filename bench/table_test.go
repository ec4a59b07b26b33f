package bench

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/minilockd/minilockd/bench/internal/load"
)

// result is a round of one second at so many op/s with so many µs of CPU each.
func result(ops int64, micros time.Duration) load.Result {
	cpu := time.Duration(ops) * micros * time.Microsecond
	return load.Result{Ops: ops, Elapsed: time.Second, ServerCPU: cpu, LoadCPU: cpu / 2}
}

func rowsOf(t *testing.T, r *report) [][]string {
	t.Helper()
	var out strings.Builder
	require.NoError(t, r.write(&out, settings{rounds: 3, window: time.Second}))
	var rows [][]string
	for line := range strings.Lines(out.String()) {
		rows = append(rows, strings.Fields(line))
	}
	return rows[5:] // two lines of title between blank ones, the columns' names
}

func TestReport_Write_RatiosAreTakenWithinARound(t *testing.T) {
	var r report
	for _, speed := range []int64{1, 4, 2} { // the machine's, in these rounds
		r.add("locks", reference, result(1000*speed, 10))
		r.add("locks", "rival", result(500*speed, 20))
	}
	require.Equal(t, [][]string{
		{"locks", reference, "2000", "10.00", "5.00", "1.00", "1.00", unknown},
		{"locks", "rival", "1000", "20.00", "10.00", "0.50", "2.00", unknown},
	}, rowsOf(t, &r))
}

func TestReport_Write_MarksASaturatedGenerator(t *testing.T) {
	var r report
	r.add("locks", reference, load.Result{Ops: 1000, Elapsed: time.Second, LoadCPU: 950 * time.Millisecond})
	r.add("locks", "rival", load.Result{Ops: 1000, Elapsed: time.Second, LoadCPU: 850 * time.Millisecond})
	rows := rowsOf(t, &r)
	require.Equal(t, "950.00*", rows[0][4])
	require.Equal(t, "850.00", rows[1][4])
}

func TestReport_Write_WithoutReferenceAndCPU(t *testing.T) {
	var r report
	r.add("locks", "rival", load.Result{Ops: 100, Refused: 90, Elapsed: time.Second})
	require.Equal(t, [][]string{{"locks", "rival", "100", unknown, unknown, unknown, unknown, "90%"}}, rowsOf(t, &r))
}

func TestMedian(t *testing.T) {
	require.Zero(t, median(nil))
	require.InDelta(t, 2, median([]float64{9, 2, 1}), 0)
	require.InDelta(t, 2.5, median([]float64{9, 2, 3, 1}), 0)
}
