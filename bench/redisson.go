package main

import (
	"fmt"
	"sync"
	"time"

	"github.com/minilockd/minilockd/bench/internal/load"
	"github.com/minilockd/minilockd/bench/internal/redisson"
	"github.com/minilockd/minilockd/bench/internal/target"
)

// redissonWarmup is enough for Java to compile what it runs often; before, it interprets, and a result would be about
// that.
const redissonWarmup = 2 * time.Second

// lockLoad is a Redisson client with 8 threads, if Java and Maven are installed. Its process runs until the end, so
// that Java compiles only once.
type lockLoad struct {
	start    func() (*redisson.Program, error) // once
	prepared map[string]bool                   // places
}

// redissonTasks is empty without Java and Maven. LockLoad.java takes an address host:port, so it runs over TCP only.
func redissonTasks(set settings) (all []task) {
	if !redisson.Installed() {
		return nil
	}
	r := &lockLoad{prepared: make(map[string]bool)}
	r.start = sync.OnceValues(func() (*redisson.Program, error) { return redisson.Start("LockLoad.java") })
	for _, kind := range []struct {
		name   string
		shared int
	}{{"own locks", 0}, {"4 shared locks", 4}} {
		all = append(all, task{
			name: fmt.Sprintf("Redisson, 8 threads, %s", kind.name),
			on:   func(s target.Server) bool { return s.Place.Network == load.TCP },
			run:  func(s target.Server) (load.Result, error) { return r.measure(s.Place, kind.shared, set.window) },
		})
	}
	return all
}

// measure first runs for redissonWarmup on a server that is new to the client, then for the window. The CPU time of
// Java comes from Java; that of the server is read here.
func (r *lockLoad) measure(at load.Place, shared int, window time.Duration) (load.Result, error) {
	if !r.prepared[at.Addr] {
		r.prepared[at.Addr] = true
		if _, err := r.run(at, shared, redissonWarmup); err != nil {
			return load.Result{}, err
		}
	}
	before, err := load.ProcessCPU(at.PID)
	if err != nil {
		return load.Result{}, err
	}
	result, err := r.run(at, shared, window)
	if err != nil {
		return result, err
	}
	after, err := load.ProcessCPU(at.PID)
	result.ServerCPU = after - before
	return result, err
}

// run has LockLoad.java do a run: a line with what to do, then a line with operations and two times in ns.
func (r *lockLoad) run(at load.Place, shared int, window time.Duration) (result load.Result, err error) {
	java, err := r.start()
	if err != nil {
		return result, err
	}
	line, err := java.Ask(fmt.Sprintf("redis://%s %d %d", at.Addr, shared, window.Milliseconds()))
	if err != nil {
		return result, err
	}
	_, err = fmt.Sscan(line, &result.Ops, (*int64)(&result.Elapsed), (*int64)(&result.LoadCPU))
	return result, err
}
