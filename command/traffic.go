package command

import (
	"github.com/minilockd/minilockd/internal/stats"
)

// TotalTraffic is all traffic since the start.
func (e *Env) TotalTraffic() stats.TrafficSum {
	sum := e.Stats.Meter.Ended()
	e.Clients.Each(func(s *Session) { sum.Add(&s.Traffic) })
	return sum
}

// Throughput is the traffic and the commands at present.
func (e *Env) Throughput() stats.Throughput {
	return e.Stats.Meter.Measure(e.TotalTraffic(), e.Stats.Calls.Total(), e.Clock.Now(), e.Started)
}
