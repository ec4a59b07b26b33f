package load

import "time"

// Result is what one run measured, over its window only.
type Result struct {
	Ops       int64         // replies; in a HandOver and a FanOut the times that it was done
	Refused   int64         // replies that began with Step.Refused
	Elapsed   time.Duration // wall time
	ServerCPU time.Duration // user and system time of the server; 0 where the system doesn't tell
	LoadCPU   time.Duration // user and system time of the generator; 0 where the system doesn't tell
	Latency   Latency       // of what is timed
}

// Latency is a distribution; all 0 where nothing was timed.
type Latency struct {
	P50, P99, P999 time.Duration
}

// OpsPerSecond is the throughput.
func (r Result) OpsPerSecond() float64 { return float64(r.Ops) / r.Elapsed.Seconds() }

// ServerMicros is the server's CPU time per reply in µs.
func (r Result) ServerMicros() float64 { return r.micros(r.ServerCPU) }

// LoadMicros is the generator's CPU time per reply in µs.
func (r Result) LoadMicros() float64 { return r.micros(r.LoadCPU) }

// RefusedShare is the part of the replies that refused, from 0 to 1.
func (r Result) RefusedShare() float64 { return float64(r.Refused) / float64(r.Ops) }

// LoadShare is the part of the window in which the generator was computing, from 0 to 1 if it has one thread.
func (r Result) LoadShare() float64 { return r.LoadCPU.Seconds() / r.Elapsed.Seconds() }

// P50 is the median latency in µs.
func (r Result) P50() float64 { return inMicros(r.Latency.P50) }

// P99 is the latency in µs that one in a hundred exceeds.
func (r Result) P99() float64 { return inMicros(r.Latency.P99) }

// P999 is the latency in µs that one in a thousand exceeds.
func (r Result) P999() float64 { return inMicros(r.Latency.P999) }

func (r Result) micros(cpu time.Duration) float64 { return inMicros(cpu) / float64(r.Ops) }

func inMicros(d time.Duration) float64 { return float64(d.Nanoseconds()) / 1e3 }
