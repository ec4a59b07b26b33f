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

func init() { redis.SetLogger(noLog{}) }

// noLog keeps go-redis from logging the many dials that fail here.
type noLog struct{}

func (noLog) Printf(context.Context, string, ...any) {}

// network simulates the network between clients and a server: connections that delay, stall, lose requests or replies,
// and break. It uses time.Sleep and net.Pipe, and runs in a bubble of testing/synctest.
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

// faultRates is the probability of faults of a message, in thousandths, and the delays.
type faultRates struct {
	lostRequest, lostReply, stall int
	latency, delay                time.Duration // at most
}

// wire is the connections of one client: the faults of all of them come from one seed.
type wire struct {
	net *network

	mu         sync.Mutex // guards the rest
	rng        *rand.Rand
	faultRates faultRates
	down       bool
	conns      map[net.Conn]struct{} // both ends of all open connections
}

func newWire(n *network, seed, client uint64, w faultRates) *wire {
	return &wire{net: n, rng: rand.New(rand.NewPCG(seed, client)), faultRates: w, conns: map[net.Conn]struct{}{}}
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
	noFaults := new(atomic.Bool)
	w.forward(far, near, func(message []byte) (time.Duration, bool) {
		noFaults.Store(isHandshake(message))
		return w.nextFault(noFaults.Load(), true)
	})
	w.forward(near, far, func([]byte) (time.Duration, bool) { return w.nextFault(noFaults.Load(), false) })
	return client, nil
}

// isHandshake reports whether a message is part of go-redis' handshake. go-redis holds a mutex during it, and the clock
// of a bubble stands still while a goroutine waits for a mutex; so handshakes have no delay.
func isHandshake(message []byte) bool {
	return bytes.Contains(message, []byte("\r\nhello\r\n")) || bytes.Contains(message, []byte("\r\nclient\r\n"))
}

func (w *wire) track(ends ...net.Conn) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, c := range ends {
		w.conns[c] = struct{}{}
	}
}

// forward copies messages from one end to the other until one of them closes. As with TCP, what was sent before the
// sender closes is still received, and a sender does not wait.
func (w *wire) forward(to, from net.Conn, nextFault func([]byte) (time.Duration, bool)) {
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
			delay, lost := nextFault(message)
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

// nextFault returns the delay of a message, and whether it is lost, which breaks its connection.
func (w *wire) nextFault(noFaults, request bool) (delay time.Duration, lost bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if noFaults {
		return 0, false
	}
	delay = time.Duration(w.rng.Int64N(int64(w.faultRates.latency)))
	dice := w.rng.IntN(1000)
	chance := w.faultRates.lostReply
	if request {
		chance = w.faultRates.lostRequest
	}
	switch {
	case dice < chance:
		return delay, true
	case dice < chance+w.faultRates.stall:
		return time.Duration(w.rng.Int64N(int64(w.faultRates.delay))), false
	}
	return delay, false
}

// cut breaks all connections; while down is true no new ones can be made.
func (w *wire) cut(down bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.down = down
	for c := range w.conns {
		_ = c.Close()
	}
}

// removeFaults ends all faults.
func (w *wire) removeFaults() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.down, w.faultRates = false, faultRates{latency: time.Microsecond}
}
