package main

import (
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/minilockd/minilockd/bench/internal/load"
	"github.com/minilockd/minilockd/bench/internal/target"
	"github.com/minilockd/minilockd/bench/internal/workload"
)

// task is a workload with a function that runs it on one server. Some are run by another program than the generator of
// this module: redis-benchmark, or Java with Redisson.
type task struct {
	name  string
	short bool
	chart bool
	on    func(s target.Server) bool
	run   func(s target.Server) (load.Result, error)
}

// tasksOf returns the tasks of the settings.
func tasksOf(set settings) (chosen []task) {
	var all []task
	for _, w := range workload.All() {
		all = append(all, generated(set, w, 0))
	}
	all = append(all, scaling(set)...)
	all = append(all, redissonTasks(set)...)
	all = append(all, redisBenchmark(set)...)
	for _, p := range all {
		if (p.short || !set.short) && set.workloads.MatchString(p.name) {
			chosen = append(chosen, p)
		}
	}
	return chosen
}

// warnOfMissing logs what is left out because a program is not installed.
func warnOfMissing(stderr io.Writer) {
	for program, what := range map[string]string{"redis-benchmark": "its own list", "java": "Redisson",
		"mvn": "Redisson"} {
		if _, err := exec.LookPath(program); err != nil {
			fmt.Fprintf(stderr, "%s is not installed: %s is left out\n", program, what)
		}
	}
}

// generated returns a task of the load generator, which uses procs cores if the server runs in its process.
func generated(set settings, w workload.Workload, procs int) task {
	return task{
		name: w.Name, short: w.Short, chart: w.Chart,
		on: func(s target.Server) bool { return w.RunsOn(s.Place) },
		run: func(s target.Server) (load.Result, error) {
			return target.Generate(specOf(set, w, s.Place), procs)
		},
	}
}

// specOf completes the spec of a workload, which is the same for all servers, with what differs from run to run.
func specOf(set settings, w workload.Workload, at load.Place) load.Spec {
	spec := w.Spec
	spec.Place, spec.Warmup, spec.Window = at, warmup, set.window
	return spec
}

// scaling is scripts on different locks from within the process, by as many goroutines as there may be cores in use.
func scaling(set settings) (all []task) {
	for _, procs := range []int{1, 2} {
		w := workload.OwnLocks(procs)
		w.Name = fmt.Sprintf("scaling: own locks, GOMAXPROCS=%d", procs)
		p := generated(set, w, procs)
		p.on = func(s target.Server) bool { return s.Place.Inside() }
		all = append(all, p)
	}
	return all
}

// profileName is what the names of the profiles of a workload begin with, without characters that need quotes in a
// shell.
func profileName(dir, workload, server string) string {
	plain := strings.NewReplacer(" ", "_", "/", "-", ",", "", "+", "-")
	return filepath.Join(dir, plain.Replace(workload+"."+server))
}
