package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"regexp"
	"runtime"
	"runtime/pprof"
	"strings"
	"time"

	"github.com/minilockd/minilockd/bench/internal/target"
)

// settings are what the command line says.
type settings struct {
	scenarios  *regexp.Regexp
	servers    []string
	rounds     int           // of the cycles
	window     time.Duration // of a turn of the cycles
	cpuprofile string        // file
}

// main is also that of miniredis, if that is one of the servers: see target.RunRole.
func main() {
	target.RunRole()
	err := run(os.Args[1:], os.Stdout, os.Stderr)
	if err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "locks:", err)
		os.Exit(1)
	}
}

// parse reads the command line; see doc.go for examples.
func parse(args []string, stderr io.Writer) (set settings, err error) {
	flags := flag.NewFlagSet("locks", flag.ContinueOnError)
	flags.SetOutput(stderr)
	pattern := flags.String("scenarios", "", "which scenarios: those whose name matches the `expression`")
	servers := flags.String("servers", target.Reference+",minilockd", "which `servers`, with commas between")
	flags.IntVar(&set.rounds, "rounds", 40, "`number` of rounds of the cycles")
	flags.DurationVar(&set.window, "window", 100*time.Millisecond,
		"how long a client's turn of the cycles is, a `duration`")
	flags.StringVar(&set.cpuprofile, "cpuprofile", "", "`file` for a CPU profile of the clients")
	if err = flags.Parse(args); err != nil {
		return set, err
	}
	set.servers = strings.Split(*servers, ",")
	set.scenarios, err = regexp.Compile(*pattern)
	return set, err
}

// run starts the servers, and prints the head and a table for each scenario to stdout.
func run(args []string, stdout, stderr io.Writer) error {
	set, err := parse(args, stderr)
	if err != nil {
		return err
	}
	running, err := target.Start(set.servers, stderr)
	if err != nil {
		return err
	}
	defer running.Close()
	if set.cpuprofile != "" {
		stop, err := profile(set.cpuprofile)
		if err != nil {
			return err
		}
		defer stop()
	}
	fmt.Fprintf(stdout, head, time.Now().Format("2006-01-02"), runtime.NumCPU(), loadAverage(), set.rounds, set.window)
	return write(stdout, set, running.Servers)
}

// The text names the load average, since other work on the machine changes all figures, and hand-overs most.

// head is the text above the tables.
const head = `
## Lock clients

%s, %d cores, load average%s. The clients run in turn, in %d rounds of %v for the uncontended lock; medians over the
rounds, and ratios within a round. Clients that poll do so every 100 ms (bsm/redislock) or 50 to 250 ms (redsync). CPU
is user and system time for each operation, of the process of the clients and of that of the server, for the hand-over
with that of waiting. Each of many waiters holds the lock for 1 ms, then unlocks; after 5 s without the lock it gives
up. Commands are all that the clients send for each lock: 2 is an attempt and the unlock.
`

// loadAverage returns the system's load average of the last minute, or that it is unknown, as
// on systems other than Linux.
func loadAverage() string {
	text, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return " unknown"
	}
	first, _, _ := strings.Cut(string(text), " ")
	return " " + first
}

// profile writes a CPU profile of this process, thus of the Go clients, until stop is called.
func profile(file string) (stop func(), err error) {
	f, err := os.Create(file)
	if err != nil {
		return nil, err
	}
	if err := pprof.StartCPUProfile(f); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return func() {
		pprof.StopCPUProfile()
		_ = f.Close()
	}, nil
}
