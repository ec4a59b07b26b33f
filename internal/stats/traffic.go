package stats

import (
	"sync/atomic"
	"time"

	"github.com/minilockd/minilockd/internal/lockrank"
)

// Traffic counts what a connection receives and sends. The zero value is ready; it is safe for concurrent use.
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

// Sum returns what was counted so far.
func (t *Traffic) Sum() (sum TrafficSum) {
	sum.Add(t)
	return sum
}

// TrafficSum is what several connections have received and sent, in bytes and in reads and writes.
type TrafficSum struct{ In, Out, Reads, Writes int64 }

// Add adds what a connection has counted.
func (s *TrafficSum) Add(t *Traffic) {
	s.In += t.in.Load()
	s.Out += t.out.Load()
	s.Reads += t.reads.Load()
	s.Writes += t.writes.Load()
}

func (s *TrafficSum) subtract(other TrafficSum) {
	s.In, s.Out, s.Reads, s.Writes = s.In-other.In, s.Out-other.Out, s.Reads-other.Reads, s.Writes-other.Writes
}

// Throughput is all traffic since the start or CONFIG RESETSTAT, and how much of it and how many commands there were
// lately in a second.
type Throughput struct {
	Total             TrafficSum
	Commands, In, Out float64 // a second
}

// Meter finds a Throughput. The zero value is ready; it is safe for concurrent use.
type Meter struct {
	mu       lockrank.Mutex[lockrank.Traffic] // guards the rest
	ended    TrafficSum                       // of connections that have ended
	base     TrafficSum                       // at CONFIG RESETSTAT
	at       time.Time                        // of the sample
	commands int64
	sample   TrafficSum
	last     Throughput
}

// meterInterval is the shortest time over which rates are averaged. Redis samples as often, but all the time; here INFO
// takes the sample.
const meterInterval = 100 * time.Millisecond

// End takes over what a connection that ends has counted.
func (m *Meter) End(t *Traffic) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.ended.In += t.in.Swap(0)
	m.ended.Out += t.out.Swap(0)
	m.ended.Reads += t.reads.Swap(0)
	m.ended.Writes += t.writes.Swap(0)
}

// Ended is the traffic of the connections that have ended.
func (m *Meter) Ended() TrafficSum {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.ended
}

// Measure returns the throughput at now, of so much traffic and so many commands since the start. Rates are averages
// since the last sample, if that is old enough.
func (m *Meter) Measure(total TrafficSum, commands int64, now, start time.Time) Throughput {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.at.IsZero() {
		m.at = start
	}
	if passed := now.Sub(m.at); passed >= meterInterval {
		rate := func(n int64) float64 { return max(0, float64(n)/passed.Seconds()) }
		m.last = Throughput{
			Commands: rate(commands - m.commands),
			In:       rate(total.In - m.sample.In),
			Out:      rate(total.Out - m.sample.Out),
		}
		m.at, m.commands, m.sample = now, commands, total
	}
	current := m.last
	current.Total = total
	current.Total.subtract(m.base)
	return current
}

// Reset makes the totals begin at zero again, after so much traffic.
func (m *Meter) Reset(total TrafficSum) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.base, m.commands = total, 0
}
