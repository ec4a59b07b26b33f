package replication

import (
	"context"
	"errors"
	"strconv"
	"sync"
	"time"

	"github.com/minilockd/minilockd/internal/clock"
	"github.com/minilockd/minilockd/internal/lockrank"
)

// unit is what a replica applies at once: a command, or a transaction.
type unit struct {
	calls    [][][]byte
	data     []byte // as the master has sent it
	writes   bool   // it changes something
	wantsAck bool   // the master asks what was applied
	at       time.Time
}

// Lag makes a replica apply later what it has received. The zero value is no lag.
type Lag struct {
	Delay   time.Duration // after it was received, on the server's clock
	Writes  int           // how many units that change something are kept back
	Stopped bool          // nothing is applied
}

// inbox has the units that a replica has received and not applied. All methods are safe for concurrent use.
type inbox struct {
	node *Node

	mu      lockrank.Mutex[lockrank.ReplicaInbox] // guards what follows
	changed sync.Cond                             // there may be something to apply; its lock is mu
	settled sync.Cond                             // there is nothing to apply, or never will be; its lock is mu
	units   []unit
	writes  int // among units
	read    int64
	idle    bool // what is due is applied, and the timer set for what is not
	stopped bool // for ever
	closed  bool // until the next connection
	timer   clock.Timer
	hold    func() // releases the clock, which waits until all that is due is applied; nil while it does not
}

func (b *inbox) init(n *Node) {
	b.node = n
	b.changed.L, b.settled.L = &b.mu, &b.mu
}

// begin empties the inbox, for a new connection that goes on after a byte of the history.
func (b *inbox) begin(offset int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.units, b.writes, b.read, b.closed = nil, 0, offset, false
}

// put adds a unit.
func (b *inbox) put(u unit) {
	b.mu.Lock()
	defer b.mu.Unlock()
	u.at = b.node.env.Clock.Now()
	b.read += int64(len(u.data))
	if u.writes {
		b.writes++
	}
	b.units = append(b.units, u)
	b.idle = false
	b.changed.Signal()
}

// stop drops what is in the inbox, for ever.
func (b *inbox) stop() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.stopped = true
	b.endLocked()
}

// close drops what is in the inbox, since the connection has ended.
func (b *inbox) close() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.closed = true
	b.endLocked()
}

func (b *inbox) endLocked() {
	b.units, b.writes = nil, 0
	b.stopTimerLocked()
	b.releaseLocked()
	b.idle = false
	b.changed.Broadcast()
	b.settled.Broadcast()
}

// next waits for the next unit that is due. ok is false if there will be none. idle is called before it waits.
func (b *inbox) next(idle func()) (u unit, ok bool) {
	for {
		b.mu.Lock()
		u, found := b.takeLocked()
		ended := b.stopped || b.closed
		b.mu.Unlock()
		if found || ended {
			return u, found
		}
		idle()
		b.wait()
	}
}

// wait returns when something has changed, unless a unit is due.
func (b *inbox) wait() {
	b.mu.Lock()
	defer b.mu.Unlock()
	for !b.stopped && !b.closed && !b.dueLocked() {
		b.setTimerLocked()
		b.idle = true
		b.settled.Broadcast()
		b.releaseLocked() // now the clock goes on, to the timer
		b.changed.Wait()
	}
	b.idle = false
	b.stopTimerLocked()
}

// dueLocked reports whether the first unit is to be applied now.
func (b *inbox) dueLocked() bool {
	lag := b.node.lag.Load()
	switch {
	case len(b.units) == 0 || lag.Stopped || lag.Writes > 0 && b.writes <= lag.Writes:
		return false
	case lag.Delay > 0:
		return !b.node.env.Clock.Now().Before(b.units[0].at.Add(lag.Delay))
	}
	return true
}

func (b *inbox) takeLocked() (u unit, ok bool) {
	if b.stopped || b.closed || !b.dueLocked() {
		return u, false
	}
	u = b.units[0]
	b.units = b.units[1:]
	if u.writes {
		b.writes--
	}
	return u, true
}

// setTimerLocked sets the timer for when the first unit is due, if that is a matter of time.
func (b *inbox) setTimerLocked() {
	lag := b.node.lag.Load()
	if len(b.units) == 0 || lag.Delay <= 0 || lag.Stopped || lag.Writes > 0 && b.writes <= lag.Writes {
		return
	}
	b.timer = clock.At(b.node.env.Clock, b.timer, b.units[0].at.Add(lag.Delay), b.wake)
}

func (b *inbox) stopTimerLocked() {
	if b.timer != nil {
		b.timer.Stop()
	}
}

// wake makes wait look again. A clock that is being advanced waits until all that is due is applied.
func (b *inbox) wake() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.hold == nil && !b.stopped && !b.closed {
		b.hold = clock.Hold(b.node.env.Clock)
	}
	b.idle = false
	b.changed.Signal()
}

func (b *inbox) releaseLocked() {
	if b.hold != nil {
		b.hold()
		b.hold = nil
	}
}

// await waits until all that was received up to a byte of the history is applied, apart from what the lag holds back.
// It returns an error if the inbox is stopped, or when ctx ends.
func (b *inbox) await(ctx context.Context, offset int64) error {
	stop := context.AfterFunc(ctx, func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.settled.Broadcast()
	})
	defer stop()
	b.mu.Lock()
	defer b.mu.Unlock()
	for !b.idle || b.read < offset || b.dueLocked() {
		switch {
		case b.stopped:
			return errStopped
		case ctx.Err() != nil:
			return context.Cause(ctx)
		}
		b.settled.Wait()
	}
	return nil
}

// errStopped is the error for who waits for a replica that follows its master no more.
var errStopped = errors.New("the server does not follow that master any more")

// Await waits until the server, a replica, has applied what its master has sent up to a byte of the history, apart from
// what its lag holds back.
func (n *Node) Await(ctx context.Context, offset int64) error {
	if l := n.current(); l != nil {
		return l.inbox.await(ctx, offset)
	}
	return errStopped
}

// received returns the last byte of the history that was received.
func (b *inbox) received() int64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.read
}

// applyAll applies what is due until the connection ends, and confirms it to the master.
func (b *inbox) applyAll(m *master) *sync.WaitGroup {
	var done sync.WaitGroup
	confirmed := int64(-1)
	confirm := func() {
		if applied := m.link.applied.Load(); applied != confirmed {
			confirmed = applied
			_ = m.send("REPLCONF", "ACK", strconv.FormatInt(applied, 10))
		}
	}
	done.Go(func() {
		confirm()
		for u, ok := b.next(confirm); ok; u, ok = b.next(confirm) {
			m.link.apply(u)
			if u.wantsAck {
				confirmed = -1
				confirm()
			}
		}
	})
	return &done
}

// SetLag changes how far the server lags behind its master, from now on. What is due now is applied soon.
func (n *Node) SetLag(lag Lag) {
	n.lag.Store(&lag)
	if l := n.current(); l != nil {
		l.inbox.wake()
	}
}
