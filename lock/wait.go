package lock

import (
	"context"
	"errors"
	"time"
)

// errWaitOver ends a wait at its own limit.
var errWaitOver = errors.New("the wait is over")

// sleep returns when w is to try, with an error when there is no use in it any more. limit is the end of the wait, zero
// if it has none.
func (h *hub) sleep(ctx context.Context, w *waiter, limit time.Time, a *alarm) error {
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

// parking is one wait: who waits where, and what to do when woken.
type parking struct {
	c           *Client
	sort        string // of lock, for observers
	name, owner string
	channel     string // empty: there are no messages, look again and again
	weight      int64  // see waiter.weight
	counts      bool   // see channel.counts
	fragile     bool   // an attempt without a reply must not be followed by another
	asked       time.Time
	attempt     func(context.Context) (reply, error)
	until       func() time.Time // until when it is taken if it has just been got; nil if that says nothing
	last        reply            // of the attempt before

	limit  time.Time // end of the wait; zero if there is none
	owed   bool      // it was told to try, and has no answer
	err    error     // of the server, while it lasts
	failed time.Time // since when
	idle   time.Duration
}

// enter makes an attempt, unless others of this process wait already, and waits if it has to and may.
func (p *parking) enter(ctx context.Context, wait time.Duration) error {
	p.asked = p.c.clock.Now()
	if p.c.closed() {
		return errClosing
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if wait == 0 || !p.c.hub.waiting(p.channel) {
		r, err := p.c.retry(ctx, p.fragile, p.attempt)
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

// wait returns when an attempt has succeeded, with an error when there is no use in waiting any longer.
func (p *parking) wait(ctx context.Context, wait time.Duration) (reply, error) {
	if wait != unlimited {
		p.limit = after(p.asked, wait)
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
	e := Event{Kind: p.sort, Name: p.name, Owner: p.owner}
	e.Err = (&Error{Op: "wait for", Name: p.name, Owner: p.owner}).because(ctx, err, p.err)
	p.c.observe(ctx, Observer.Waited, p.asked, e)
	return r, err
}

// queue waits for messages.
func (p *parking) queue(ctx context.Context) (reply, error) {
	hub := &p.c.hub
	w := hub.join(p.channel, p.weight, p.counts)
	a := alarm{clock: p.c.clock, hold: holdOf(ctx), ring: w.poke}
	defer a.stop()
	r, err := p.turns(ctx, hub, w, &a)
	var until time.Time
	if err == nil && p.until != nil {
		until = p.until()
	}
	hub.leave(w, departure{got: err == nil, until: until, owed: p.owed})
	return r, err
}

// turns sleeps and tries, in turn.
func (p *parking) turns(ctx context.Context, hub *hub, w *waiter, a *alarm) (reply, error) {
	for {
		if err := hub.sleep(ctx, w, p.limit, a); err != nil {
			return p.last, err
		}
		sent := p.c.clock.Now()
		r, err := p.attempt(ctx)
		p.owed = err != nil
		if err == nil && r.held {
			return r, nil
		}
		pause, err := p.pause(ctx, r, err)
		if err != nil {
			return p.last, err
		}
		if pause == Forever {
			hub.retry(w, time.Time{})
			continue
		}
		hub.retry(w, sent.Add(pause))
	}
}

// pause is how long to sleep after an attempt that failed if no message comes, or why there is no use in it: the server
// has refused, or has not been there for as long as a lease.
func (p *parking) pause(ctx context.Context, r reply, err error) (time.Duration, error) {
	if err == nil {
		p.last, p.err, p.failed = r, nil, time.Time{}
		if r.ttl > 0 {
			p.idle = 0
			return max(r.ttl, r.ttl+time.Millisecond), nil // the key is there until the millisecond is over
		}
		return p.longer(), nil
	}
	again, ambiguous := worthRepeating(err)
	if ctx.Err() != nil {
		return 0, ctx.Err()
	}
	now := p.c.clock.Now()
	if p.err = err; p.failed.IsZero() {
		p.failed = now
	}
	if !again || p.fragile && ambiguous || now.Sub(p.failed) > p.c.watchdog.lease {
		return 0, err
	}
	return p.longer(), nil
}

// longer is a pause twice the one before.
func (p *parking) longer() time.Duration {
	p.idle = min(max(2*p.idle, firstPause), lastPause)
	return p.idle
}
