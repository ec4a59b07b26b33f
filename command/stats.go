package command

import (
	"strings"
	"sync"
	"sync/atomic"

	"github.com/minilockd/minilockd/internal/resp"
)

// Stats counts what a server has done since it started or since CONFIG RESETSTAT, for INFO. The zero value is ready; it is
// safe for concurrent use. Calls are counted by command: see counts.
type Stats struct {
	Connections atomic.Int64 // accepted
	Rejected    atomic.Int64 // refused at maxclients
	saved       atomic.Int64 // when SAVE was last called, in seconds since the epoch; 0 for never

	slow slowLog

	mu     sync.Mutex       // guards errors
	errors map[string]int64 // replies by their first word
}

func (s *Stats) countError(text string) {
	code, _, _ := strings.Cut(text, " ")
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.errors == nil {
		s.errors = make(map[string]int64)
	}
	s.errors[strings.Clone(code)]++
}

// errorCounts is the number of error replies by code.
func (s *Stats) errorCounts() map[string]int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	counts := make(map[string]int64, len(s.errors))
	for code, n := range s.errors {
		counts[code] = n
	}
	return counts
}

func (s *Stats) reset() {
	s.Connections.Store(0)
	s.Rejected.Store(0)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.errors = nil
}

// counts is what INFO commandstats tells of one command. Commands are counted side by side, so each has a cache line.
type counts struct {
	calls    atomic.Int64
	rejected atomic.Int64 // not run: wrong number of words, not allowed now
	failed   atomic.Int64 // run, and answered an error
	nanos    atomic.Int64 // spent in it, while that is measured: see Config.timing
	_        [32]byte
}

// counted counts a call that has come to its reply v. One that will run again on more shards is counted then.
func (c *Call) counted(v resp.Value) resp.Value {
	if c.Tx.Escaped() {
		return v
	}
	c.Cmd.counts.calls.Add(1)
	if v.IsError() {
		c.Cmd.counts.failed.Add(1)
		if !c.errorCounted {
			c.Env().Stats.countError(v.Text())
		}
	}
	return v
}

// timed runs the handler, takes its time, and puts it into the slow log where it belongs there.
func (c *Call) timed() resp.Value {
	start := c.Env().Clock.Now()
	v := c.Cmd.Run(c)
	took := c.Env().Clock.Now().Sub(start)
	c.Cmd.counts.nanos.Add(int64(took))
	if c == &c.Session.call && took.Microseconds() >= c.Env().Config.slowerThan.Load() {
		c.Env().Stats.slow.add(c, took, int(c.Env().Config.slowLogLen.Load()))
	}
	return v
}

// resetCounts forgets all calls.
func (t *Table) resetCounts() {
	t.eachWithSubcommands(func(cmd *Command) {
		for _, n := range []*atomic.Int64{&cmd.counts.calls, &cmd.counts.rejected, &cmd.counts.failed, &cmd.counts.nanos} {
			n.Store(0)
		}
	})
}

// calls is the number of all calls, those of scripts and of EXEC included.
func (t *Table) calls() int64 {
	var sum int64
	t.eachWithSubcommands(func(cmd *Command) { sum += cmd.counts.calls.Load() })
	return sum
}

// eachWithSubcommands visits all commands, each container before its subcommands.
func (t *Table) eachWithSubcommands(visit func(*Command)) {
	for _, cmd := range t.sorted {
		visit(cmd)
		for i := range cmd.Sub {
			visit(&cmd.Sub[i])
		}
	}
}
