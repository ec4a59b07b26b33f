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

// maxStripes is how often callCounts is there, on more than one core. Sessions share stripes, and any two may be served
// at a time: the more stripes, the less often these are sessions of the same.
const maxStripes = 8

// callCounts counts the calls of each command, in several stripes, so that sessions which are served side by side don't
// write to the same memory. The zero value is ready.
type callCounts struct {
	stripes [maxStripes]atomic.Pointer[stripe]
}

// stripe is the counts by the commands' numbers.
type stripe []counts

// stripe returns the stripe of a session in a table of that many commands.
func (c *callCounts) stripe(session int64, size int) stripe {
	stripes := int64(maxStripes)
	if runtime.GOMAXPROCS(0) == 1 {
		stripes = 1
	}
	at := &c.stripes[session%stripes]
	if at.Load() == nil {
		fresh := make(stripe, size)
		at.CompareAndSwap(nil, &fresh)
	}
	return *at.Load()
}

// each calls f with the counts of every stripe.
func (c *callCounts) each(f func(stripe)) {
	for i := range c.stripes {
		if stripe := c.stripes[i].Load(); stripe != nil {
			f(*stripe)
		}
	}
}

// tally is the sum over the stripes.
type tally struct{ calls, rejected, failed, nanos int64 }

func (c *callCounts) of(cmd *Command) (sum tally) {
	c.each(func(l stripe) {
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
	c.each(func(l stripe) {
		for i := range l {
			calls += l[i].calls.Load()
		}
	})
	return calls
}

// reset forgets all calls.
func (c *callCounts) reset() {
	c.each(func(l stripe) {
		for i := range l {
			n := &l[i]
			n.histogram.reset()
			for _, count := range []*atomic.Int64{&n.calls, &n.rejected, &n.failed, &n.nanos} {
				count.Store(0)
			}
		}
	})
}
