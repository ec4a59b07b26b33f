package stats

import (
	"runtime"
	"sync/atomic"
)

// Counts is what INFO commandstats shows of one command.
type Counts struct {
	Calls    atomic.Int64
	Rejected atomic.Int64 // not run: wrong arity, or not allowed now
	Failed   atomic.Int64 // run, with an error for a reply
	Nanos    atomic.Int64 // spent in it, while calls are timed

	Histogram Histogram
}

// maxStripes is the number of stripes on more than one core. Sessions share stripes, and any two may be served at the
// same time: the more stripes, the less often two cores write to the same one.
const maxStripes = 8

// Calls counts the calls of each command, in several stripes, so that sessions which are served in parallel don't write
// to the same memory. The zero value is ready; it is safe for concurrent use.
type Calls struct {
	stripes [maxStripes]atomic.Pointer[Stripe]
}

// Stripe is the counts by the commands' numbers.
type Stripe []Counts

// Stripe returns the stripe of a session, for that many commands.
func (c *Calls) Stripe(session int64, commands int) Stripe {
	stripes := int64(maxStripes)
	if runtime.GOMAXPROCS(0) == 1 {
		stripes = 1
	}
	at := &c.stripes[session%stripes]
	if at.Load() == nil {
		fresh := make(Stripe, commands)
		at.CompareAndSwap(nil, &fresh)
	}
	return *at.Load()
}

// each calls f with every stripe.
func (c *Calls) each(f func(Stripe)) {
	for i := range c.stripes {
		if stripe := c.stripes[i].Load(); stripe != nil {
			f(*stripe)
		}
	}
}

// Sum is the sum of the Counts of one command.
type Sum struct{ Calls, Rejected, Failed, Nanos int64 }

// Of returns the counts of the command with that number, over all stripes.
func (c *Calls) Of(number int) (sum Sum) {
	c.each(func(s Stripe) {
		n := &s[number]
		sum.Calls += n.Calls.Load()
		sum.Rejected += n.Rejected.Load()
		sum.Failed += n.Failed.Load()
		sum.Nanos += n.Nanos.Load()
	})
	return sum
}

// Durations returns the histogram of the command with that number.
func (c *Calls) Durations(number int) (sum Buckets) {
	c.each(func(s Stripe) { s[number].Histogram.addTo(&sum) })
	return sum
}

// Total is the number of all calls, those of scripts and of EXEC included.
func (c *Calls) Total() (calls int64) {
	c.each(func(s Stripe) {
		for i := range s {
			calls += s[i].Calls.Load()
		}
	})
	return calls
}

// Reset sets all counts to zero.
func (c *Calls) Reset() {
	c.each(func(s Stripe) {
		for i := range s {
			n := &s[i]
			n.Histogram.reset()
			for _, count := range []*atomic.Int64{&n.Calls, &n.Rejected, &n.Failed, &n.Nanos} {
				count.Store(0)
			}
		}
	})
}
