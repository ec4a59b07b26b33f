package lock

import (
	"context"
	"time"
)

// attempts is how often an attempt is made while the server does not answer: as often as go-redis would by itself, which is
// kept from it, because after a lost reply it is not the same command that must follow.
const attempts = 4

// attempt tries to take the lock once, and sees that through lost replies and answers that ask for patience.
func (a *acquisition) attempt(ctx context.Context) (r reply, err error) {
	pause := firstPause
	for n := range attempts {
		if n > 0 {
			if a.h.c.sleep(ctx, pause) != nil {
				return r, err
			}
			pause *= 4
		}
		r, err = a.try(ctx)
		if err == nil {
			return r, nil
		}
		again, ambiguous := worthRepeating(err)
		a.doubt = a.doubt || ambiguous
		if !again {
			return r, err
		}
	}
	return r, err
}

// try sends one attempt. If an earlier one may have been carried out it asks for that first: the owner's name on the server
// is the proof, and the lease then counts from that earlier one.
func (a *acquisition) try(ctx context.Context) (reply, error) {
	now := a.h.c.clock.Now()
	if a.doubt && !a.h.shared {
		if r, err := a.h.kind.recall(ctx, a.h.owner); err != nil || r.held {
			return r, err
		}
	}
	a.sent = now // not later: what was delayed may have been carried out since the question
	return a.h.kind.acquire(ctx, a.h.owner, a.h.lease, a.rest())
}

// rest is what is left of the wait.
func (a *acquisition) rest() time.Duration {
	if a.wait == unlimited || a.wait == 0 {
		return a.wait
	}
	return max(a.wait-a.h.c.clock.Now().Sub(a.asked), time.Millisecond)
}

// abandon sees that nothing is left of an acquisition that has failed: if an attempt may have been carried out, or may be
// yet, it is undone in the background. An owner given with As may hold the lock by another handle and is left alone; what
// it may have taken lapses with its lease.
func (a *acquisition) abandon() {
	if !a.doubt || a.h.shared {
		return
	}
	a.h.c.background(func() { a.undo(a.h.c.ctx) })
}

// undo repeats until the server says that the owner has nothing, or the lease is over.
func (a *acquisition) undo(ctx context.Context) {
	end := after(a.sent, a.h.lease)
	for pause := firstPause; a.h.c.clock.Now().Before(end); pause = min(2*pause, lastPause) {
		var request [32]byte
		a.h.c.id.appendRequest(request[:0])
		r, err := a.h.kind.release(ctx, a.h.owner, a.h.lease, request[:])
		if err == nil && r != stillHeld || a.h.c.sleep(ctx, pause) != nil {
			return
		}
	}
}
