package lock

import (
	"context"
	"errors"
	"time"
)

// errWaitOver ends a wait whose limit has passed.
var errWaitOver = errors.New("the wait is over")

// sleep returns when w is to try, with an error if the wait has ended. limit is the end of the wait, zero if it has
// none.
func (h *hub) sleep(ctx context.Context, w *waiter, limit time.Time, a *wakeTimer) error {
	for {
		now := h.c.clock.Now()
		try, until, err := h.poll(w, now)
		switch {
		case err != nil || try:
			return err
		case !limit.IsZero() && !now.Before(limit):
			return errWaitOver
		case !limit.IsZero() && (until.IsZero() || limit.Before(until)):
			until = limit
		}
		a.set(until)
		a.hold.rest()
		select {
		case <-w.wake:
		case <-ctx.Done():
			return ctx.Err()
		case <-h.c.ctx.Done():
			return errClosing
		}
	}
}

// waitingCall is one call that waits: for what, on which channel, and what it does when woken.
type waitingCall struct {
	c              *Client
	kindName       string // Event.Kind
	name, owner    string
	channel        string // empty for a kind without messages, which polls
	weight         int64  // see waiter.weight
	carriesPermits bool   // see channel.carriesPermits
	noRetry        bool   // an attempt without a reply must not be repeated
	started        time.Time
	attempt        func(context.Context) (reply, error)
	until          func() time.Time // returns the end of the lease just taken; nil if the next waiter can't use it
	last           reply            // of the last attempt

	limit   time.Time // end of the wait; zero if it has none
	mustTry bool      // it was to try, and has no reply
	err     error     // error of the server since failed
	failed  time.Time // time of the first error in a row
	idle    time.Duration
}

// start makes an attempt, unless other calls of this client wait already, then waits unless wait is 0.
func (p *waitingCall) start(ctx context.Context, wait time.Duration) error {
	p.started = p.c.clock.Now()
	if p.c.closed() {
		return errClosing
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if wait == 0 || !p.c.hub.waiting(p.channel) {
		r, err := p.c.retry(ctx, p.noRetry, p.attempt)
		if err != nil || r.held {
			return err
		}
		if p.last = r; wait == 0 {
			return ErrTaken
		}
	}
	_, err := p.wait(ctx, wait)
	return err
}

// wait returns when an attempt has succeeded, or with the error that ends the wait.
func (p *waitingCall) wait(ctx context.Context, wait time.Duration) (reply, error) {
	if wait != unlimited {
		p.limit = after(p.started, wait)
	}
	ctx, end := p.c.holding(ctx)
	defer end()
	var r reply
	var err error
	if p.channel == "" {
		r, err = p.spin(ctx)
	} else {
		r, err = p.queue(ctx)
	}
	e := Event{Kind: p.kindName, Name: p.name, Owner: p.owner}
	e.Err = (&Error{Op: "wait for", Name: p.name, Owner: p.owner}).because(ctx, err, p.err)
	p.c.observe(ctx, Observer.Waited, p.started, e)
	return r, err
}

// queue waits with messages.
func (p *waitingCall) queue(ctx context.Context) (reply, error) {
	if !p.c.enter() {
		return p.last, errClosing
	}
	defer p.c.work.Done()
	hub := &p.c.hub
	w := hub.join(p.channel, p.weight, p.carriesPermits)
	a := wakeTimer{clock: p.c.clock, hold: holdOf(ctx), signal: w.signal}
	defer a.stop()
	r, err := p.loop(ctx, hub, w, &a)
	var until time.Time
	if err == nil && p.until != nil {
		until = p.until()
	}
	hub.leave(w, leaveResult{got: err == nil, until: until, mustTry: p.mustTry})
	return r, err
}

// loop sleeps and tries, until it succeeds.
func (p *waitingCall) loop(ctx context.Context, hub *hub, w *waiter, a *wakeTimer) (reply, error) {
	for {
		if err := hub.sleep(ctx, w, p.limit, a); err != nil {
			return p.last, err
		}
		sent := p.c.clock.Now()
		r, err := p.attempt(ctx)
		p.mustTry = err != nil
		if err == nil && r.held {
			return r, nil
		}
		pause, err := p.pause(ctx, r, err)
		if err != nil {
			return p.last, err
		}
		if pause == Forever {
			hub.setRetry(w, time.Time{})
			continue
		}
		hub.setRetry(w, sent.Add(pause))
	}
}

// pause returns how long to sleep after a failed attempt if no message comes, or the error that ends the wait: one that
// a retry does not change, or one that has lasted for longer than a lease.
func (p *waitingCall) pause(ctx context.Context, r reply, err error) (time.Duration, error) {
	if err == nil {
		p.last, p.err, p.failed = r, nil, time.Time{}
		if r.ttl > 0 {
			p.idle = 0
			return max(r.ttl, r.ttl+time.Millisecond), nil // the key exists until the millisecond is over
		}
		return p.longer(), nil
	}
	again, ambiguous := mayRetry(err)
	if ctx.Err() != nil {
		return 0, ctx.Err()
	}
	now := p.c.clock.Now()
	if p.err = err; p.failed.IsZero() {
		p.failed = now
	}
	if !again || p.noRetry && ambiguous || now.Sub(p.failed) > p.c.watchdog.lease {
		return 0, err
	}
	return p.longer(), nil
}

// longer doubles the pause.
func (p *waitingCall) longer() time.Duration {
	p.idle = min(max(2*p.idle, firstPause), lastPause)
	return p.idle
}
