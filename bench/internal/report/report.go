// Package report formats results as a table, a chart and lines for benchstat.
package report

import (
	"slices"
	"time"

	"github.com/minilockd/minilockd/bench/internal/load"
)

// Report collects results: for each workload and server one for each round, in order. Round i of all servers of a
// workload ran one after the other, so their ratios have less noise than the figures have.
type Report struct {
	Reference string // the server that ratios are to
	Rows      []*Row
}

// Row is the results of one workload on one server. Rounds has an element for each call of Add, so index i is the same
// round in all rows of a workload.
type Row struct {
	Workload, Server string
	Rounds           []load.Result
	Err              error // why there is nothing to tell
}

// Add appends the result of a round. With an error the row tells nothing else, whatever other rounds were like.
func (r *Report) Add(workload, server string, result load.Result, err error) {
	row := r.Find(workload, server)
	if row == nil {
		row = &Row{Workload: workload, Server: server}
		r.Rows = append(r.Rows, row)
	}
	row.Rounds = append(row.Rounds, result)
	if err != nil {
		row.Err = err
	}
}

// Find returns the row of a workload and a server, nil if that server has not run it.
func (r *Report) Find(workload, server string) *Row {
	i := slices.IndexFunc(r.Rows, func(row *Row) bool { return row.Workload == workload && row.Server == server })
	if i < 0 {
		return nil
	}
	return r.Rows[i]
}

// Median is that of a figure over the rounds. A mean would be changed by a single round in which the machine did
// something else.
func (r *Row) Median(figure func(load.Result) float64) float64 {
	var all []float64
	for _, round := range r.Rounds {
		all = append(all, figure(round))
	}
	return median(all)
}

// Ratio compares a figure round by round with base, so that what slowed a round down slowed both, and takes the median
// then. It is 0 if there is nothing to compare.
func (r *Row) Ratio(base *Row, figure func(load.Result) float64) float64 {
	if base == nil || base.Err != nil || r.Err != nil {
		return 0
	}
	var all []float64
	for i, round := range r.Rounds {
		if below := figure(base.Rounds[i]); below > 0 {
			all = append(all, figure(round)/below)
		}
	}
	return median(all)
}

// median does not modify figures. It is the middle of the figures, the mean of the two middle ones, or 0 of none.
func median(figures []float64) float64 {
	n := len(figures)
	if n == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(figures))
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}

// Head is the text above the table: what a reader must know before comparing figures with those of another file.
type Head struct {
	Machine  string
	Versions []string
	Date     time.Time
	Rounds   int
	Window   time.Duration
}
