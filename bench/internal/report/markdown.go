package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/minilockd/minilockd/bench/internal/load"
)

// saturated is the share of its core from which on the generator rather than the server may set the throughput. It is
// below 1 since a thread that is never idle still waits for its core now and then.
const saturated = 0.9

// The table has the cells of all rows in the same order, which notes explains. A figure that the system does not
// report (CPU times outside Linux, latencies of steps that are not timed) is unknown rather than 0.

// unknown is the text of a cell without a value, or to which none applies.
const unknown = "-"

// columns are the titles, in the order of Row.cells; x is a ratio to the reference.
var columns = []string{"workload", "server", "op/s", "x", "CPU µs/op", "x CPU", "load µs/op", "p50 µs", "p99 µs",
	"p99.9 µs", "x p99", "refused"}

// notes explains the columns.
const notes = `- A workload's name ends in connections x commands per write. An operation is a command, of PUBLISH a
  message for all subscribers, of the hand-over one change of the holder.
- Medians over the rounds. The servers run in turn within each round; ratios (x) are to %s in the same round, and
  their median is given.
- CPU is user and system time of the server's process, load that of the generator's. *: the generator computed for more
  than %.0f %% of the time, so that CPU is more significant than op/s. Where the server runs in the generator's process
  (memory: over a pipe, direct: a call without connection), CPU is that of both, on all cores.
- Latencies: of the storm those of the holder's release; of PUBLISH until the last subscriber has the message; of the
  hand-over from the release to the end of the waiter's acquire.
- Redisson's operations are calls of lock and unlock, load is that of Java. redis-benchmark's LRANGE fills its list
  first, so its CPU is unknown.
- refused: the share of operations that found the lock taken.
`

// Markdown writes the head, the notes and the table, in the order in which the workloads have run.
func (r *Report) Markdown(out io.Writer, head Head) error {
	var text strings.Builder
	fmt.Fprintf(&text, "# Results\n\n%s; %s. %s. %d rounds of %v.\n\n", head.Machine, strings.Join(head.Versions, ", "),
		head.Date.Format("2006-01-02"), head.Rounds, head.Window)
	fmt.Fprintf(&text, notes, r.Reference, 100*saturated)
	text.WriteByte('\n')
	writeCells(&text, columns)
	writeCells(&text, append([]string{"---", "---"}, repeated("---:", len(columns)-2)...))
	above := ""
	for _, row := range r.Rows {
		writeCells(&text, row.cells(above, r.Find(row.Workload, r.Reference)))
		above = row.Workload
	}
	_, err := io.WriteString(out, text.String())
	return err
}

func repeated(cell string, n int) []string { return strings.Fields(strings.Repeat(cell+" ", n)) }

// writeCells writes a row of the table. Cells must not contain |.
func writeCells(text *strings.Builder, cells []string) {
	fmt.Fprintf(text, "| %s |\n", strings.Join(cells, " | "))
}

// An error takes the place of all figures: it is in the table, so that a reader sees which server could not do what.

// cells is the row as text; a workload's name is not repeated. base is the row of the reference, nil if there is none.
func (r *Row) cells(above string, base *Row) []string {
	name := r.Workload
	if name == above {
		name = ""
	}
	if r.Err != nil {
		failure := strings.NewReplacer("|", "/", "\n", " ").Replace(r.Err.Error())
		return append([]string{name, r.Server, "failed: " + failure}, repeated(unknown, len(columns)-3)...)
	}
	return []string{
		name, r.Server,
		known("%.0f", r.Median(load.Result.OpsPerSecond)),
		known("%.2f", r.Ratio(base, load.Result.OpsPerSecond)),
		known("%.2f", r.Median(load.Result.ServerMicros)),
		known("%.2f", r.Ratio(base, load.Result.ServerMicros)),
		known("%.2f", r.Median(load.Result.LoadMicros)) + r.mark(),
		known("%.0f", r.Median(load.Result.P50)),
		known("%.0f", r.Median(load.Result.P99)),
		known("%.0f", r.Median(load.Result.P999)),
		known("%.2f", r.Ratio(base, load.Result.P99)),
		known("%.0f%%", 100*r.Median(load.Result.RejectedShare)),
	}
}

// mark is a star where the generator was saturated: then op/s is what the generator could do, and only the CPU time per
// operation compares the servers.
func (r *Row) mark() string {
	if r.Median(load.Result.LoadShare) > saturated {
		return "*"
	}
	return ""
}

// known formats a figure; 0 is one that the system does not report or that does not apply.
func known(format string, figure float64) string {
	if figure == 0 {
		return unknown
	}
	return fmt.Sprintf(format, figure)
}
