package command

import (
	"github.com/minilockd/minilockd/internal/stats"
)

// TotalTraffic returns the traffic of all connections, closed ones included, since the server started.
func (e *Env) TotalTraffic() stats.TrafficSum {
	sum := e.Stats.Meter.Ended()
	e.Clients.Each(func(s *Session) { sum.Add(&s.Traffic) })
	return sum
}

// Throughput returns the traffic, and the rates of traffic and commands, for INFO stats.
func (e *Env) Throughput() stats.Throughput {
	return e.Stats.Meter.Measure(e.TotalTraffic(), e.Stats.Calls.Total(), e.Clock.Now(), e.Started())
}
