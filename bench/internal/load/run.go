package load

import (
	"fmt"
	"time"
)

// scene is what goes on between clients and the server.
type scene interface {
	play(window time.Duration) error // goes on for the window and ends what is under way then
	count() Result                   // the operations since the beginning
	times() []*stopwatch             // what was timed since the beginning
	close()
}

// Run prepares the server, loads it, and measures the window. It returns the first error of any connection.
func Run(spec Spec) (Result, error) {
	at, err := reach(spec.Place)
	if err != nil {
		return Result{}, err
	}
	defer at.close()
	if err := do(at, spec.Setup); err != nil {
		return Result{}, fmt.Errorf("setup: %w", err)
	}
	s, err := stage(at, &spec)
	if err != nil {
		return Result{}, err
	}
	defer s.close()
	if err := s.play(spec.Warmup); err != nil {
		return Result{}, err
	}
	for _, t := range s.times() {
		*t = nil
	}
	return profiled(spec.Profile, func() (Result, error) { return measure(s, &spec) })
}

// stage opens the connections of a scene.
func stage(at site, spec *Spec) (scene, error) {
	switch spec.Scene {
	case HandOver:
		return newHandOver(at, spec)
	case FanOut:
		return newFanOut(at, spec)
	}
	return newCycles(at, spec)
}

// measure plays the scene for the window and takes the difference of all counters.
func measure(s scene, spec *Spec) (Result, error) {
	before, err := read(s, spec.Place.PID)
	if err != nil {
		return Result{}, err
	}
	start := time.Now()
	if err := s.play(spec.Window); err != nil {
		return Result{}, err
	}
	elapsed := time.Since(start)
	after, err := read(s, spec.Place.PID)
	result := Result{
		Ops:       after.Ops - before.Ops,
		Refused:   after.Refused - before.Refused,
		Elapsed:   elapsed,
		ServerCPU: after.ServerCPU - before.ServerCPU,
		LoadCPU:   after.LoadCPU - before.LoadCPU,
	}
	if spec.Place.Inside() {
		result.LoadCPU = 0 // it is in ServerCPU
	}
	var all []stopwatch
	for _, t := range s.times() {
		all = append(all, *t)
	}
	result.Latency = latency(all...)
	return result, err
}

// read takes the counters as they are now, since the start of both processes.
func read(s scene, pid int) (now Result, err error) {
	now = s.count()
	if now.ServerCPU, err = ProcessCPU(pid); err != nil {
		return now, err
	}
	now.LoadCPU, err = ProcessCPU(0)
	return now, err
}
