package lock

import (
	"context"
	"time"

	"github.com/minilockd/minilockd/expiry"
	"github.com/minilockd/minilockd/internal/lockrank"
)

// A Handle is of one lock, or of the group of locks that a [Multi] or [Red] takes; group tells which. It is one type
// since both have the same state, holds, context and channel of Lost, all under mu. Only Deadline, Reenter, Extend and
// Unlock differ, each by one test of group. An interface for these four would take two more types for the same tests,
// and the shared part would be a third.

// Handle is a lock that is held. It has the identity of the holder, which is a thread in Redisson. All methods are safe
// for concurrent use.
type Handle struct {
	c        *Client
	kind     kind
	kindName string // Event.Kind
	name     string
	owner    string
	shared   bool            // the owner was set with As and may have other handles
	values   context.Context // for the values of Context
	start    time.Time       // when the lock was taken
	maxEnd   time.Time       // see MaxHold; zero if there is none

	group *group // the members of a Multi or Red, nil for one lock; with it kind and all fields about a lease are unused

	timer expiry.Timer[Handle] // guarded by watchdog.mu

	unlockMu lockrank.Mutex[lockrank.Unlocking] // one Unlock at a time; locked before mu

	mu           lockrank.Mutex[lockrank.Handle] // guards the rest
	state        state
	holds        int
	lease        time.Duration // last lease sent to the server
	watched      bool          // the watchdog renews it
	deadline     time.Time     // it is known to be held until then
	leaseStart   time.Time     // when the command was sent that deadline counts from
	pendingLease time.Duration // shortest lease that a command without a reply may still set; 0 if there is none
	token        int64
	parent       *Handle       // of the group with this member
	ambiguous    bool          // an attempt without a reply may have added a hold
	request      [32]byte      // ID of the current unlock
	hasRequest   bool          // request is set: an unlock had no reply
	lostChan     chan struct{} // closed when lost; made by Lost
	ctx          context.Context
	cancel       context.CancelCauseFunc
}

// state is the state of a handle.
type state int8

const (
	held      state = iota
	unlocking       // an unlock was sent and has no reply yet
	released
	lost
)

// Name returns the lock's name.
func (h *Handle) Name() string { return h.name }

// Owner returns the identity that holds the lock, uuid:thread. Give it to [As] to take another lock as the same owner.
func (h *Handle) Owner() string { return h.owner }

// Token returns the fencing token of a [FencedMutex]: larger than that of every earlier holder, so that a storage can
// reject writes of a holder whose lease has ended. It is 0 for other locks.
func (h *Handle) Token() int64 {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.token
}

// Deadline returns the time until which the lock is known to be held, on the client's clock: the lease, counted from
// the time just before the command that set it was sent. A renewal moves it. For [Forever] it is centuries away.
func (h *Handle) Deadline() time.Time {
	if h.group != nil {
		return h.group.deadline()
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.deadline
}

// Lost returns a channel that is closed when the lock is lost: at the latest at [Handle.Deadline]. It stays open if the
// lock is unlocked before.
func (h *Handle) Lost() <-chan struct{} {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.lostChan == nil {
		h.lostChan = make(chan struct{})
		if h.state == lost {
			close(h.lostChan)
		}
	}
	return h.lostChan
}

// Context returns a context for the work that the lock protects. It has the values of the context that the lock was
// taken with, but not its end. It is canceled with cause [ErrLost] when the lock is lost, and with cause [ErrNotHeld]
// when it is unlocked.
func (h *Handle) Context() context.Context {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.ctx == nil {
		h.ctx, h.cancel = context.WithCancelCause(context.WithoutCancel(h.values))
		if h.state != held {
			h.cancel(h.endLocked())
		}
	}
	return h.ctx
}

// endLocked returns why the handle no longer holds the lock.
func (h *Handle) endLocked() error {
	if h.state == lost {
		return ErrLost
	}
	return ErrNotHeld
}

// endedLocked cancels the context and closes the channel of Lost. The caller has set the state.
func (h *Handle) endedLocked() {
	if h.cancel != nil {
		h.cancel(h.endLocked())
	}
	if h.lostChan != nil && h.state == lost {
		close(h.lostChan)
	}
}

// lose marks the handle lost and reports whether it was held until now.
func (h *Handle) lose(cause error) bool {
	h.mu.Lock()
	was := h.state
	if was == held || was == unlocking {
		h.state = lost
		h.c.watchdog.drop(h)
		h.endedLocked()
	}
	parent := h.parent
	h.mu.Unlock()
	if parent != nil {
		parent.memberLost()
	}
	if was != held && was != unlocking {
		return false
	}
	h.observe(h.values, Observer.Lost, h.start, cause)
	return true
}

// Reenter takes the lock once more; one more Unlock is then needed to free it. It does not wait: the owner gets its
// lock at once, or the error is [ErrLost].
func (h *Handle) Reenter(ctx context.Context) error {
	if h.group != nil {
		return h.reenterGroup(ctx)
	}
	lease, err := h.usable("reenter")
	if err != nil {
		return err
	}
	sent := h.c.clock.Now()
	r, err := h.kind.acquire(ctx, h.owner, lease, 0)
	switch {
	case err != nil:
		return h.failed(ctx, "reenter", err)
	case !r.held:
		h.lose(ErrNotHeld)
		return h.error("reenter", ErrLost, nil)
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.holds++
	h.token = r.token
	h.confirmLocked(sent, lease)
	return nil
}

// Extend sets the lease to end d from now, or never if d is [Forever]. The watchdog no longer renews the lock.
func (h *Handle) Extend(ctx context.Context, d time.Duration) error {
	if h.group != nil {
		return h.onGroup("extend", func(m *Handle) error { return m.Extend(ctx, d) })
	}
	if _, err := h.usable("extend"); err != nil {
		return err
	}
	sent := h.c.clock.Now()
	done := h.sending(d)
	ok, err := h.kind.renewal().one(ctx, h, d)
	if _, ambiguous := mayRetry(err); err == nil || !ambiguous {
		done()
	}
	switch {
	case err != nil:
		return h.failed(ctx, "extend", err)
	case !ok:
		h.lose(ErrNotHeld)
		return h.error("extend", ErrLost, nil)
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.lease, h.watched = d, false
	h.confirmLocked(sent, d)
	return nil
}

// usable returns the lease of a handle that is held, or an error.
func (h *Handle) usable(op string) (time.Duration, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.state != held {
		return 0, h.error(op, h.endLocked(), nil)
	}
	return h.lease, nil
}

// confirmLocked records that a lease has started no earlier than at sent.
func (h *Handle) confirmLocked(sent time.Time, lease time.Duration) {
	if h.state != held {
		return
	}
	h.leaseStart = sent
	h.deadline = after(sent, h.leastLocked(lease))
	h.c.watchdog.set(h, h.nextLocked(sent))
}

// leastLocked returns how long a lease lasts at least: a command without a reply may be executed after the one that set
// it.
func (h *Handle) leastLocked(lease time.Duration) time.Duration {
	if h.pendingLease > 0 {
		return min(lease, h.pendingLease)
	}
	return lease
}

// pendingLeaseLocked records that a command without a reply may still set that lease.
func (h *Handle) pendingLeaseLocked(lease time.Duration) {
	h.pendingLease = h.leastLocked(lease)
	if end := after(h.leaseStart, h.pendingLease); h.state == held && end.Before(h.deadline) {
		h.deadline = end
		h.c.watchdog.set(h, end)
	}
}

// sending records that a command is about to set the lease, perhaps to a shorter one. The caller calls done once the
// server has replied.
func (h *Handle) sending(lease time.Duration) (done func()) {
	h.mu.Lock()
	defer h.mu.Unlock()
	before := h.pendingLease
	if now := h.c.clock.Now(); after(now, lease).Before(h.deadline) {
		h.leaseStart = now // it is held now, and for lease from whenever the command is executed
		h.pendingLeaseLocked(lease)
	} else {
		h.pendingLease = h.leastLocked(lease)
	}
	return func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		h.pendingLease = before
	}
}

// after returns t + d, or 200 years after t if d is larger.
func after(t time.Time, d time.Duration) time.Time {
	const far = 200 * 365 * 24 * time.Hour
	return t.Add(min(d, far))
}

// nextLocked returns when the watchdog must check the handle.
func (h *Handle) nextLocked(sent time.Time) time.Time {
	if !h.watched || !h.maxEnd.IsZero() && h.deadline.Add(time.Millisecond).After(h.maxEnd) {
		return h.deadline
	}
	if renew := sent.Add(h.lease / 3); renew.Before(h.deadline) {
		return renew
	}
	return h.deadline
}

func (h *Handle) error(op string, err, cause error) *Error {
	return &Error{Op: op, Name: h.name, Owner: h.owner, Err: err, Cause: cause}
}

// failed makes an *Error of an error of go-redis.
func (h *Handle) failed(ctx context.Context, op string, err error) error {
	return h.error(op, classify(ctx, err), err)
}
