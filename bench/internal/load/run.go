package load

import (
	"fmt"
	"time"
)

// Run prepares the server, loads it, and measures the window. It returns the first error of any connection.
func Run(spec Spec) (Result, error) {
	if err := Do(spec.Addr, spec.Setup...); err != nil {
		return Result{}, fmt.Errorf("setup: %w", err)
	}
	conns, err := connect(&spec)
	defer closeAll(conns)
	if err != nil {
		return Result{}, err
	}
	if err := drive(conns, spec.Warmup); err != nil {
		return Result{}, err
	}
	return measure(conns, &spec)
}

// connect opens the connections of the spec; on an error it returns those that are open.
func connect(spec *Spec) ([]*conn, error) {
	var conns []*conn
	for i := range spec.Conns {
		t, err := dial(spec.Addr)
		if err != nil {
			return conns, err
		}
		conns = append(conns, newConn(t, spec, i*spec.Batch))
	}
	return conns, nil
}

func closeAll(conns []*conn) {
	for _, c := range conns {
		c.Close()
	}
}

// measure drives the connections for the window and takes the difference of all counters.
func measure(conns []*conn, spec *Spec) (Result, error) {
	before, err := read(conns, spec.PID)
	if err != nil {
		return Result{}, err
	}
	start := time.Now()
	if err := drive(conns, spec.Window); err != nil {
		return Result{}, err
	}
	elapsed := time.Since(start)
	after, err := read(conns, spec.PID)
	return Result{
		Ops:       after.Ops - before.Ops,
		Refused:   after.Refused - before.Refused,
		Elapsed:   elapsed,
		ServerCPU: after.ServerCPU - before.ServerCPU,
		LoadCPU:   after.LoadCPU - before.LoadCPU,
	}, err
}

// read takes the counters as they are now, since the start of both processes.
func read(conns []*conn, pid int) (now Result, err error) {
	for _, c := range conns {
		now.Ops += c.ops
		now.Refused += c.refused
	}
	if now.ServerCPU, err = processCPU(pid); err != nil {
		return now, err
	}
	now.LoadCPU, err = ownCPU()
	return now, err
}
