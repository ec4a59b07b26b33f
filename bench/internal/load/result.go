package load

import "time"

// Result is the result of one run, over its window only. Its methods are the figures of the tables. Those about
// CPU time are 0 if the system does not report it, those about latency if no step is timed.
type Result struct {
	Ops       int64         // replies; in a HandOver and a Fanout the number of operations
	Rejected  int64         // replies with the prefix Step.Rejected
	Elapsed   time.Duration // wall time
	ServerCPU time.Duration // user and system time of the server; 0 if not available
	LoadCPU   time.Duration // user and system time of the generator; 0 if not available
	Latency   Latency       // of timed steps
}

// Latency is a distribution; all 0 if nothing was timed.
type Latency struct {
	P50, P99, P999 time.Duration
}

// OpsPerSecond is the throughput.
func (r Result) OpsPerSecond() float64 { return float64(r.Ops) / r.Elapsed.Seconds() }

// ServerMicros is the server's CPU time per reply in µs.
func (r Result) ServerMicros() float64 { return r.micros(r.ServerCPU) }

// LoadMicros is the generator's CPU time per reply in µs.
func (r Result) LoadMicros() float64 { return r.micros(r.LoadCPU) }

// RejectedShare is the share of rejected replies, from 0 to 1.
func (r Result) RejectedShare() float64 { return float64(r.Rejected) / float64(r.Ops) }

// LoadShare is the generator's CPU time as a share of the window, from 0 to 1 if it has one thread.
func (r Result) LoadShare() float64 { return r.LoadCPU.Seconds() / r.Elapsed.Seconds() }

// P50 is the median latency in µs.
func (r Result) P50() float64 { return inMicros(r.Latency.P50) }

// P99 is the 99th percentile of the latency in µs.
func (r Result) P99() float64 { return inMicros(r.Latency.P99) }

// P999 is the 99.9th percentile of the latency in µs.
func (r Result) P999() float64 { return inMicros(r.Latency.P999) }

func (r Result) micros(cpu time.Duration) float64 { return inMicros(cpu) / float64(r.Ops) }

func inMicros(d time.Duration) float64 { return float64(d.Nanoseconds()) / 1e3 }
