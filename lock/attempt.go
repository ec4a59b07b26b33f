package lock

import "context"

// attempts is the number of attempts while the server does not reply, as many as go-redis makes. It makes none here,
// since after a lost reply the next command must be another one.
const attempts = 4

// attempt tries to take the lock once. It retries after lost replies and temporary errors.
func (a *lockCall) attempt(ctx context.Context) (reply, error) {
	r, err := a.try(ctx)
	if err == nil {
		return r, nil
	}
	first := true // r and err are those of the attempt above
	return a.h.c.retry(ctx, false, func(ctx context.Context) (reply, error) {
		if !first {
			r, err = a.try(ctx)
		}
		first = false
		if err != nil {
			_, ambiguous := mayRetry(err)
			a.ambiguous = a.ambiguous || ambiguous
		}
		return r, err
	})
}

// retry repeats try after lost replies and temporary errors. With noRetry it does not repeat what may have been
// executed.
func (c *Client) retry(
	ctx context.Context, noRetry bool, try func(context.Context) (reply, error),
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
		if again, ambiguous := mayRetry(err); !again || noRetry && ambiguous {
			return r, err
		}
	}
	return r, err
}

// try sends one attempt. If an earlier one may have been executed it first checks whether the server has the owner's
// name: then the lease counts from that earlier attempt.
func (a *lockCall) try(ctx context.Context) (reply, error) {
	now := a.h.c.clock.Now()
	if a.ambiguous && !a.h.shared {
		if r, err := a.h.kind.checkAcquired(ctx, a.h.owner); err != nil || r.held {
			return r, err
		}
	}
	a.sent = now // not later: a delayed attempt may have been executed since checkAcquired
	return a.h.kind.acquire(ctx, a.h.owner, a.h.lease, a.wait)
}

// cleanUp removes in the background what a failed call may have left on the server: its place in a queue, and a hold if
// an attempt may have been executed, or may still be. An owner set with As may hold the lock by another handle, so its
// hold is left to expire.
//
// A waiter that leaves a queue may have taken the message that the lock is free. The script that releases then finds
// the lock free, and sends the message again.
func (a *lockCall) cleanUp() {
	q, queued := a.h.kind.(queueing)
	queued = queued && a.wait != 0
	if undo := (a.ambiguous || queued) && !a.h.shared; queued || undo {
		a.h.c.backgroundHeld(func(ctx context.Context) {
			a.persist(ctx, func(ctx context.Context) bool {
				return (!queued || q.giveUp(ctx, a.h.owner, a.wait) == nil) && (!undo || a.undo(ctx))
			})
		})
	}
}

// undo releases what the owner may hold, and reports whether the server confirmed that it holds nothing.
func (a *lockCall) undo(ctx context.Context) bool {
	if k, ok := a.h.kind.(undoer); ok {
		return k.undo(ctx) == nil
	}
	var request [32]byte
	a.h.c.id.appendRequest(request[:0])
	r, err := a.h.kind.release(ctx, a.h.owner, a.h.lease, request[:])
	return err == nil && r != stillHeld
}

// persist repeats f until it succeeds, the lease has ended, or the client is closed.
func (a *lockCall) persist(ctx context.Context, f func(context.Context) bool) {
	c := a.h.c
	end := after(c.clock.Now(), a.h.lease)
	for pause := firstPause; !f(ctx) && c.clock.Now().Before(end); pause = min(2*pause, lastPause) {
		if c.sleep(ctx, pause) != nil {
			return
		}
	}
}
