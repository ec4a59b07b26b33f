package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/minilockd/minilockd/bench/internal/target"
)

// settings are what the command line says.
type settings struct {
	servers   []string
	workloads *regexp.Regexp
	rounds    int
	window    time.Duration
	short     bool
	list      bool
	out       string // directory for RESULTS.md and results.svg; empty: nothing is written
	benchstat string // file
	profile   string // folder
}

// warmup is the load before each window: connections are open then, scripts are compiled, and maps have their size.
const warmup = 100 * time.Millisecond

// parse reads the command line. A flag that is not given may have another default with -short or -profile, see fill.
func parse(args []string, stderr io.Writer) (settings, error) {
	set := settings{}
	flags := flag.NewFlagSet("bench", flag.ContinueOnError)
	flags.SetOutput(stderr)
	servers := flags.String("servers", strings.Join(target.Names(), ","), "which `servers`, with commas between")
	pattern := flags.String("workloads", "", "which workloads: those whose name matches the `expression`")
	seconds := flags.Float64("seconds", 0.3, "`seconds` that are measured of each workload on each server in each round")
	flags.IntVar(&set.rounds, "rounds", 3, "`number` of rounds")
	flags.BoolVar(&set.short, "short", false, "one round of some workloads; writes only what -out and -benchstat say")
	flags.BoolVar(&set.list, "list", false, "print the names of the workloads and end")
	flags.StringVar(&set.out, "out", ".", "`folder` to write RESULTS.md and results.svg to; none if empty")
	flags.StringVar(&set.benchstat, "benchstat", "", "`file` to write all rounds to as benchstat reads them")
	flags.StringVar(&set.profile, "profile", "",
		"`folder` for profiles; measures servers in this program only and writes no results")
	if err := flags.Parse(args); err != nil {
		return set, err
	}
	given := make(map[string]bool)
	flags.Visit(func(f *flag.Flag) { given[f.Name] = true })
	set.fill(given)
	set.window = time.Duration(*seconds * float64(time.Second))
	set.servers = strings.Split(*servers, ",")
	return set, errors.Join(set.choose(*pattern), set.check(flags.Args()))
}

// fill sets what -short and -profile change, unless the flag is given: they write no results and run one round.
func (s *settings) fill(given map[string]bool) {
	if (s.short || s.profile != "") && !given["out"] {
		s.out = ""
	}
	if (s.short || s.profile != "") && !given["rounds"] {
		s.rounds = 1
	}
}

func (s *settings) choose(pattern string) (err error) {
	s.workloads, err = regexp.Compile(pattern)
	return err
}

func (s *settings) check(rest []string) error {
	if len(rest) > 0 || s.rounds < 1 || s.window <= 0 {
		return fmt.Errorf("bad arguments %q; see -help", rest)
	}
	for _, name := range s.servers {
		if !slices.Contains(target.Names(), name) {
			return fmt.Errorf("no server %q; there are %s", name, strings.Join(target.Names(), ", "))
		}
	}
	return nil
}
