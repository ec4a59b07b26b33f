package lock

import (
	"context"
	"sync"
	"time"

	"github.com/minilockd/minilockd/expiry"
	"github.com/minilockd/minilockd/internal/clock"
)

// watchdog renews leases and notices when they end. All handles lie in one timing wheel; one timer of the client's
// clock stands for the earliest of them, so that a client that holds nothing costs nothing, and a lock that is freed
// before its first renewal costs two steps in the wheel. Ends are noticed in the timer's goroutine and never wait for
// the network; renewals are sent by one goroutine at a time.
//
// The order of locks is Handle.mu, then watchdog.mu.
type watchdog struct {
	c     *Client
	lease time.Duration
	epoch time.Time // the wheel counts milliseconds from here

	mu     sync.Mutex // guards the rest, and the timer in each handle
	wheel  expiry.Wheel[Handle]
	due    []*Handle // what the wheel handed out
	queue  []*Handle // what is to be renewed
	busy   bool      // somebody renews
	timer  Timer
	wakeup int64 // when timer calls; 0 if it does not
	closed bool
}

func (w *watchdog) init(c *Client) { w.c, w.epoch = c, c.clock.Now().Add(-time.Second) }

// millis is a time on the wheel. It is rounded down: better a millisecond early than late.
func (w *watchdog) millis(t time.Time) int64 { return t.Sub(w.epoch).Milliseconds() }

// set has the watchdog look at h at the given time, and not before.
func (w *watchdog) set(h *Handle, when time.Time) {
	ms := w.millis(when)
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed {
		return
	}
	w.wheel.Set(&h.timer, h, ms)
	if w.wakeup == 0 || ms < w.wakeup {
		w.armLocked(ms)
	}
}

// drop has the watchdog forget h.
func (w *watchdog) drop(h *Handle) {
	w.mu.Lock()
	w.wheel.Drop(&h.timer)
	w.mu.Unlock()
}

func (w *watchdog) armLocked(ms int64) {
	w.wakeup = ms
	w.timer = clock.At(w.c.clock, w.timer, w.epoch.Add(time.Duration(ms)*time.Millisecond), w.tick)
}

// tick is the timer's call.
func (w *watchdog) tick() {
	now := w.c.clock.Now()
	w.mu.Lock()
	if w.closed {
		w.mu.Unlock()
		return
	}
	w.wheel.Advance(w.millis(now), func(h *Handle) { w.due = append(w.due, h) })
	due := w.due
	w.due = nil
	w.wakeup = 0
	if next, ok := w.wheel.Next(); ok {
		w.armLocked(next)
	}
	w.mu.Unlock()
	w.look(due, now)
}

// look decides what each handle needs whose time has come.
func (w *watchdog) look(due []*Handle, now time.Time) {
	var renew []*Handle
	for _, h := range due {
		switch h.look(now) {
		case needsRenewal:
			renew = append(renew, h)
		case hasEnded:
			h.lose(errLeaseEnded)
		}
	}
	if len(renew) > 0 {
		w.enqueue(renew)
	}
}

// enqueue has handles renewed, by whoever does so already or by a goroutine of its own.
func (w *watchdog) enqueue(handles []*Handle) {
	w.mu.Lock()
	w.queue = append(w.queue, handles...)
	start := !w.busy
	w.busy = true
	w.mu.Unlock()
	if start {
		w.c.backgroundHeld(w.renew)
	}
}

// renew sends renewals until none is due.
func (w *watchdog) renew(background context.Context) {
	for {
		w.mu.Lock()
		queue := w.queue
		w.queue = nil
		if w.busy = len(queue) > 0; !w.busy {
			w.mu.Unlock()
			return
		}
		w.mu.Unlock()
		ctx, cancel := context.WithTimeout(background, w.lease/3)
		w.c.renewAll(ctx, queue)
		cancel()
	}
}

// close ends every handle.
func (w *watchdog) close() {
	w.mu.Lock()
	w.closed = true
	if w.timer != nil {
		w.timer.Stop()
	}
	var handles []*Handle
	w.wheel.Each(func(h *Handle) { handles = append(handles, h) })
	w.mu.Unlock()
	for _, h := range handles {
		h.lose(ErrClosed)
	}
}
