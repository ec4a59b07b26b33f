package lock

import (
	"context"
)

// attempts is how often an attempt is made while the server does not answer: as often as go-redis would by itself,
// which is kept from it, because after a lost reply it is not the same command that must follow.
const attempts = 4

// attempt tries to take the lock once, and sees that through lost replies and answers that ask for patience.
func (a *acquisition) attempt(ctx context.Context) (reply, error) {
	r, err := a.try(ctx)
	if err == nil {
		return r, nil
	}
	first := true // has been made
	return a.h.c.retry(ctx, false, func(ctx context.Context) (reply, error) {
		if !first {
			r, err = a.try(ctx)
		}
		first = false
		if err != nil {
			_, ambiguous := worthRepeating(err)
			a.doubt = a.doubt || ambiguous
		}
		return r, err
	})
}

// retry repeats what the server did not answer, or asked to be patient with. What is fragile is not repeated if it may
// have been carried out.
func (c *Client) retry(
	ctx context.Context, fragile bool, try func(context.Context) (reply, error),
) (r reply, err error) {
	pause := firstPause
	for n := range attempts {
		if n == 1 {
			var end func()
			ctx, end = c.holding(ctx)
			defer end()
		}
		if n > 0 {
			if c.sleep(ctx, pause) != nil {
				return r, err
			}
			pause *= 4
		}
		if r, err = try(ctx); err == nil {
			return r, nil
		}
		if again, ambiguous := worthRepeating(err); !again || fragile && ambiguous {
			return r, err
		}
	}
	return r, err
}

// try sends one attempt. If an earlier one may have been carried out it asks for that first: the owner's name on the
// server is the proof, and the lease then counts from that earlier one.
func (a *acquisition) try(ctx context.Context) (reply, error) {
	now := a.h.c.clock.Now()
	if a.doubt && !a.h.shared {
		if r, err := a.h.kind.recall(ctx, a.h.owner); err != nil || r.held {
			return r, err
		}
	}
	a.sent = now // not later: what was delayed may have been carried out since the question
	return a.h.kind.acquire(ctx, a.h.owner, a.h.lease, a.wait)
}

// abandon sees that nothing is left of an acquisition that has failed: its place in a queue is given up, and if an
// attempt may have been carried out, or may be yet, it is undone, in the background. An owner given with As may hold
// the lock by another handle and is left alone; what it may have taken lapses with its lease.
//
// Who leaves a queue may have been told that the lock is free, and be the last who knows. The script that frees a lock
// finds it free then, and tells the next.
func (a *acquisition) abandon() {
	q, queued := a.h.kind.(queueing)
	queued = queued && a.wait != 0
	if undone := (a.doubt || queued) && !a.h.shared; queued || undone {
		a.h.c.backgroundHeld(func(ctx context.Context) {
			a.persist(ctx, func(ctx context.Context) bool {
				return (!queued || q.giveUp(ctx, a.h.owner, a.wait) == nil) && (!undone || a.undo(ctx))
			})
		})
	}
}

// undo gives back what the owner may have, and reports whether the server said that it has nothing.
func (a *acquisition) undo(ctx context.Context) bool {
	if k, ok := a.h.kind.(undoing); ok {
		return k.undo(ctx) == nil
	}
	var request [32]byte
	a.h.c.id.appendRequest(request[:0])
	r, err := a.h.kind.release(ctx, a.h.owner, a.h.lease, request[:])
	return err == nil && r != stillHeld
}

// persist repeats f until it succeeds, the lease would be over, or the client is closed.
func (a *acquisition) persist(ctx context.Context, f func(context.Context) bool) {
	c := a.h.c
	end := after(c.clock.Now(), a.h.lease)
	for pause := firstPause; !f(ctx) && c.clock.Now().Before(end); pause = min(2*pause, lastPause) {
		if c.sleep(ctx, pause) != nil {
			return
		}
	}
}
