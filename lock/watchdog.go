package lock

import (
	"context"
	"time"

	"github.com/minilockd/minilockd/expiry"
	"github.com/minilockd/minilockd/internal/clock"
	"github.com/minilockd/minilockd/internal/lockrank"
)

// watchdog renews leases and detects when they end. All handles are in one timing wheel; one timer of the client's
// clock is set for the first of them, so that a client that holds nothing costs nothing, and a lock that is freed
// before its first renewal costs two operations on the wheel. The goroutine of the timer detects ends and never waits
// for the network; one goroutine at a time sends renewals, so that a slow server delays renewals but not the detection
// of lost locks.
//
// Lock order: Handle.mu, then watchdog.mu.
type watchdog struct {
	c     *Client
	lease time.Duration
	epoch time.Time // the wheel counts milliseconds from here

	mu     lockrank.Mutex[lockrank.LeaseRenewal] // guards the rest, and the timer in each handle
	wheel  expiry.Wheel[Handle]
	due    []*Handle // due handles, taken from the wheel
	queue  []*Handle // handles to renew
	busy   bool      // a goroutine runs renew
	timer  Timer
	wakeup int64 // when timer fires; 0 if it is not set
	closed bool
}

func (w *watchdog) init(c *Client) { w.c, w.epoch = c, c.clock.Now().Add(-time.Second) }

// millis converts a time to the wheel's. It rounds down, so that an end is detected early rather than late.
func (w *watchdog) millis(t time.Time) int64 { return t.Sub(w.epoch).Milliseconds() }

// set schedules the next check of h, and replaces an earlier one.
func (w *watchdog) set(h *Handle, when time.Time) {
	ms := w.millis(when)
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed {
		return
	}
	w.wheel.Set(&h.timer, h, ms)
	if w.wakeup == 0 || ms < w.wakeup {
		w.setTimerLocked(ms)
	}
}

// drop removes h.
func (w *watchdog) drop(h *Handle) {
	w.mu.Lock()
	w.wheel.Drop(&h.timer)
	w.mu.Unlock()
}

func (w *watchdog) setTimerLocked(ms int64) {
	w.wakeup = ms
	w.timer = clock.At(w.c.clock, w.timer, w.epoch.Add(time.Duration(ms)*time.Millisecond), w.tick)
}

// tick is the function of the timer.
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
		w.setTimerLocked(next)
	}
	w.mu.Unlock()
	w.check(due, now)
}

// check does what each due handle needs.
func (w *watchdog) check(due []*Handle, now time.Time) {
	var renew []*Handle
	for _, h := range due {
		switch h.check(now) {
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

// enqueue adds handles to renew, and starts a goroutine for them unless one runs.
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
