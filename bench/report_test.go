package bench

import (
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"

	"github.com/minilockd/minilockd/bench/internal/load"
)

// rowFormat is a line of the table: workload, server, throughput, CPU, CPU of the generator, both ratios, refusals.
const rowFormat = "%-26s %-13s %10s %10s %11s %8s %7s %8s\n"

// unknown stands in a cell that could not be measured or has no sense.
const unknown = "-"

// saturated is the share of its core from which on the generator rather than the server may set the throughput.
const saturated = 0.9

// A report gathers results: for each workload and server one a round, in the order of the rounds.
type report struct {
	lines []*line
}

// A line is a row of the table.
type line struct {
	workload, server string
	rounds           []load.Result
}

// add appends the result of a round.
func (r *report) add(workload, server string, result load.Result) {
	l := r.find(workload, server)
	if l == nil {
		l = &line{workload: workload, server: server}
		r.lines = append(r.lines, l)
	}
	l.rounds = append(l.rounds, result)
}

func (r *report) find(workload, server string) *line {
	for _, l := range r.lines {
		if l.workload == workload && l.server == server {
			return l
		}
	}
	return nil
}

// write prints the table, a blank line between workloads.
func (r *report) write(out io.Writer, set settings) error {
	var text strings.Builder
	fmt.Fprintf(&text, "\n%s on %d cores; medians of %d rounds of %v; workloads end in connections x commands per write;\n"+
		"*: the generator was computing over %.0f%% of the time, so the CPU columns tell more than op/s\n\n",
		runtime.Version(), runtime.NumCPU(), set.rounds, set.window, 100*saturated)
	fmt.Fprintf(&text, rowFormat, "workload", "server", "op/s", "CPU µs/op", "load µs/op", "x op/s", "x CPU", "refused")
	for i, l := range r.lines {
		if i > 0 && l.workload != r.lines[i-1].workload {
			text.WriteByte('\n')
		}
		fmt.Fprintf(&text, rowFormat, l.cells(r.find(l.workload, reference))...)
	}
	_, err := io.WriteString(out, text.String())
	return err
}

// cells is the row as text; base is the row of the reference, nil if there is none.
func (l *line) cells(base *line) []any {
	return []any{
		l.workload, l.server,
		known("%.0f", l.median(load.Result.OpsPerSecond)),
		known("%.2f", l.median(load.Result.ServerMicros)),
		known("%.2f", l.median(load.Result.LoadMicros)) + l.mark(),
		known("%.2f", l.ratio(base, load.Result.OpsPerSecond)),
		known("%.2f", l.ratio(base, load.Result.ServerMicros)),
		known("%.0f%%", 100*l.median(load.Result.RefusedShare)),
	}
}

// mark is a star where the generator was saturated.
func (l *line) mark() string {
	if l.median(load.Result.LoadShare) > saturated {
		return "*"
	}
	return ""
}

// known formats a figure; 0 is one that the system doesn't tell or that doesn't apply.
func known(format string, figure float64) string {
	if figure == 0 {
		return unknown
	}
	return fmt.Sprintf(format, figure)
}

// median is that of a figure over the rounds.
func (l *line) median(figure func(load.Result) float64) float64 {
	var all []float64
	for _, round := range l.rounds {
		all = append(all, figure(round))
	}
	return median(all)
}

// ratio compares round by round with base, so that what slowed a round down slowed both, and takes the median then.
func (l *line) ratio(base *line, figure func(load.Result) float64) float64 {
	var all []float64
	if base == nil {
		return 0
	}
	for i, round := range l.rounds {
		if below := figure(base.rounds[i]); below > 0 {
			all = append(all, figure(round)/below)
		}
	}
	return median(all)
}

// median is the middle of the figures, the mean of the two middle ones, or 0 of none.
func median(figures []float64) float64 {
	n := len(figures)
	if n == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(figures))
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}
