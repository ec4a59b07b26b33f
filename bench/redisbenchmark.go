package main

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"github.com/minilockd/minilockd/bench/internal/load"
	"github.com/minilockd/minilockd/bench/internal/target"
)

// redisBenchmarkTests are the tests that redis-benchmark runs by default, in its order: later ones use keys of earlier
// ones.
var redisBenchmarkTests = strings.Fields(`ping_inline ping_mbulk set get incr lpush rpush lpop rpop sadd hset spop
	zadd zpopmin lrange_100 lrange_300 lrange_500 lrange_600 mset`)

const (
	redisBenchmarkConns = 50      // its default, given so that the name of the task is true
	requestsPerSecond   = 100_000 // about the throughput of all servers, so that a test runs for about the window
)

// redisBenchmark is the list that redis-benchmark itself has, if that is installed. It shows that the results do not
// depend on the generator of this module. It needs a server with an address.
func redisBenchmark(set settings) (all []task) {
	binary, err := exec.LookPath("redis-benchmark")
	if err != nil {
		return nil
	}
	for _, test := range redisBenchmarkTests {
		all = append(all, task{
			name:  fmt.Sprintf("redis-benchmark -t %s %dx1", test, redisBenchmarkConns),
			short: test == "set",
			on:    func(s target.Server) bool { return !s.Place.Inside() },
			run:   func(s target.Server) (load.Result, error) { return runRedisBenchmark(binary, test, set, s.Place) },
		})
	}
	return all
}

// runRedisBenchmark runs one test. CPU times are differences over the whole run of redis-benchmark, so they include its
// connections being opened.
func runRedisBenchmark(binary, test string, set settings, at load.Place) (load.Result, error) {
	requests := max(1000, int(requestsPerSecond*set.window.Seconds()))
	// redis-benchmark first fills the list with an element for each request; with a long list that is slow on miniredis
	if strings.HasPrefix(test, "lrange") {
		requests = max(1000, requests/10)
		if err := load.Do(at, []string{"DEL", "mylist"}); err != nil {
			return load.Result{}, err
		}
	}
	before, err := load.ProcessCPU(at.PID)
	if err != nil {
		return load.Result{}, err
	}
	cmd := exec.Command(binary, append(addressOf(at), "-t", test, "-n", strconv.Itoa(requests), "-c",
		strconv.Itoa(redisBenchmarkConns),
		"-q", "--csv")...)
	output, err := cmd.Output()
	if err != nil {
		return load.Result{}, err
	}
	after, err := load.ProcessCPU(at.PID)
	if err != nil {
		return load.Result{}, err
	}
	result, alone, err := parseRedisBenchmark(output, requests)
	if alone {
		result.ServerCPU, result.LoadCPU = after-before, cmd.ProcessState.UserTime()+cmd.ProcessState.SystemTime()
	}
	return result, err
}

// addressOf returns the options of redis-benchmark for a place that is not inside.
func addressOf(at load.Place) []string {
	if at.Network == load.Unix {
		return []string{"-s", at.Addr}
	}
	host, port, _ := strings.Cut(at.Addr, ":")
	return []string{"-h", host, "-p", port}
}

// parseRedisBenchmark reads the last test of the output. It is not alone where redis-benchmark has filled a list for
// it, for which CPU was spent, too.
func parseRedisBenchmark(output []byte, requests int) (result load.Result, alone bool, err error) {
	rows, err := csv.NewReader(bytes.NewReader(output)).ReadAll()
	if err != nil || len(rows) < 2 {
		return result, false, fmt.Errorf("redis-benchmark printed %q", output)
	}
	last := make(map[string]float64)
	for i, name := range rows[0] {
		last[name], _ = strconv.ParseFloat(rows[len(rows)-1][i], 64) // the name of the test is not a number
	}
	if !(last["rps"] > 0) { // it may be nan
		return result, false, fmt.Errorf("redis-benchmark printed %q", output)
	}
	millis := func(column string) time.Duration { return time.Duration(last[column] * float64(time.Millisecond)) }
	return load.Result{
		Ops:     int64(requests),
		Elapsed: time.Duration(float64(requests) / last["rps"] * float64(time.Second)),
		Latency: load.Latency{P50: millis("p50_latency_ms"), P99: millis("p99_latency_ms")},
	}, len(rows) == 2, nil
}
