package lock

import (
	"context"
	"time"

	"github.com/minilockd/minilockd/internal/clock"
)

// wakeTimer signals a waiter at a time. The timer is made when it is first set: only the first waiter of a queue needs
// one.
type wakeTimer struct {
	clock  Clock
	hold   *clockHold
	signal func()
	timer  Timer
	at     time.Time
}

// set makes the timer fire at a time, or never if that is zero.
func (a *wakeTimer) set(at time.Time) {
	switch {
	case at.Equal(a.at):
	case at.IsZero():
		a.timer.Stop()
	default:
		a.timer = clock.At(a.clock, a.timer, at, a.fire)
	}
	a.at = at
}

func (a *wakeTimer) fire() {
	a.hold.begin()
	a.signal()
}

func (a *wakeTimer) stop() {
	if a.timer != nil {
		a.timer.Stop()
	}
}

// sleep waits for d on the client's clock. It returns an error if ctx or the client ends first.
func (c *Client) sleep(ctx context.Context, d time.Duration) error {
	return c.sleepUntil(ctx, after(c.clock.Now(), d))
}

func (c *Client) sleepUntil(ctx context.Context, at time.Time) error {
	if !c.enter() {
		return errClosing
	}
	defer c.work.Done()
	over, hold := make(chan struct{}, 1), holdOf(ctx)
	timer := clock.At(c.clock, nil, at, func() {
		hold.begin()
		select {
		case over <- struct{}{}:
		default: // the timer has fired twice
		}
	})
	defer timer.Stop()
	hold.rest()
	select {
	case <-over:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	case <-c.ctx.Done():
		return errClosing
	}
}
