package lock

import (
	"context"
	"time"
)

// alarm is a waiter's clock. It is made when it is first needed: most waiters are not the first of their queue, and only
// that one watches the time.
type alarm struct {
	clock Clock
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
		a.timer = armAt(a.clock, a.timer, at, a.ring)
	}
	a.at = at
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
	over := make(chan struct{}, 1)
	timer := armAt(c.clock, nil, at, func() {
		select {
		case over <- struct{}{}:
		default: // the timer was armed twice
		}
	})
	defer timer.Stop()
	select {
	case <-over:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	case <-c.ctx.Done():
		return errClosing
	}
}
