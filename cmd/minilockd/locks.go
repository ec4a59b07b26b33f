package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/minilockd/minilockd/internal/lockview"
	"github.com/minilockd/minilockd/locks"
)

// lockUsage is what "minilockd locks --help" prints.
const lockUsage = `Usage: minilockd locks [options] [pattern] redis://[user:password@]host:port[/database]

Prints the locks of Redisson and the like on any Redis or Valkey server: it only reads, by SCAN and commands for
single keys, and runs no script. The pattern is as of KEYS.

  --all                the locks of all databases, not only of the one in the URL
  --watch              print the locks again whenever they have changed, until interrupted
  --interval TIME      with --watch: how often to look, such as 500ms; 1s if it is not given
  -h, --help           print this and end
`

// lockSettings is the command line of "minilockd locks".
type lockSettings struct {
	url, pattern string
	watch, all   bool
	interval     time.Duration
}

// runLocks is "minilockd locks". It returns the exit status: 1 if the server cannot be read, 2 for a bad command line.
func runLocks(args []string, stdout, stderr io.Writer) int {
	set, err := parseLocks(args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		fmt.Fprint(stdout, lockUsage)
		return 0
	case err != nil:
		fmt.Fprintf(stderr, "minilockd locks: %v; see minilockd locks --help\n", err)
		return 2
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := printLocks(ctx, set, stdout); err != nil && ctx.Err() == nil {
		fmt.Fprintln(stderr, "minilockd locks:", err)
		return 1
	}
	return 0
}

// parseLocks reads the command line, on which options may stand before and after the rest.
func parseLocks(args []string) (set lockSettings, err error) {
	flags := flag.NewFlagSet("locks", flag.ContinueOnError)
	flags.SetOutput(io.Discard) // the caller prints errors
	flags.BoolVar(&set.watch, "watch", false, "")
	flags.DurationVar(&set.interval, "interval", time.Second, "")
	flags.BoolVar(&set.all, "all", false, "")
	var rest []string
	for err = flags.Parse(args); err == nil && flags.NArg() > 0; err = flags.Parse(flags.Args()[1:]) {
		rest = append(rest, flags.Arg(0))
	}
	set.pattern = "*"
	switch {
	case err != nil:
		return set, err
	case len(rest) == 1:
		set.url = rest[0]
	case len(rest) == 2 && !strings.Contains(rest[0], "://"):
		set.pattern, set.url = rest[0], rest[1]
	default:
		return set, errors.New("the URL of one server is expected, after the pattern if there is one")
	}
	if set.interval <= 0 {
		return set, errors.New("--interval must be positive")
	}
	return set, nil
}

// printLocks prints the locks, with --watch until ctx ends.
func printLocks(ctx context.Context, set lockSettings, stdout io.Writer) error {
	redis, err := lockview.Dial(ctx, set.url)
	if err != nil {
		return err
	}
	defer redis.Close()
	ticks := time.NewTicker(set.interval) //nolint:forbidigo // a terminal is in real time
	defer ticks.Stop()
	for last := ""; ; {
		list, err := readLocks(ctx, redis, set)
		if err != nil {
			return err
		}
		if state := lockTable(list, false); state != last || !set.watch {
			last = state
			if _, err := io.WriteString(stdout, heading(set)+lockTable(list, true)); err != nil {
				return err
			}
		}
		if !set.watch {
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-ticks.C:
		}
	}
}

// heading separates the tables of --watch.
func heading(set lockSettings) string {
	if !set.watch {
		return ""
	}
	return "\n" + time.Now().Format(time.TimeOnly) + "\n" //nolint:forbidigo // the time of the terminal
}

// readLocks reads the locks of one or all databases.
func readLocks(ctx context.Context, redis *lockview.Redis, set lockSettings) (list []locks.Lock, err error) {
	databases := []int{redis.DB}
	if set.all {
		if databases, err = redis.Databases(ctx); err != nil {
			return nil, err
		}
	}
	for _, db := range databases {
		if err := redis.Select(ctx, db); err != nil {
			return nil, err
		}
		some, err := lockview.Read(ctx, redis, set.pattern, nil)
		if err != nil {
			return nil, err
		}
		for i := range some {
			some[i].DB = db
		}
		list = append(list, some...)
	}
	return list, nil
}

// lockTable returns the locks as a table, with a line for each holder. Without leases it is the same until a lock
// changes hands.
func lockTable(list []locks.Lock, leases bool) string {
	if len(list) == 0 {
		return "no locks\n"
	}
	var text strings.Builder
	table := tabwriter.NewWriter(&text, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "DB\tLOCK\tKIND\tHOLDER\tHOLDS\tLEASE\tWAITERS")
	for _, l := range list {
		name, kind, waiters := quoted(l.Name), kindText(&l), waiterText(l.Waiters)
		if !l.Held() {
			fmt.Fprintf(table, "%d\t%s\t%s\t-\t\t\t%s\n", l.DB, name, kind, waiters)
		}
		for i, h := range l.Holders {
			if i > 0 {
				name, kind, waiters = "", "", ""
			}
			fmt.Fprintf(table, "%d\t%s\t%s\t%s\t%d\t%s\t%s\n", l.DB, name, kind, holderText(h), h.Holds,
				leaseText(h.Lease, leases), waiters)
		}
	}
	_ = table.Flush() // a strings.Builder has no errors
	return text.String()
}

// quoted returns a name, quoted if it has other than printable characters.
func quoted(name string) string {
	if q := fmt.Sprintf("%q", name); strings.ContainsAny(name, " \t") || q != `"`+name+`"` {
		return q
	}
	return name
}

func kindText(l *locks.Lock) string {
	text := string(l.Kind)
	if l.Mode != "" {
		text += " (" + l.Mode + ")"
	}
	if name := l.Kind.NumberName(); name != "" {
		text += fmt.Sprintf(", %s %d", name, l.Number)
	}
	return text
}

func holderText(h locks.Holder) string {
	text := h.Owner
	if h.Value != "" {
		text += " of " + quoted(h.Value)
	}
	if h.Write {
		text += " (write)"
	}
	return text
}

func leaseText(d time.Duration, shown bool) string {
	switch {
	case !shown:
		return ""
	case d == locks.Forever:
		return "none"
	}
	return d.Round(100 * time.Millisecond).String()
}

// waiterText names the waiters; a connection that waits without a name counts only.
func waiterText(waiters []locks.Waiter) string {
	var names []string
	unnamed := 0
	for _, w := range waiters {
		if w.Owner == "" {
			unnamed++
			continue
		}
		names = append(names, w.Owner)
	}
	if unnamed > 0 {
		names = append(names, fmt.Sprintf("%d waiting", unnamed))
	}
	return strings.Join(names, ", ")
}
