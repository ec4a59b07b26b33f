package stats

import "sync/atomic"

// Saves is what INFO shows of SAVE, BGSAVE and BGREWRITEAOF. BGREWRITEAOF always ends at once and
// succeeds. It is safe for concurrent use.
type Saves struct {
	At        atomic.Int64 // when the last one ended, in seconds since the epoch; 0 for never
	Changes   atomic.Int64 // how many changes of the databases came before it
	Count     atomic.Int64 // since the start or CONFIG RESETSTAT
	Rewrites  atomic.Int64 // by BGREWRITEAOF, since the start or CONFIG RESETSTAT
	Rewritten atomic.Bool  // there has been one
}

// Reset is CONFIG RESETSTAT.
func (s *Saves) Reset() {
	s.Count.Store(0)
	s.Rewrites.Store(0)
}

// Add counts a save at a time in seconds, after so many changes.
func (s *Saves) Add(at, changes int64) {
	s.At.Store(at)
	s.Changes.Store(changes)
	s.Count.Add(1)
}
