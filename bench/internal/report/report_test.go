package report

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/minilockd/minilockd/bench/internal/load"
	"github.com/minilockd/minilockd/internal/require"
)

const reference = "redis-server"

// result is a round of one second at so many op/s with so many µs of CPU each.
func result(ops int64, micros time.Duration) load.Result {
	cpu := time.Duration(ops) * micros * time.Microsecond
	return load.Result{Ops: ops, Elapsed: time.Second, ServerCPU: cpu, LoadCPU: cpu / 2}
}

func rowsOf(t *testing.T, r *Report) (rows []string) {
	t.Helper()
	var out strings.Builder
	require.NoError(t, r.Markdown(&out, Head{Machine: "2 cores", Versions: []string{"Go"}, Rounds: 3,
		Window: time.Second}))
	for line := range strings.Lines(out.String()) {
		if strings.HasPrefix(line, "| ") {
			rows = append(rows, strings.TrimSpace(line))
		}
	}
	return rows[2:] // the columns' names and the line below
}

func compared() *Report {
	r := &Report{Reference: reference}
	for _, speed := range []int64{1, 4, 2} { // of the machine, in these rounds
		r.Add("locks", reference, result(1000*speed, 10), nil)
		r.Add("locks", "rival", result(500*speed, 20), nil)
	}
	return r
}

func TestReport_Markdown_RatiosAreTakenWithinARound(t *testing.T) {
	require.Equal(t, []string{
		"| locks | redis-server | 2000 | 1.00 | 10.00 | 1.00 | 5.00 | - | - | - | - | - |",
		"|  | rival | 1000 | 0.50 | 20.00 | 2.00 | 10.00 | - | - | - | - | - |",
	}, rowsOf(t, compared()))
}

func TestReport_Markdown_MarksASaturatedGenerator(t *testing.T) {
	r := &Report{Reference: reference}
	r.Add("a", "rival", load.Result{Ops: 1000, Elapsed: time.Second, LoadCPU: 950 * time.Millisecond}, nil)
	r.Add("b", "rival", load.Result{Ops: 1000, Elapsed: time.Second, LoadCPU: 850 * time.Millisecond}, nil)
	rows := rowsOf(t, r)
	require.Contains(t, rows[0], "| 950.00* |")
	require.Contains(t, rows[1], "| 850.00 |")
}

func TestReport_Markdown_WithoutReferenceAndCPU(t *testing.T) {
	r := &Report{Reference: reference}
	latency := load.Latency{P50: time.Millisecond, P99: 2 * time.Millisecond, P999: 3 * time.Millisecond}
	r.Add("locks", "rival", load.Result{Ops: 100, Rejected: 90, Elapsed: time.Second, Latency: latency}, nil)
	require.Equal(t, []string{"| locks | rival | 100 | - | - | - | - | 1000 | 2000 | 3000 | - | 90% |"}, rowsOf(t, r))
}

func TestReport_WhatFailedTellsNothingElse(t *testing.T) {
	r := compared()
	r.Add("locks", "rival", load.Result{}, errors.New("no\nsuch | thing"))
	require.Equal(t, "|  | rival | failed: no such / thing | - | - | - | - | - | - | - | - | - |", rowsOf(t, r)[1])
	var lines strings.Builder
	require.NoError(t, r.Benchstat(&lines))
	require.NotContains(t, lines.String(), "rival")
}

func TestReport_Benchstat_HasALineForEachRound(t *testing.T) {
	var lines strings.Builder
	require.NoError(t, compared().Benchstat(&lines))
	require.Equal(t, 6, strings.Count(lines.String(), "\n"))
	require.Contains(t, lines.String(), "Benchmarklocks/rival 1 500.0 op/s 20000.0 cpu-ns/op\n")
}

func TestMedian(t *testing.T) {
	require.Zero(t, median(nil))
	require.InDelta(t, 2, median([]float64{9, 2, 1}), 0)
	require.InDelta(t, 2.5, median([]float64{9, 2, 3, 1}), 0)
}
