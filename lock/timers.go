package lock

import (
	"context"
	"time"

	"github.com/minilockd/minilockd/internal/clock"
)

// alarm is a waiter's clock. It is made when it is first needed: most waiters are not the first of their queue, and
// only that one watches the time.
type alarm struct {
	clock Clock
	hold  *clockHold
	ring  func()
	timer Timer
	at    time.Time
}

// set has the alarm ring at a time, or not at all if that is zero.
func (a *alarm) set(at time.Time) {
	switch {
	case at.Equal(a.at):
	case at.IsZero():
		a.timer.Stop()
	default:
		a.timer = clock.At(a.clock, a.timer, at, a.wake)
	}
	a.at = at
}

func (a *alarm) wake() {
	a.hold.begin()
	a.ring()
}

func (a *alarm) stop() {
	if a.timer != nil {
		a.timer.Stop()
	}
}

// sleep waits on the client's clock. It returns an error if ctx or the client ends first.
func (c *Client) sleep(ctx context.Context, d time.Duration) error {
	return c.sleepUntil(ctx, after(c.clock.Now(), d))
}

func (c *Client) sleepUntil(ctx context.Context, at time.Time) error {
	over, hold := make(chan struct{}, 1), holdOf(ctx)
	timer := clock.At(c.clock, nil, at, func() {
		hold.begin()
		select {
		case over <- struct{}{}:
		default: // the timer was armed twice
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
