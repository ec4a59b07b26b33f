package command

import (
	"runtime"
	"sync/atomic"
)

// counts is what INFO commandstats tells of one command.
type counts struct {
	calls    atomic.Int64
	rejected atomic.Int64 // not run: wrong number of words, not allowed now
	failed   atomic.Int64 // run, and answered an error
	nanos    atomic.Int64 // spent in it, while that is measured: see timing.go

	histogram histogram
}

// maxLanes is how often callCounts is there, on more than one core. Sessions share lanes, and any two may be served at a time: the
// more lanes, the less often these are sessions of the same.
const maxLanes = 8

// callCounts counts the calls of each command, in several lanes, so that sessions which are served side by side don't write to
// the same memory. The zero value is ready.
type callCounts struct {
	lanes [maxLanes]atomic.Pointer[lane]
}

// lane is the counts by the commands' numbers.
type lane []counts

// lane returns the lane of a session in a table of that many commands.
func (c *callCounts) lane(session int64, size int) lane {
	lanes := int64(maxLanes)
	if runtime.GOMAXPROCS(0) == 1 {
		lanes = 1
	}
	at := &c.lanes[session%lanes]
	if at.Load() == nil {
		fresh := make(lane, size)
		at.CompareAndSwap(nil, &fresh)
	}
	return *at.Load()
}

// each calls f with the counts of every lane.
func (c *callCounts) each(f func(lane)) {
	for i := range c.lanes {
		if lane := c.lanes[i].Load(); lane != nil {
			f(*lane)
		}
	}
}

// tally is the sum over the lanes.
type tally struct{ calls, rejected, failed, nanos int64 }

func (c *callCounts) of(cmd *Command) (sum tally) {
	c.each(func(l lane) {
		n := &l[cmd.number]
		sum.calls += n.calls.Load()
		sum.rejected += n.rejected.Load()
		sum.failed += n.failed.Load()
		sum.nanos += n.nanos.Load()
	})
	return sum
}

// total is the number of all calls, those of scripts and of EXEC included.
func (c *callCounts) total() (calls int64) {
	c.each(func(l lane) {
		for i := range l {
			calls += l[i].calls.Load()
		}
	})
	return calls
}

// reset forgets all calls.
func (c *callCounts) reset() {
	c.each(func(l lane) {
		for i := range l {
			n := &l[i]
			n.histogram.reset()
			for _, count := range []*atomic.Int64{&n.calls, &n.rejected, &n.failed, &n.nanos} {
				count.Store(0)
			}
		}
	})
}
