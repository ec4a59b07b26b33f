package bench

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/minilockd/minilockd/bench/internal/load"
)

const warmup = 200 * time.Millisecond

// BenchmarkServers runs every workload on every server and prints the table. What the testing package calls an operation
// is here the whole comparison of one workload.
func BenchmarkServers(b *testing.B) {
	set := readSettings(b)
	servers := startServers(b)
	var results report
	for _, w := range workloads() {
		b.Run(w.name, func(b *testing.B) {
			for range b.N {
				compare(b, set, w, servers, &results)
			}
		})
	}
	require.NoError(b, results.write(os.Stdout, set))
}

// compare lets the servers take turns.
func compare(b *testing.B, set settings, w workload, servers []server, results *report) {
	for range set.rounds {
		for _, s := range servers {
			results.add(w.name, s.name, generate(b, load.Spec{
				Addr: s.addr, PID: s.pid, Setup: setup(), Steps: w.steps, Conns: w.conns, Batch: w.batch,
				SharedKeys: w.sharedKeys, Warmup: warmup, Window: set.window,
			}))
		}
	}
}

// generate runs the load in a process of its own that keeps to one core and collects no garbage, as it makes none.
func generate(b *testing.B, spec load.Spec) (result load.Result) {
	binary, err := os.Executable()
	require.NoError(b, err)
	input, err := json.Marshal(spec)
	require.NoError(b, err)
	var complaint bytes.Buffer
	cmd := exec.CommandContext(b.Context(), binary)
	cmd.Env = append(os.Environ(), role+"="+roleLoad, "GOMAXPROCS=1", "GOGC=off")
	cmd.Stdin, cmd.Stderr = bytes.NewReader(input), &complaint
	output, err := cmd.Output()
	require.NoError(b, err, complaint.String())
	require.NoError(b, json.Unmarshal(output, &result))
	return result
}

// settings is how long to measure.
type settings struct {
	rounds int
	window time.Duration
}

// readSettings takes them from the environment, else from -short.
func readSettings(b *testing.B) settings {
	set := settings{rounds: 5, window: time.Second}
	if testing.Short() {
		set.rounds = 1
	}
	set.rounds = int(positive(b, "BENCH_ROUNDS", float64(set.rounds)))
	set.window = time.Duration(positive(b, "BENCH_SECONDS", set.window.Seconds()) * float64(time.Second))
	return set
}

// positive is the number in an environment variable, or byDefault where that is not set.
func positive(b *testing.B, variable string, byDefault float64) float64 {
	text, ok := os.LookupEnv(variable)
	if !ok {
		return byDefault
	}
	number, err := strconv.ParseFloat(text, 64)
	require.NoError(b, err, variable)
	require.Positive(b, number, variable)
	return number
}
