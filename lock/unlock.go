package lock

import (
	"context"
	"time"
)

// Unlock gives the lock back, or one hold of it after [Handle.Reenter]. The watchdog stops, and the handle's context
// ends, before the unlock is sent.
//
// The unlock is sent even if ctx has ended, or ends meanwhile; rdb's own timeouts bound it then. If no reply comes, the
// error is [ErrUnavailable] and Unlock may be called again: the same request is sent, which the server carries out
// once. If nobody does, the lock lapses with its lease. [ErrLost] means that the lock was lost before, [ErrNotHeld]
// that the handle has been unlocked before.
func (h *Handle) Unlock(ctx context.Context) error {
	if h.group != nil {
		return h.unlockGroup(ctx)
	}
	h.turn.Lock()
	defer h.turn.Unlock()
	sent := h.c.clock.Now()
	lease, last, err := h.beginUnlock()
	if err != nil {
		return err
	}
	r, err := h.release(ctx, lease)
	if err == nil && last {
		r, err = h.releaseSurplus(ctx, r, lease)
	}
	if err != nil {
		h.awaitEnd()
		return h.failed(ctx, "unlock", err)
	}
	return h.endUnlock(ctx, r, last, lease, sent)
}

// release sends the request, once more if it was only the context that ended.
func (h *Handle) release(ctx context.Context, lease time.Duration) (r release, err error) {
	if ctx.Err() == nil {
		if r, err = h.kind.release(ctx, h.owner, lease, h.request[:]); ctx.Err() == nil || err == nil {
			return r, err
		}
	}
	return h.kind.release(context.WithoutCancel(ctx), h.owner, lease, h.request[:])
}

// beginUnlock notes what is about to be sent, and whether it is the last hold.
func (h *Handle) beginUnlock() (lease time.Duration, last bool, err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.state == released || h.state == lost {
		return 0, false, h.error("unlock", h.endLocked(), nil)
	}
	if !h.asked {
		h.asked = true
		h.c.id.appendRequest(h.request[:0])
	}
	if last = h.holds == 1; last && h.state == held {
		h.state = releasing
		h.c.watchdog.drop(h)
		h.endedLocked()
	}
	return h.lease, last, nil
}

// surplus is how many holds too many an owner can have got from attempts without reply that were carried out later.
const surplus = 8

// awaitEnd has an unlock without reply count as a loss when the lease ends and nobody has tried again.
func (h *Handle) awaitEnd() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.state == releasing {
		h.c.watchdog.set(h, h.deadline)
	}
}

// releaseSurplus goes on after the last unlock if the server still counts holds of an owner that nobody else is. The
// answer about a lock that others share tells nothing of the owner, so it is only doubted for a reason.
func (h *Handle) releaseSurplus(ctx context.Context, r release, lease time.Duration) (release, error) {
	if _, sharing := h.kind.(sharing); h.shared || sharing && !h.doubt {
		return r, nil
	}
	for range surplus {
		if r != stillHeld {
			return r, nil
		}
		var request [32]byte
		h.c.id.appendRequest(request[:0])
		next, err := h.kind.release(ctx, h.owner, lease, request[:])
		if err != nil {
			return r, err
		}
		if r = next; r == notOwned {
			return freed, nil
		}
	}
	return r, nil
}

// endUnlock notes what came of it.
func (h *Handle) endUnlock(ctx context.Context, r release, last bool, lease time.Duration, sent time.Time) error {
	if r == notOwned {
		h.lose(ErrNotHeld)
		return h.error("unlock", ErrLost, nil)
	}
	h.mu.Lock()
	h.asked = false
	if !last {
		h.provenLocked(sent, lease)
	}
	h.mu.Unlock()
	h.releasedOne(ctx, last)
	return nil
}

// releasedOne counts a hold that has been given back.
func (h *Handle) releasedOne(ctx context.Context, last bool) {
	h.mu.Lock()
	h.holds--
	if last = last && h.state == releasing; last { // else it was lost while the unlock was on its way
		h.state = released
	}
	h.mu.Unlock()
	if last {
		h.observe(ctx, Observer.Released, h.start, nil)
	}
}
