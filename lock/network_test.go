package lock_test

import (
	"bytes"
	"context"
	"errors"
	"math/rand/v2"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"github.com/redis/go-redis/v9"
)

func init() { redis.SetLogger(silent{}) }

// silent keeps go-redis from telling of each dial that fails: here many do.
type silent struct{}

func (silent) Printf(context.Context, string, ...any) {}

// network is what lies between the clients and a server in one process: connections that delay what they carry, stall,
// lose what was asked or answered, and break. All of it goes by time.Sleep and net.Pipe, so it lives in a bubble of
// testing/synctest.
type network struct {
	accepted chan net.Conn
	closed   chan struct{}
	shut     sync.Once
}

func newNetwork() *network {
	return &network{accepted: make(chan net.Conn), closed: make(chan struct{})}
}

// Accept, Close and Addr implement net.Listener for the server.
func (n *network) Accept() (net.Conn, error) {
	select {
	case c := <-n.accepted:
		return c, nil
	case <-n.closed:
		return nil, net.ErrClosed
	}
}

func (n *network) Close() error {
	n.shut.Do(func() { close(n.closed) })
	return nil
}

func (n *network) Addr() net.Addr { return inMemory{} }

type inMemory struct{}

func (inMemory) Network() string { return "memory" }
func (inMemory) String() string  { return "memory:0" }

// weather is the chance that something befalls a message, in thousandths, and how long things take.
type weather struct {
	lostRequest, lostReply, stall int
	latency, stalled              time.Duration // at most
}

// wire is one client's way to the server: the faults of all its connections come from one seed.
type wire struct {
	net *network

	mu      sync.Mutex // guards the rest
	rng     *rand.Rand
	weather weather
	down    bool
	conns   map[net.Conn]struct{} // both ends of all that stand
}

func newWire(n *network, seed, client uint64, w weather) *wire {
	return &wire{net: n, rng: rand.New(rand.NewPCG(seed, client)), weather: w, conns: map[net.Conn]struct{}{}}
}

var errDown = &net.OpError{Op: "dial", Net: "memory", Err: errors.New("network is unreachable")}

// dial is go-redis' Dialer.
func (w *wire) dial(_ context.Context, _, _ string) (net.Conn, error) {
	w.mu.Lock()
	down := w.down
	w.mu.Unlock()
	if down {
		return nil, errDown
	}
	client, near := net.Pipe()
	far, server := net.Pipe()
	select {
	case w.net.accepted <- server:
	case <-w.net.closed:
		return nil, errDown
	}
	w.track(near, far)
	calm := new(atomic.Bool)
	w.carry(far, near, func(message []byte) (time.Duration, bool) {
		calm.Store(isGreeting(message))
		return w.fate(calm.Load(), true)
	})
	w.carry(near, far, func([]byte) (time.Duration, bool) { return w.fate(calm.Load(), false) })
	return client, nil
}

// isGreeting reports whether a message is one of those with which go-redis opens a connection. Some of that it does
// under a mutex for which others wait, and a bubble's clock stands while anybody waits for a mutex; so greetings take
// no time.
func isGreeting(message []byte) bool {
	return bytes.Contains(message, []byte("\r\nhello\r\n")) || bytes.Contains(message, []byte("\r\nclient\r\n"))
}

func (w *wire) track(ends ...net.Conn) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, c := range ends {
		w.conns[c] = struct{}{}
	}
}

// carry brings messages from one end to the other until one of them closes. What is on its way when the sender closes
// still arrives, as with TCP, and a sender never waits.
func (w *wire) carry(to, from net.Conn, fate func([]byte) (time.Duration, bool)) {
	way := make(chan []byte, 1000)
	go func() {
		defer close(way)
		buf := make([]byte, 32<<10)
		for {
			n, err := from.Read(buf)
			if n > 0 {
				way <- bytes.Clone(buf[:n])
			}
			if err != nil {
				return
			}
		}
	}()
	go func() {
		defer w.release(to, from)
		for message := range way {
			delay, lost := fate(message)
			time.Sleep(delay)
			if lost {
				return
			}
			if _, err := to.Write(message); err != nil {
				return
			}
		}
	}()
}

// release closes a connection on both sides.
func (w *wire) release(ends ...net.Conn) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, c := range ends {
		_ = c.Close()
		delete(w.conns, c)
	}
}

// fate is what befalls a message: it takes its time, and perhaps never arrives, and its connection breaks.
func (w *wire) fate(calm, request bool) (delay time.Duration, lost bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if calm {
		return 0, false
	}
	delay = time.Duration(w.rng.Int64N(int64(w.weather.latency)))
	dice := w.rng.IntN(1000)
	chance := w.weather.lostReply
	if request {
		chance = w.weather.lostRequest
	}
	switch {
	case dice < chance:
		return delay, true
	case dice < chance+w.weather.stall:
		return time.Duration(w.rng.Int64N(int64(w.weather.stalled))), false
	}
	return delay, false
}

// cut breaks all connections; while down is true none can be made.
func (w *wire) cut(down bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.down = down
	for c := range w.conns {
		_ = c.Close()
	}
}

// heal ends all faults.
func (w *wire) heal() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.down, w.weather = false, weather{latency: time.Microsecond}
}
