package main

import (
	"context"
	"fmt"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"github.com/minilockd/minilockd/bench/internal/load"
)

// manyWaiters is the scenario of many waiters for one lock, which each of them takes once. A client that wakes all
// waiters at each unlock, or lets all of them poll, sends many commands for each turn; that number is the result.
type manyWaiters struct {
	at      load.Place
	client  client
	clients int // that the waiters share
	waiters int
	sent    atomic.Int64 // commands of all clients, see counted
}

const (
	settling  = 500 * time.Millisecond // until all wait
	holding   = time.Millisecond       // for how long each has the lock
	extraTime = 5 * time.Second        // after which waiters give up
)

// counted is a connection that counts what is written to it: commands, as nothing here is in pipelines.
type counted struct {
	net.Conn
	sent *atomic.Int64
}

// Write implements net.Conn.
func (c counted) Write(b []byte) (int, error) {
	c.sent.Add(1)
	return c.Conn.Write(b)
}

// dial is for the go-redis clients of all waiters.
func (h *manyWaiters) dial(ctx context.Context, network, addr string) (net.Conn, error) {
	c, err := new(net.Dialer).DialContext(ctx, network, addr)
	return counted{c, &h.sent}, err
}

// run makes each waiter take the lock once, if there is time for that. Rejected is the number of commands during it.
func (h *manyWaiters) run() (load.Result, error) {
	ctx, cancel := context.WithTimeout(context.Background(), settling+extraTime)
	defer cancel()
	var open []func(string) mutex
	for range h.clients {
		newMutex, end := h.client.open(h.at.Addr, h.dial)
		defer end()
		open = append(open, newMutex)
	}
	const name = "bench:herd"
	unlock, err := open[0](name)(ctx)
	if err != nil {
		return load.Result{}, err
	}
	var queue waiterGroup
	for i := range h.waiters {
		queue.join(ctx, open[i%h.clients](name))
	}
	time.Sleep(settling)
	return withCPU(h.at, func() (load.Result, error) {
		start, before := time.Now(), h.sent.Load()
		if err := unlock(ctx); err != nil {
			return load.Result{}, err
		}
		queue.Wait()
		r := load.Result{Ops: queue.turns.Load(), Rejected: h.sent.Load() - before, Elapsed: time.Since(start)}
		if r.Ops == 0 {
			return r, fmt.Errorf("no waiter got the lock: %w", queue.err)
		}
		return r, queue.err
	})
}

// The lock is held when they start to wait, and released once all wait, so that all are woken, or poll, for one lock.

// waiterGroup is waiters of which each takes the lock once, and gives up when the context ends.
type waiterGroup struct {
	sync.WaitGroup
	turns  atomic.Int64 // had
	failed sync.Once
	err    error // the first; to be read after Wait
}

// join starts a waiter. If the context ends before it has the lock, it has no turn, which is not an error.
func (c *waiterGroup) join(ctx context.Context, m mutex) {
	c.Go(func() {
		unlock, err := m(ctx)
		if err == nil {
			time.Sleep(holding)
			c.turns.Add(1)
			err = unlock(context.WithoutCancel(ctx))
		}
		if err != nil && ctx.Err() == nil {
			c.failed.Do(func() { c.err = fmt.Errorf("waiter: %w", err) })
		}
	})
}
