package lock

import (
	"context"
	"sync"
	"time"

	"github.com/minilockd/minilockd/expiry"
)

// Handle is a lock that was taken: it carries the identity that holds it, where Java has the thread. It may be passed
// between goroutines and used by several at once.
type Handle struct {
	c      *Client
	kind   kind
	sort   string // of lock, for observers
	name   string
	owner  string
	shared bool            // the owner was given with As and may have other handles
	values context.Context // for the values of Context
	start  time.Time       // when the lock was taken
	maxEnd time.Time       // see MaxHold; zero if there is none

	group *group // what it stands for, if it is several locks

	timer expiry.Timer[Handle] // guarded by watchdog.mu

	turn sync.Mutex // one Unlock at a time; taken before mu

	mu       sync.Mutex // guards the rest
	state    state
	holds    int
	lease    time.Duration // as given last to the server
	watched  bool          // the watchdog renews it
	deadline time.Time     // until when it is proven held
	proven   time.Time     // when the command was sent that proves it
	stray    time.Duration // the shortest lease that a command without a reply may give it yet; 0: there is none
	token    int64
	parent   *Handle       // of the group that this is a member of
	doubt    bool          // more holds than one may have been taken
	request  [32]byte      // of the unlock under way
	asked    bool          // request is set: an unlock without a reply
	gone     chan struct{} // closed when lost; made when somebody asks
	ctx      context.Context
	cancel   context.CancelCauseFunc
}

// state is what has become of a handle.
type state int8

const (
	held      state = iota
	releasing       // an unlock has been sent, and no reply has come
	released
	lost
)

// Name is the lock's name.
func (h *Handle) Name() string { return h.name }

// Owner is the identity that holds the lock, uuid:thread. With [As] it takes another lock as the same owner.
func (h *Handle) Owner() string { return h.owner }

// Token is the fencing token of a [FencedMutex]: larger than that of every earlier holder, so that what the lock
// protects can refuse a holder whose time is over. It is 0 for other locks.
func (h *Handle) Token() int64 {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.token
}

// Deadline is the moment until which the lock is proven held, on this process's clock: the lease, counted from before
// the command that last started it was sent. The watchdog moves it on. For a lease without end it is far away.
func (h *Handle) Deadline() time.Time {
	if h.group != nil {
		return h.group.deadline()
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.deadline
}

// Lost is closed at the moment the lock is lost or can no longer be proven held. It stays open if the lock is unlocked
// before.
func (h *Handle) Lost() <-chan struct{} {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.gone == nil {
		h.gone = make(chan struct{})
		if h.state == lost {
			close(h.gone)
		}
	}
	return h.gone
}

// Context is for the work that the lock protects. It has the values of the context that the lock was taken with, but
// not its end. It is cancelled with cause [ErrLost] when the lock is lost, and with cause [ErrNotHeld] when it is
// unlocked.
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

// endLocked is why the handle no longer holds the lock. The caller holds h.mu.
func (h *Handle) endLocked() error {
	if h.state == lost {
		return ErrLost
	}
	return ErrNotHeld
}

// endedLocked tells those who wait for the end. The caller holds h.mu and has set the state.
func (h *Handle) endedLocked() {
	if h.cancel != nil {
		h.cancel(h.endLocked())
	}
	if h.gone != nil && h.state == lost {
		close(h.gone)
	}
}

// lose marks the handle lost and reports whether it was held until now.
func (h *Handle) lose(cause error) bool {
	h.mu.Lock()
	was := h.state
	if was == held || was == releasing {
		h.state = lost
		h.c.watchdog.drop(h)
		h.endedLocked()
	}
	parent := h.parent
	h.mu.Unlock()
	if parent != nil {
		parent.memberLost()
	}
	if was != held && was != releasing {
		return false
	}
	h.observe(h.values, Observer.Lost, h.start, cause)
	return true
}

// Reenter takes the lock once more; it then takes one more Unlock to free it. It does not wait: the owner gets its lock
// at once, or has lost it.
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
	h.provenLocked(sent, lease)
	return nil
}

// Extend lets the lease end d from now, or never if d is [Forever]. From then on the watchdog leaves the lock alone.
func (h *Handle) Extend(ctx context.Context, d time.Duration) error {
	if h.group != nil {
		return h.onGroup("extend", func(m *Handle) error { return m.Extend(ctx, d) })
	}
	if _, err := h.usable("extend"); err != nil {
		return err
	}
	sent := h.c.clock.Now()
	answered := h.sending(d)
	ok, err := h.kind.renewal().one(ctx, h, d)
	if _, ambiguous := worthRepeating(err); err == nil || !ambiguous {
		answered()
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
	h.provenLocked(sent, d)
	return nil
}

// usable reports whether the handle holds its lock, and with what lease.
func (h *Handle) usable(op string) (time.Duration, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.state != held {
		return 0, h.error(op, h.endLocked(), nil)
	}
	return h.lease, nil
}

// provenLocked notes that a lease has started no earlier than at sent. The caller holds h.mu.
func (h *Handle) provenLocked(sent time.Time, lease time.Duration) {
	if h.state != held {
		return
	}
	h.proven = sent
	h.deadline = after(sent, h.leastLocked(lease))
	h.c.watchdog.set(h, h.nextLocked(sent))
}

// leastLocked is what is sure of a lease: a command that was given up may be carried out after the one that set it.
func (h *Handle) leastLocked(lease time.Duration) time.Duration {
	if h.stray > 0 {
		return min(lease, h.stray)
	}
	return lease
}

// strayLocked notes that a command may be carried out now or later that gives the lock such a lease. The caller holds
// h.mu.
func (h *Handle) strayLocked(lease time.Duration) {
	h.stray = h.leastLocked(lease)
	if end := after(h.proven, h.stray); h.state == held && end.Before(h.deadline) {
		h.deadline = end
		h.c.watchdog.set(h, end)
	}
}

// sending notes that the lease is about to be set, perhaps to a shorter one. The function it returns is for when the
// server has answered.
func (h *Handle) sending(lease time.Duration) (answered func()) {
	h.mu.Lock()
	defer h.mu.Unlock()
	before := h.stray
	if now := h.c.clock.Now(); after(now, lease).Before(h.deadline) {
		h.proven = now // it is held now, and for so long whenever the command is carried out
		h.strayLocked(lease)
	} else {
		h.stray = h.leastLocked(lease)
	}
	return func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		h.stray = before
	}
}

// after is a moment d later, at most some centuries.
func after(t time.Time, d time.Duration) time.Time {
	const far = 200 * 365 * 24 * time.Hour
	return t.Add(min(d, far))
}

// nextLocked is when the watchdog must look at the handle. The caller holds h.mu.
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

// failed makes an *Error of one of go-redis.
func (h *Handle) failed(ctx context.Context, op string, err error) error {
	return h.error(op, classify(ctx, err), err)
}
