package server

import (
	"time"

	"github.com/minilockd/minilockd/command"
	"github.com/minilockd/minilockd/internal/clock"
	"github.com/minilockd/minilockd/internal/lockrank"
)

// transfer limits what a connection sends and receives, for faults: a partition stops all output, a Restriction stops
// the input or slows down both. A connection has none until it needs one. The driver asks it before it reads or writes;
// when more is allowed than before, transfer calls driver.ready. It is safe for concurrent use.
//
// A slow connection transfers a piece, and the next one only when the time has passed that the first one needed. The
// clock is that of the server, so that a test can move it; it is held until the driver has transferred a piece that is
// due, so that Server.Advance returns only when all is sent for which there was time.
type transfer struct {
	conn  *conn
	clock clock.Clock

	mu       lockrank.Mutex[lockrank.Restrictions] // guards what follows
	cut      bool                                  // by a partition: nothing is sent, but see Session.Controls
	limit    command.Restriction                   // zero for none
	replaced chan struct{}                         // closed when another limit replaces it; nil before the first one
	out, in  pace
	timer    clock.Timer   // nil until it is first used
	hold     func()        // releases the clock; nil while it is not held
	allowed  chan struct{} // closed and replaced when more is allowed than before
	sending  bool          // a goroutine writes as much as is allowed, and calls settled then
	done     chan struct{} // closed when the connection ends
}

// pieces is how many pieces a slow connection transfers in a second, if they have more than one byte each.
const pieces = 20

// restrict returns the transfer of the connection, which it makes if there is none.
func (c *conn) restrict() *transfer {
	if t := c.transfer.Load(); t != nil {
		return t
	}
	t := &transfer{conn: c, clock: c.server.env.Clock, allowed: make(chan struct{}), done: make(chan struct{})}
	if c.transfer.CompareAndSwap(nil, t) {
		return t
	}
	return c.transfer.Load()
}

// Restrict implements command.Peer.
func (c *conn) Restrict(r command.Restriction) {
	t := c.restrict()
	replaced := t.begin(r)
	if replaced == nil {
		return
	}
	c.server.spawn(func() {
		select {
		case <-r.Until:
			t.end(r)
		case <-replaced:
		case <-t.done:
		}
	})
}

// begin sets the restriction, and returns a channel that is closed when another one replaces it; nil if it is set
// already.
func (t *transfer) begin(r command.Restriction) (replaced <-chan struct{}) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.limit == r {
		return nil
	}
	if t.replaced != nil {
		close(t.replaced)
	}
	t.replaced = make(chan struct{})
	t.limit, t.out, t.in = r, pace{}, pace{}
	return t.replaced
}

// end removes the restriction, unless another one has replaced it.
func (t *transfer) end(r command.Restriction) {
	t.change(func() {
		if t.limit == r {
			t.limit, t.out, t.in = command.Restriction{}, pace{}, pace{}
		}
	})
}

// setCut begins or ends a partition.
func (t *transfer) setCut(cut bool) { t.change(func() { t.cut = cut }) }

// change makes a change after which more may be allowed.
func (t *transfer) change(f func()) {
	t.mu.Lock()
	f()
	t.allowLocked()
	t.mu.Unlock()
	t.conn.driver.ready()
}

func (t *transfer) allowLocked() {
	close(t.allowed)
	t.allowed = make(chan struct{})
}

// close ends the timer and the hold. The connection has ended.
func (t *transfer) close() {
	t.mu.Lock()
	defer t.mu.Unlock()
	close(t.done)
	if t.timer != nil {
		t.timer.Stop()
	}
	t.releaseLocked()
}

// stopsReading reports whether nothing is read, for however long.
func (t *transfer) stopsReading() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.limit.NoReading
}

// mayReceive reports whether something may be read.
func (t *transfer) mayReceive() bool {
	n, _ := t.receivable(1)
	return n > 0
}

// receivable returns how many of n bytes may be read now; if none, more is closed when that has changed.
func (t *transfer) receivable(n int) (allowed int, more <-chan struct{}) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.limit.NoReading {
		return 0, t.allowed
	}
	return t.pieceLocked(&t.in, n), t.allowed
}

// received counts bytes that were read. There are more if the read got all that it was allowed.
func (t *transfer) received(n, allowed int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.in.used(n, t.limit.Rate, n == allowed)
}

// isCut reports whether a partition stops all output.
func (t *transfer) isCut() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.cutLocked()
}

// cutLocked lets the replies to the commands through by which a test controls the server.
func (t *transfer) cutLocked() bool { return t.cut && !t.conn.session.Controls() }

// sendable returns how many of n bytes may be written now; if none, more is closed when that has changed.
func (t *transfer) sendable(n int) (allowed int, more <-chan struct{}) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.cutLocked() {
		return 0, t.allowed
	}
	return t.pieceLocked(&t.out, n), t.allowed
}

// send calls write with as much of list as may be written now. It returns 0 if that is nothing.
func (t *transfer) send(list [][]byte, write func([][]byte) (int, error)) (int, error) {
	size := totalSize(list)
	allowed, _ := t.sendable(size)
	if allowed == 0 {
		return 0, nil
	}
	n, err := write(firstBytes(list, allowed))
	t.sent(n, n < size)
	return n, err
}

// sent counts bytes that were written; more says whether others wait.
func (t *transfer) sent(n int, more bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.out.used(n, t.limit.Rate, more)
}

// pace is how fast a slow connection transfers in one direction. The zero value is for one that has transferred
// nothing.
type pace struct {
	next  time.Time // when the next piece may be transferred
	more  bool      // it waits already
	start time.Time // from when on the current piece takes its time
}

// begin returns whether a piece may be transferred now. One that has waited counts from when it was due, so that no
// time is lost if the driver is late.
func (p *pace) begin(now time.Time) bool {
	if now.Before(p.next) {
		return false
	}
	if p.start = now; p.more {
		p.start = p.next
	}
	return true
}

// used counts n bytes of the piece that begin has allowed.
func (p *pace) used(n, rate int, more bool) {
	if rate > 0 && n >= 0 {
		p.next, p.more = p.start.Add(time.Duration(n)*time.Second/time.Duration(rate)), more
	}
}

// pieceLocked returns how many of n bytes may be transferred now. If it is none, it sets the timer.
func (t *transfer) pieceLocked(p *pace, n int) int {
	switch {
	case t.limit.Rate == 0:
		return n
	case !p.begin(t.clock.Now()):
		t.timer = clock.At(t.clock, t.timer, t.firstLocked(), t.due)
		return 0
	}
	return min(n, max(t.limit.Rate/pieces, 1))
}

// firstLocked returns the first time in the future at which something may be transferred.
func (t *transfer) firstLocked() time.Time {
	now, out, in := t.clock.Now(), t.out.next, t.in.next
	if in.After(now) && (in.Before(out) || !out.After(now)) {
		return in
	}
	return out
}

// due runs when a piece may be transferred. It holds the clock until settled is called.
func (t *transfer) due() {
	t.mu.Lock()
	if t.hold == nil && !t.ended() {
		t.hold = clock.Hold(t.clock)
	}
	t.allowLocked()
	t.mu.Unlock()
	t.conn.driver.ready()
}

func (t *transfer) ended() bool {
	select {
	case <-t.done:
		return true
	default:
		return false
	}
}

// setSending says whether a goroutine writes slowly.
func (t *transfer) setSending(on bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.sending = on; !on {
		t.releaseLocked()
	}
}

// settledUnlessSending is settled for the goroutine that reads.
func (t *transfer) settledUnlessSending() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.sending {
		t.releaseLocked()
	}
}

// settled tells that the driver has transferred what was allowed.
func (t *transfer) settled() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.releaseLocked()
}

func (t *transfer) releaseLocked() {
	if t.hold != nil {
		t.hold()
		t.hold = nil
	}
}

// firstBytes returns the first n bytes of a list, which has at least as many.
func firstBytes(list [][]byte, n int) (first [][]byte) {
	for _, b := range list {
		if n == 0 {
			break
		}
		b = b[:min(n, len(b))]
		first, n = append(first, b), n-len(b)
	}
	return first
}

// afterBytes returns what follows the first n bytes of a list.
func afterBytes(list [][]byte, n int) [][]byte {
	for n > 0 && n >= len(list[0]) {
		n -= len(list[0])
		list = list[1:]
	}
	if n == 0 {
		return list
	}
	return append([][]byte{list[0][n:]}, list[1:]...)
}
