package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/minilockd/minilockd/bench/internal/load"
	"github.com/minilockd/minilockd/bench/internal/report"
)

// column is a figure of a table: its title, and how it is computed and formatted.
type column struct {
	head   string
	format string
	figure func(load.Result) float64
}

// table is the results of one scenario: a row for each server and client. The report's workloads are the servers here,
// and its servers the clients.
type table struct {
	title   string
	rounds  int
	columns []column
	ratio   func(load.Result) float64 // to the reference; nil if there is none
	results *report.Report
}

// markdown writes the table with its title.
func (t table) markdown(out io.Writer) error {
	var text strings.Builder
	fmt.Fprintf(&text, "\n### %s\n\n| server | client |", t.title)
	for _, c := range t.columns {
		fmt.Fprintf(&text, " %s |", c.head)
	}
	if t.ratio != nil {
		fmt.Fprintf(&text, " x %s |", t.results.Reference)
	}
	text.WriteString("\n| --- | --- |" + strings.Repeat(" ---: |", len(t.columns)))
	if t.ratio != nil {
		text.WriteString(" ---: |")
	}
	text.WriteByte('\n')
	for _, row := range t.results.Rows {
		t.row(&text, row)
	}
	_, err := io.WriteString(out, text.String())
	return err
}

// row writes the medians of a client on a server over the rounds, and its ratio to the reference on the same server.
func (t table) row(text *strings.Builder, row *report.Row) {
	fmt.Fprintf(text, "| %s | %s |", row.Workload, row.Server)
	for _, c := range t.columns {
		fmt.Fprintf(text, " "+c.format+" |", row.Median(c.figure))
	}
	if t.ratio != nil {
		fmt.Fprintf(text, " %.2f |", row.Ratio(t.results.Find(row.Workload, t.results.Reference), t.ratio))
	}
	text.WriteByte('\n')
}

// micros is the mean time of an operation in µs.
func micros(r load.Result) float64 { return 1e6 / r.OpsPerSecond() }

// perOp is the number of commands for each operation: manyWaiters counts them as Rejected.
func perOp(r load.Result) float64 { return r.RejectedShare() }

// turnsOf is how many operations there were.
func turnsOf(r load.Result) float64 { return float64(r.Ops) }
