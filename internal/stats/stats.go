package stats

import (
	"strings"
	"sync/atomic"

	"github.com/minilockd/minilockd/internal/lockrank"
)

// Stats counts what a server has done since it started or since CONFIG RESETSTAT. The zero value is ready; it is safe
// for concurrent use.
type Stats struct {
	Connections atomic.Int64 // accepted
	Rejected    atomic.Int64 // closed at once because of maxclients
	Overflowed  atomic.Int64 // closed because of client-output-buffer-limit
	LazyFreed   atomic.Int64 // values that Redis would have freed in the background

	Calls   Calls
	Saves   Saves
	Slow    SlowLog
	Large   [LargeKinds]SlowLog
	Latency LatencyLog
	Meter   Meter

	peakMemory atomic.Int64 // the most bytes that were ever reported
	peakAt     atomic.Int64 // when they were, in seconds since the epoch

	mu     lockrank.Mutex[lockrank.ErrorStats] // guards errors
	errors map[string]*atomic.Int64            // error replies by their first word
}

// ErrorCounter is where the error replies with the first word of text are counted.
func (s *Stats) ErrorCounter(text string) *atomic.Int64 {
	code := errorCode(text)
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

// errorCode is the first word of an error.
func errorCode(text string) string {
	if end := strings.IndexAny(text, " \r\n"); end >= 0 { // the end of a line is sent as blanks
		return text[:end]
	}
	return text
}

// What Valkey does with codes that scripts make up: beyond so many codes it counts new ones as one.
const (
	mostErrorCodes = 128
	overflowCode   = "ERRORSTATS_OVERFLOW"
)

// ScriptErrorCounter is ErrorCounter for an error that a script has made, if there is a limit to their codes.
func (s *Stats) ScriptErrorCounter(text string) *atomic.Int64 {
	code := errorCode(text)
	s.mu.Lock()
	full := s.errors[code] == nil && len(s.errors) >= mostErrorCodes
	s.mu.Unlock()
	if full {
		return s.ErrorCounter(overflowCode)
	}
	return s.ErrorCounter(text)
}

// Errors is the number of error replies by code.
func (s *Stats) Errors() map[string]int64 {
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

// Peak records that so many bytes are in use at a time in seconds, and returns the most that ever were.
func (s *Stats) Peak(used, at int64) int64 {
	for was := s.peakMemory.Load(); was < used; was = s.peakMemory.Load() {
		if s.peakMemory.CompareAndSwap(was, used) {
			s.peakAt.Store(at)
			break
		}
	}
	return max(used, s.peakMemory.Load())
}

// PeakAt returns the time of the peak, in seconds since the epoch.
func (s *Stats) PeakAt() int64 { return s.peakAt.Load() }

// Reset is CONFIG RESETSTAT, which keeps the logs.
func (s *Stats) Reset() {
	s.Connections.Store(0)
	s.Rejected.Store(0)
	s.Overflowed.Store(0)
	s.LazyFreed.Store(0)
	s.Calls.Reset()
	s.Saves.Reset()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.errors = nil
}
