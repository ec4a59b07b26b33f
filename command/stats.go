package command

import (
	"context"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/minilockd/minilockd/internal/resp"
)

// Stats counts what a server has done since it started or since CONFIG RESETSTAT, for INFO. The zero value is ready; it is
// safe for concurrent use.
type Stats struct {
	Connections atomic.Int64 // accepted
	Rejected    atomic.Int64 // refused at maxclients
	saved       atomic.Int64 // when SAVE was last called, in seconds since the epoch; 0 for never

	calls      callCounts
	lazyFreed  atomic.Int64 // values that Redis would have freed in the background
	peakMemory atomic.Int64 // the most bytes that were ever reported

	slow slowLog

	latency latencyLog

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

// peak notes that so many bytes are in use and returns the most that ever were.
func (s *Stats) peak(used int64) int64 {
	for was := s.peakMemory.Load(); was < used; was = s.peakMemory.Load() {
		if s.peakMemory.CompareAndSwap(was, used) {
			break
		}
	}
	return max(used, s.peakMemory.Load())
}

func (s *Stats) reset() {
	s.Connections.Store(0)
	s.Rejected.Store(0)
	s.lazyFreed.Store(0)
	s.calls.reset()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.errors = nil
}

// counted counts a call that has come to its reply v. One that will run again on more shards is counted then.
func (c *Call) counted(v resp.Value) resp.Value {
	if c.Tx.Escaped() {
		return v
	}
	c.Session.counts(c.Cmd).calls.Add(1)
	c.Session.countFailure(c.Cmd, v, !c.errorCounted)
	return v
}

// countFailure counts a reply if it is an error, by its code too where asked.
func (s *Session) countFailure(cmd *Command, v resp.Value, byCode bool) {
	if !v.IsError() {
		return
	}
	s.counts(cmd).failed.Add(1)
	if byCode {
		s.env.Stats.countError(v.Text())
	}
	s.logError(cmd, v.Text())
}

// countRefusal counts and logs the error of a command that was not run; cmd is nil if there is no such command.
func (s *Session) countRefusal(cmd *Command, err error) {
	if cmd != nil {
		s.counts(cmd).rejected.Add(1)
	}
	s.env.Stats.countError(err.Error())
	s.logError(cmd, err.Error())
}

// logError logs an error that a command has answered, at Debug. It may be called from any goroutine.
func (s *Session) logError(cmd *Command, text string) {
	log := s.env.Log
	if !log.Enabled(context.Background(), slog.LevelDebug) {
		return
	}
	name := "unknown"
	if cmd != nil {
		name = cmd.FullName()
	}
	log.Debug("command failed", "client", s.ID, "command", name, "error", text)
}
