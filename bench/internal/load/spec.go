package load

import "time"

// Markers in the arguments of a [Step], replaced by as many decimal digits.
const (
	KeyDigits    = "######" // the number of the key, another one in each cycle of a worker
	HolderDigits = "@@@@@@" // the number of the worker, the same for the whole run
)

// The ways to a server.
const (
	TCP      = "tcp"
	Unix     = "unix"     // a Unix domain socket
	Loopback = "loopback" // a server in the generator's own process, over TCP
	Memory   = "memory"   // the same, over net.Pipe
	Direct   = "direct"   // the same without connections: the generator calls the command itself
)

// Place is where a server is.
type Place struct {
	Network string // one of the above
	Addr    string // host:port or path; empty where the server is in the generator's process
	PID     int    // the server's process, for its CPU time; 0: the generator's own
}

// Inside tells that the server runs in the generator's process, so that their CPU times can't be told apart.
func (p Place) Inside() bool { return p.Network != TCP && p.Network != Unix }

// Scene is the play that the connections perform.
type Scene string

// The scenes.
const (
	Cycles Scene = "" // workers go through Steps
	// two clients pass a lock to and fro: Steps are acquire and release, Ears what a waiter hears
	HandOver Scene = "hand-over"
	// one connection goes through Steps, which publish; Subscribers begin with Ears and receive
	FanOut Scene = "fan-out"
)

// Spec says what to send, to whom and for how long. It travels as JSON to the process that generates the load.
type Spec struct {
	Place      Place
	Scene      Scene
	Setup      [][]string // commands sent once, before the connections open
	Opening    []Step     // what each worker does once, before its first cycle
	Steps      []Step     // what each worker does in a cycle, in this order
	Conns      int        // connections
	Batch      int        // workers per connection, thus commands per write
	OwnKeys    int        // how many keys each worker cycles through; 0 means 64
	SharedKeys int        // all workers use this many keys; 0 means that each has its own
	// what a connection that listens does: SUBSCRIBE first, the message second, for FanOut no more
	Ears        []Step
	Subscribers int           // of a FanOut
	GoClient    bool          // goroutines on Go's net package in place of the epoll loop
	Warmup      time.Duration // load before the measured window
	Window      time.Duration // the measured window
	// where the generator writes its profiles to, as the beginning of files' names; empty: nowhere
	Profile string
}

// Step is one command and the replies it may have; any other reply, and every error reply, ends the run.
type Step struct {
	Args    []string // the command; may hold KeyDigits and HolderDigits
	Want    string   // what the reply begins with, as in "$-1" or "+OK"; empty: anything but an error
	Refused string   // a reply that begins so ends the cycle early: the lock is held by another; empty: there is none
	Timed   bool     // the latency of this step is recorded
}

// name is for errors.
func (s *Step) name() string {
	if len(s.Args) == 0 {
		return "what was awaited"
	}
	return s.Args[0]
}

const defaultOwnKeys = 64

func (s *Spec) ownKeys() int {
	if s.OwnKeys == 0 {
		return defaultOwnKeys
	}
	return s.OwnKeys
}

// script is all that a worker goes through, the opening first.
func (s *Spec) script() []Step {
	return append(append([]Step(nil), s.Opening...), s.Steps...)
}
