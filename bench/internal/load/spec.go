package load

import "time"

// Markers in the arguments of a [Step], replaced by as many decimal digits.
const (
	KeyDigits    = "######" // the number of the key, another one in each cycle of a worker
	HolderDigits = "@@@@@@" // the number of the worker, the same for the whole run
)

// The kinds of connection to a server.
const (
	TCP      = "tcp"
	Unix     = "unix"     // a Unix domain socket
	Loopback = "loopback" // a server in the process of the generator, over TCP
	Memory   = "memory"   // the same, over net.Pipe
	Direct   = "direct"   // the same without connections: the generator calls the command itself
)

// Place is where a server is.
type Place struct {
	Network string // one of the above
	Addr    string // host:port or path; empty if the server is inside
	PID     int    // the server's process, for its CPU time; 0: that of the generator
}

// Inside reports whether the server runs in the generator's process, so that their CPU times can't be separated.
func (p Place) Inside() bool { return p.Network != TCP && p.Network != Unix }

// Scenario is what the connections do.
type Scenario string

// The scenarios.
const (
	Cycles Scenario = "" // workers go through Steps
	// HandOver is two clients that take a lock in turns: Steps are acquire and release, Listen is the waiter's
	// subscription.
	HandOver Scenario = "hand-over"
	// Fanout is one connection that repeats Steps, which publish; Subscribers begin with Listen and receive.
	Fanout Scenario = "fan-out"
)

// Spec describes the load: what to send, to which server, and for how long. It is sent as JSON to the process that
// generates the load.
type Spec struct {
	Place      Place
	Scenario   Scenario
	Setup      [][]string // commands sent once, before the connections open
	Opening    []Step     // steps of each worker before its first cycle
	Steps      []Step     // steps of a cycle of each worker
	Conns      int        // connections
	Batch      int        // workers per connection, thus commands per write
	OwnKeys    int        // number of keys that each worker cycles through; 0 means 64
	SharedKeys int        // number of keys for all workers; 0 means that each has its own
	// steps of a subscribed connection: SUBSCRIBE, then the message; for Fanout only the first
	Listen      []Step
	Subscribers int           // of a Fanout
	GoClient    bool          // goroutines on Go's net package in place of the epoll loop
	Warmup      time.Duration // load before the window
	Window      time.Duration // what the result is about
	// prefix of the files for profiles of the generator; empty: none
	Profile string
}

// Step is one command and the replies it may have; any other reply, and every error reply, ends the run.
type Step struct {
	Args     []string // the command; may hold KeyDigits and HolderDigits
	Want     string   // what the reply begins with, as in "$-1" or "+OK"; empty: anything but an error
	Rejected string   // a reply with this prefix ends the cycle early: another client holds the lock. "" for none.
	Timed    bool     // the latency of this step is recorded
}

// name is the command, for errors; a step without a command waits for a message.
func (s *Step) name() string {
	if len(s.Args) == 0 {
		return "what was awaited"
	}
	return s.Args[0]
}

// defaultOwnKeys lets successive cycles of a worker use different keys, as different locks of a program would be.
const defaultOwnKeys = 64

func (s *Spec) ownKeys() int {
	if s.OwnKeys == 0 {
		return defaultOwnKeys
	}
	return s.OwnKeys
}

// script is all that a worker goes through, the opening first. A cycle after the first starts at Steps.
func (s *Spec) script() []Step {
	return append(append([]Step(nil), s.Opening...), s.Steps...)
}
