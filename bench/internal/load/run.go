package load

import (
	"fmt"
	"time"
)

// scenario is what clients do with the server.
type scenario interface {
	run(window time.Duration) error // runs for the window, then completes the current operations
	count() Result                  // operations since the start
	times() []*latencies            // latencies since the start
	close()
}

// Run prepares the server, loads it for the warmup and then for the window, which the result is about. It returns the
// first error of any connection: one wrong reply makes a result worthless.
func Run(spec Spec) (Result, error) {
	at, err := reach(spec.Place)
	if err != nil {
		return Result{}, err
	}
	defer at.close()
	if err := do(at, spec.Setup); err != nil {
		return Result{}, fmt.Errorf("setup: %w", err)
	}
	s, err := newScenario(at, &spec)
	if err != nil {
		return Result{}, err
	}
	defer s.close()
	if err := s.run(spec.Warmup); err != nil {
		return Result{}, err
	}
	for _, t := range s.times() { // those of the warmup
		*t = nil
	}
	return profiled(spec.Profile, func() (Result, error) { return measure(s, &spec) })
}

// newScenario opens the connections of a scenario. They stay open for the warmup and the window.
func newScenario(at site, spec *Spec) (scenario, error) {
	switch spec.Scenario {
	case HandOver:
		return newHandOver(at, spec)
	case Fanout:
		return newFanout(at, spec)
	}
	return newCycles(at, spec)
}

// measure runs the scenario for the window and returns the difference of all counters. Operations that the end of the
// window finds incomplete are completed, and count together with the time that this needs.
func measure(s scenario, spec *Spec) (Result, error) {
	before, err := read(s, spec.Place.PID)
	if err != nil {
		return Result{}, err
	}
	start := time.Now()
	if err := s.run(spec.Window); err != nil {
		return Result{}, err
	}
	elapsed := time.Since(start)
	after, err := read(s, spec.Place.PID)
	result := Result{
		Ops:       after.Ops - before.Ops,
		Rejected:  after.Rejected - before.Rejected,
		Elapsed:   elapsed,
		ServerCPU: after.ServerCPU - before.ServerCPU,
		LoadCPU:   after.LoadCPU - before.LoadCPU,
	}
	if spec.Place.Inside() {
		result.LoadCPU = 0 // it is in ServerCPU
	}
	var all []latencies
	for _, t := range s.times() {
		all = append(all, *t)
	}
	result.Latency = latency(all...)
	return result, err
}

// read returns the counters since the start of both processes. For a server inside there is one process, whose CPU time
// is that of the server and of the generator.
func read(s scenario, pid int) (now Result, err error) {
	now = s.count()
	if now.ServerCPU, err = ProcessCPU(pid); err != nil {
		return now, err
	}
	now.LoadCPU, err = ProcessCPU(0)
	return now, err
}
