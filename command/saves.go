package command

import "sync/atomic"

// saves is what INFO tells of SAVE, BGSAVE and BGREWRITEAOF. There are no files: each ends at once, and well.
type saves struct {
	at         atomic.Int64 // when one was last asked for, in seconds since the epoch; 0 for never
	changes    atomic.Int64 // how many changes of the databases came before it
	count      atomic.Int64 // since the start or CONFIG RESETSTAT
	background atomic.Bool  // BGSAVE has been among them
	rewrites   atomic.Int64 // by BGREWRITEAOF, since the start or CONFIG RESETSTAT
	rewritten  atomic.Bool  // there has been one
}

// reset is for CONFIG RESETSTAT.
func (s *saves) reset() {
	s.count.Store(0)
	s.rewrites.Store(0)
}

// saved counts what a call saves.
func (s *saves) saved(c *Call) {
	s.at.Store(c.Tx.Time().Unix())
	s.changes.Store(c.Tx.Dirty())
	s.count.Add(1)
}

// lastTook is how many seconds the last one took, -1 if there never was one.
func lastTook(ever bool) int {
	if ever {
		return 0
	}
	return -1
}
