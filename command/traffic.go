package command

import "github.com/minilockd/minilockd/internal/stats"

// traffic is all traffic since the start.
func (e *Env) traffic() stats.TrafficSum {
	sum := e.Stats.Meter.Ended()
	e.Clients.Each(func(s *Session) { sum.Add(&s.Traffic) })
	return sum
}

// throughput is the traffic and the commands at present.
func (e *Env) throughput() stats.Throughput {
	return e.Stats.Meter.Measure(e.traffic(), e.Stats.Calls.Total(), e.Clock.Now(), e.Started)
}
