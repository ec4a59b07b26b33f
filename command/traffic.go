package command

import (
	"sync"
	"sync/atomic"
	"time"
)

// Traffic counts what a connection receives and sends. It is safe for concurrent use; the zero value is ready.
type Traffic struct {
	in, out, reads, writes atomic.Int64
}

// Read counts one read of n bytes.
func (t *Traffic) Read(n int) {
	t.in.Add(int64(n))
	t.reads.Add(1)
}

// Wrote counts one write of n bytes.
func (t *Traffic) Wrote(n int) {
	t.out.Add(int64(n))
	t.writes.Add(1)
}

// trafficSum is what several connections have received and sent: bytes, and how often.
type trafficSum struct{ In, Out, Reads, Writes int64 }

func (s *trafficSum) add(t *Traffic) {
	s.In += t.in.Load()
	s.Out += t.out.Load()
	s.Reads += t.reads.Load()
	s.Writes += t.writes.Load()
}

func (s *trafficSum) subtract(other trafficSum) {
	s.In, s.Out, s.Reads, s.Writes = s.In-other.In, s.Out-other.Out, s.Reads-other.Reads, s.Writes-other.Writes
}

// flow is all traffic since the start or CONFIG RESETSTAT, and how much of it and how many commands there were in a second lately.
type flow struct {
	total             trafficSum
	commands, in, out float64 // a second
}

// flowLog finds a flow's rates. The zero value is ready; it is safe for concurrent use.
type flowLog struct {
	mu       sync.Mutex // guards the rest
	ended    trafficSum // of connections that have ended
	base     trafficSum // at CONFIG RESETSTAT
	at       time.Time  // of the sample
	commands int64
	sample   trafficSum
	last     flow
}

// flowInterval is the shortest time that rates are an average of. Redis samples as often, but all the time; here INFO takes the sample.
const flowInterval = 100 * time.Millisecond

// end takes over what a connection that ends has counted.
func (l *flowLog) end(t *Traffic) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.ended.In += t.in.Swap(0)
	l.ended.Out += t.out.Swap(0)
	l.ended.Reads += t.reads.Swap(0)
	l.ended.Writes += t.writes.Swap(0)
}

// total is all traffic since the start.
func (e *Env) total() trafficSum {
	e.Stats.flow.mu.Lock()
	sum := e.Stats.flow.ended
	e.Stats.flow.mu.Unlock()
	e.Clients.Each(func(s *Session) { sum.add(&s.Traffic) })
	return sum
}

// flow is the traffic now. Rates are averages since INFO told of it before, if that is long enough ago.
func (e *Env) flow() flow {
	total, commands, now, l := e.total(), e.Stats.calls.total(), e.Clock.Now(), &e.Stats.flow
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.at.IsZero() {
		l.at = e.Started
	}
	if passed := now.Sub(l.at); passed >= flowInterval {
		rate := func(n int64) float64 { return max(0, float64(n)/passed.Seconds()) }
		l.last = flow{commands: rate(commands - l.commands), in: rate(total.In - l.sample.In), out: rate(total.Out - l.sample.Out)}
		l.at, l.commands, l.sample = now, commands, total
	}
	current := l.last
	current.total = total
	current.total.subtract(l.base)
	return current
}

// resetFlow has the totals begin again.
func (e *Env) resetFlow() {
	total, l := e.total(), &e.Stats.flow
	l.mu.Lock()
	defer l.mu.Unlock()
	l.base, l.commands = total, 0
}
