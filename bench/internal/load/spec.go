package load

import "time"

// Markers in the arguments of a [Step], replaced by as many decimal digits.
const (
	KeyDigits    = "######" // the number of the key, another one in each cycle of a worker
	HolderDigits = "@@@@@@" // the number of the worker, the same for the whole run
)

// ownKeys is how many keys a worker cycles through when keys aren't shared.
const ownKeys = 64

// Spec says what to send, to whom and for how long. It travels as JSON to the process that generates the load.
type Spec struct {
	Addr       string        // host:port of the server
	PID        int           // the server's process, for its CPU time; 0: not a process
	Setup      [][]string    // commands sent once, before the connections open
	Steps      []Step        // what each worker does in a cycle, in this order
	Conns      int           // connections
	Batch      int           // workers per connection, thus commands per write
	SharedKeys int           // all workers use this many keys; 0 means that each has its own
	Warmup     time.Duration // load before the measured window
	Window     time.Duration // the measured window
}

// Step is one command and the replies it may have; any other reply, and every error reply, ends the run.
type Step struct {
	Args    []string // the command; may hold KeyDigits and HolderDigits
	Want    string   // what the reply begins with, as in "$-1" or "+OK"; empty: anything but an error
	Refused string   // a reply that begins so ends the cycle early: the lock is held by another; empty: there is none
}

// Result is what one run measured, over its window only.
type Result struct {
	Ops       int64         // replies
	Refused   int64         // replies that began with Step.Refused
	Elapsed   time.Duration // wall time
	ServerCPU time.Duration // user and system time of the server; 0 where the system doesn't tell
	LoadCPU   time.Duration // user and system time of the generator; 0 where the system doesn't tell
}

// OpsPerSecond is the throughput.
func (r Result) OpsPerSecond() float64 { return float64(r.Ops) / r.Elapsed.Seconds() }

// ServerMicros is the server's CPU time per reply in µs.
func (r Result) ServerMicros() float64 { return r.micros(r.ServerCPU) }

// LoadMicros is the generator's CPU time per reply in µs.
func (r Result) LoadMicros() float64 { return r.micros(r.LoadCPU) }

// RefusedShare is the part of the replies that refused, from 0 to 1.
func (r Result) RefusedShare() float64 { return float64(r.Refused) / float64(r.Ops) }

// LoadShare is the part of the window in which the generator was computing, from 0 to 1 as it has one thread.
func (r Result) LoadShare() float64 { return r.LoadCPU.Seconds() / r.Elapsed.Seconds() }

func (r Result) micros(cpu time.Duration) float64 {
	return float64(cpu.Nanoseconds()) / 1e3 / float64(r.Ops)
}
