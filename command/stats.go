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

	calls      callCounts
	lazyFreed  atomic.Int64 // values that Redis would have freed in the background
	peakMemory atomic.Int64 // the most bytes that were ever reported

	saves saves

	slow slowLog

	latency latencyLog

	flow flowLog

	mu     sync.Mutex               // guards errors
	errors map[string]*atomic.Int64 // replies by their first word
}

// errorCounter is where the error replies with the first word of text are counted.
func (s *Stats) errorCounter(text string) *atomic.Int64 {
	code, _, _ := strings.Cut(text, " ")
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.errors == nil {
		s.errors = make(map[string]*atomic.Int64)
	}
	counter := s.errors[code]
	if counter == nil {
		counter = new(atomic.Int64)
		s.errors[strings.Clone(code)] = counter
	}
	return counter
}

// errorCounts is the number of error replies by code.
func (s *Stats) errorCounts() map[string]int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	counts := make(map[string]int64, len(s.errors))
	for code, counter := range s.errors {
		if n := counter.Load(); n > 0 {
			counts[code] = n
		}
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
	s.saves.reset()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.errors = nil
}

// counted counts a call that has come to its reply v. One that will run again on more shards is counted then.
func (c *Call) counted(v resp.Value) resp.Value {
	if c.Tx.Restarting() {
		return v
	}
	s, counts := c.Session, c.Session.counts(c.Cmd)
	s.add(&counts.calls, 1)
	if !v.IsError() {
		return v
	}
	s.add(&counts.failed, 1)
	if !c.errorCounted {
		s.add(s.env.Stats.errorCounter(v.Text()), 1)
	}
	s.logError(c.Cmd, v.Text(), c.redacted())
	return v
}

// countServed counts the reply to a call that has waited if it is an error. It may be called from any goroutine.
func (s *Session) countServed(cmd *Command, v resp.Value) {
	if !v.IsError() {
		return
	}
	s.counts(cmd).failed.Add(1)
	s.env.Stats.errorCounter(v.Text()).Add(1)
	s.logError(cmd, v.Text(), nil)
}

// countRefusal counts and logs the error of a command that was not run; cmd is nil if there is no such command.
func (s *Session) countRefusal(cmd *Command, err error) {
	if cmd != nil {
		s.add(&s.counts(cmd).rejected, 1)
	}
	s.add(s.env.Stats.errorCounter(err.Error()), 1)
	s.logError(cmd, err.Error(), nil)
}

// logError logs an error that a command has answered, at Debug, and its words as the slow log shows them, where they
// are known. It may be called from any goroutine.
func (s *Session) logError(cmd *Command, text string, args [][]byte) {
	log := s.env.Log
	if !log.Enabled(context.Background(), slog.LevelDebug) {
		return
	}
	name := "unknown"
	if cmd != nil {
		name = cmd.FullName()
	}
	attributes := []any{"client", s.ID, "command", name, "error", text}
	if len(args) > 0 {
		attributes = append(attributes, "words", abridged(args))
	}
	log.Debug("command failed", attributes...)
}
