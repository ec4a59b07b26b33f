package report

import (
	"fmt"
	"io"
	"strings"
)

// Benchstat writes every round as a line of the format of go test -bench, for benchstat to compare with the file of
// another commit: it needs the single rounds to tell a difference from noise. Rows with an error are left out. Names
// get underscores, since a blank would end them and a slash would begin a sub-benchmark; that of the server is one.
func (r *Report) Benchstat(out io.Writer) error {
	var text strings.Builder
	names := strings.NewReplacer(" ", "_", "/", "_")
	for _, row := range r.Rows {
		if row.Err != nil {
			continue
		}
		for _, round := range row.Rounds {
			fmt.Fprintf(&text, "Benchmark%s/%s 1 %.1f op/s %.1f cpu-ns/op", names.Replace(row.Workload),
				names.Replace(row.Server),
				round.OpsPerSecond(), 1e3*round.ServerMicros())
			if round.Latency.P99 > 0 { // a step is timed
				fmt.Fprintf(&text, " %d p99-ns", round.Latency.P99.Nanoseconds())
			}
			text.WriteByte('\n')
		}
	}
	_, err := io.WriteString(out, text.String())
	return err
}
