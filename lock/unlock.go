package lock

import (
	"context"
	"time"
)

// Unlock releases the lock, or one hold of it after [Handle.Reenter]. The watchdog stops, and the handle's context
// ends, before the unlock is sent.
//
// The unlock is sent even if ctx has ended or ends before the reply; rdb's own timeouts then bound it. If no reply
// comes, the error is [ErrUnavailable] and Unlock may be called again: it sends the same request, which the server
// executes once. Otherwise the lock expires with its lease. [ErrLost] means that the lock was lost before, [ErrNotHeld]
// that the handle was unlocked before.
func (h *Handle) Unlock(ctx context.Context) error {
	if h.group != nil {
		return h.unlockGroup(ctx)
	}
	h.unlockMu.Lock()
	defer h.unlockMu.Unlock()
	sent := h.c.clock.Now()
	lease, last, err := h.beginUnlock()
	if err != nil {
		return err
	}
	r, err := h.release(ctx, lease)
	if err == nil && last {
		r, err = h.releaseExtra(ctx, r, lease)
	}
	if err != nil {
		h.awaitEnd()
		return h.failed(ctx, "unlock", err)
	}
	return h.endUnlock(ctx, r, last, lease, sent)
}

// release sends the request, and again if only the context has ended.
func (h *Handle) release(ctx context.Context, lease time.Duration) (r release, err error) {
	if ctx.Err() == nil {
		if r, err = h.kind.release(ctx, h.owner, lease, h.request[:]); ctx.Err() == nil || err == nil {
			return r, err
		}
	}
	return h.kind.release(context.WithoutCancel(ctx), h.owner, lease, h.request[:])
}

// beginUnlock prepares the request, and reports whether it is for the last hold.
func (h *Handle) beginUnlock() (lease time.Duration, last bool, err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.state == released || h.state == lost {
		return 0, false, h.error("unlock", h.endLocked(), nil)
	}
	if !h.hasRequest {
		h.hasRequest = true
		h.c.id.appendRequest(h.request[:0])
	}
	if last = h.holds == 1; last && h.state == held {
		h.state = unlocking
		h.c.watchdog.drop(h)
		h.endedLocked()
	}
	return h.lease, last, nil
}

// maxExtraHolds bounds the extra holds of an owner from attempts without a reply that were executed later.
const maxExtraHolds = 8

// awaitEnd makes an unlock without a reply count as a loss at the end of the lease, unless Unlock is called again.
func (h *Handle) awaitEnd() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.state == unlocking {
		h.c.watchdog.set(h, h.deadline)
	}
}

// releaseExtra repeats the last unlock if the server still counts holds of an owner that only this handle has. For a
// shared lock the reply is about all owners, so this is done only if an attempt was ambiguous.
func (h *Handle) releaseExtra(ctx context.Context, r release, lease time.Duration) (release, error) {
	if _, sharing := h.kind.(sharing); h.shared || sharing && !h.ambiguous {
		return r, nil
	}
	for range maxExtraHolds {
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

// endUnlock handles the result of an unlock.
func (h *Handle) endUnlock(ctx context.Context, r release, last bool, lease time.Duration, sent time.Time) error {
	if r == notOwned {
		h.lose(ErrNotHeld)
		return h.error("unlock", ErrLost, nil)
	}
	h.mu.Lock()
	h.hasRequest = false
	if !last {
		h.confirmLocked(sent, lease)
	}
	h.mu.Unlock()
	h.releasedOne(ctx, last)
	return nil
}

// releasedOne counts a hold that was released.
func (h *Handle) releasedOne(ctx context.Context, last bool) {
	h.mu.Lock()
	h.holds--
	if last = last && h.state == unlocking; last { // else it was lost before the reply
		h.state = released
	}
	h.mu.Unlock()
	if last {
		h.observe(ctx, Observer.Released, h.start, nil)
	}
}
