package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/minilockd/minilockd/bench/internal/report"
	"github.com/minilockd/minilockd/bench/internal/target"
)

// main is also the main function of the processes that package target starts; see target.RunRole.
func main() {
	target.RunRole()
	err := run(os.Args[1:], os.Stdout, os.Stderr)
	if err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// run prints the table to stdout and what is going on to stderr.
func run(args []string, stdout, stderr io.Writer) error {
	set, err := parse(args, stderr)
	if err != nil {
		return err
	}
	tasks := tasksOf(set)
	if set.list {
		for _, p := range tasks {
			fmt.Fprintln(stdout, p.name)
		}
		return nil
	}
	if set.profile != "" {
		return profileAll(set, stderr)
	}
	warnOfMissing(stderr)
	running, err := target.Start(set.servers, stderr)
	if err != nil {
		return err
	}
	defer running.Close()
	results := compare(set, tasks, running.Servers, stderr)
	head := describe(set)
	if err := results.Markdown(stdout, head); err != nil {
		return err
	}
	return write(set, results, head, tasks)
}

// compare runs the servers in turn, in each round of each workload, and reports its progress to stderr. After an error
// a server no longer takes part in that workload: one that hangs would cost a timeout in each round.
func compare(set settings, tasks []task, servers []target.Server, stderr io.Writer) *report.Report {
	results := &report.Report{Reference: target.Reference}
	start := time.Now()
	for i, p := range tasks {
		fmt.Fprintf(stderr, "%3.0f s  %d/%d  %s\n", time.Since(start).Seconds(), i+1, len(tasks), p.name)
		for range set.rounds {
			for _, s := range servers {
				if row := results.Find(p.name, s.Name); p.on(s) && (row == nil || row.Err == nil) {
					result, err := p.run(s)
					results.Add(p.name, s.Name, result, err)
				}
			}
		}
	}
	return results
}

// write writes the files that the settings name, once all workloads have run: a run that fails leaves the old results.
func write(set settings, results *report.Report, head report.Head, tasks []task) error {
	var hasBar []string
	for _, p := range tasks {
		if p.chart {
			hasBar = append(hasBar, p.name)
		}
	}
	type file struct {
		name string
		fill func(io.Writer) error
	}
	var files []file
	if set.out != "" {
		files = append(files,
			file{filepath.Join(set.out, "RESULTS.md"), func(w io.Writer) error { return results.Markdown(w, head) }},
			file{filepath.Join(set.out, "results.svg"), func(w io.Writer) error { return results.SVG(w, hasBar) }})
	}
	if set.benchstat != "" {
		files = append(files, file{set.benchstat, results.Benchstat})
	}
	for _, f := range files {
		if err := create(f.name, f.fill); err != nil {
			return err
		}
	}
	return nil
}

// create writes a file, and reports an error of its closing as well: a full disk may be noticed only then.
func create(name string, fill func(io.Writer) error) error {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	return errors.Join(fill(f), f.Close())
}
