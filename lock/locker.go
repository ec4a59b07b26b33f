package lock

import (
	"context"
	"errors"
	"time"
)

// Locker is a lock with an owner: all types but [Semaphore], [PermitSemaphore], [Latch] and [RateLimiter] implement it.
type Locker interface {
	Name() string
	Lock(ctx context.Context, options ...LockOption) (*Handle, error)
	TryLock(ctx context.Context, options ...LockOption) (*Handle, error)
	Do(ctx context.Context, f func(context.Context) error, options ...LockOption) error

	base() *locker
}

// locker implements Locker for all kinds on one server.
type locker struct {
	c        *Client
	kind     kind
	kindName string
	name     string
	settings settings
}

func (l *locker) base() *locker { return l }

// Name returns the lock's name, which is its key on the server.
func (l *locker) Name() string { return l.name }

// Lock waits until the lock is taken, for as long as ctx and [WithWait] allow, and then returns [ErrTimeout].
//
// Without [Lease] the watchdog renews the lock until it is unlocked. Errors of the server end the call
// ([ErrUnavailable]) if it has not started to wait; a wait continues through disconnects and failovers of up to the
// watchdog's lease. A call that returns an error holds nothing and leaves nothing on the server.
func (l *locker) Lock(ctx context.Context, options ...LockOption) (*Handle, error) {
	return l.take(ctx, l.settings.with(options))
}

// TryLock takes the lock if it is free and returns [ErrTaken] if not. It never waits.
func (l *locker) TryLock(ctx context.Context, options ...LockOption) (*Handle, error) {
	s := l.settings.with(options)
	s.wait = 0
	return l.take(ctx, s)
}

// Do runs f while it holds the lock. The context given to f ends with ctx, or with cause [ErrLost] when the lock is
// lost. Do returns the error of f, joined with that of the lock if it could not be taken, was lost, or could not be
// released. The lock is released even if f panics.
func (l *locker) Do(ctx context.Context, f func(context.Context) error, options ...LockOption) error {
	h, err := l.Lock(ctx, options...)
	if err != nil {
		return err
	}
	return h.do(ctx, f)
}

func (h *Handle) do(ctx context.Context, f func(context.Context) error) (err error) {
	inner, cancel := context.WithCancelCause(ctx)
	stop := context.AfterFunc(h.Context(), func() { cancel(context.Cause(h.Context())) })
	defer func() {
		stop()
		err = errors.Join(err, h.Unlock(ctx))
		cancel(nil)
	}()
	return f(inner)
}

// lockCall is one call of Lock or TryLock.
type lockCall struct {
	h         *Handle
	started   time.Time
	sent      time.Time // when the attempt was sent that the lease counts from
	wait      time.Duration
	ambiguous bool  // an attempt without a reply may have been executed
	err       error // last error of the server while waiting
}

func (l *locker) take(ctx context.Context, s settings) (*Handle, error) {
	a := lockCall{h: l.handle(ctx, s), started: l.c.clock.Now(), wait: s.wait}
	r, err := a.begin(ctx)
	if err == nil && !r.held {
		waiting, end := l.c.holding(ctx)
		defer end()
		r, err = a.awaitRelease(waiting, r)
	}
	if err != nil {
		a.cleanUp()
		return nil, a.error(ctx, r, err)
	}
	a.success(ctx, r)
	if l.c.closed() {
		a.undo(context.WithoutCancel(ctx)) // the client was closed in the meantime
		a.h.lose(ErrClosed)
		return nil, a.error(ctx, r, errClosing)
	}
	return a.h, nil
}

// handle returns a handle that does not hold the lock yet.
func (l *locker) handle(ctx context.Context, s settings) *Handle {
	h := &Handle{c: l.c, kind: l.kind, kindName: l.kindName, name: l.name, owner: s.owner,
		shared: s.owner != "" && !s.unique, values: ctx, lease: s.lease}
	if s.owner == "" {
		h.owner = l.c.id.owner()
	}
	if s.lease == 0 {
		h.watched, h.lease = true, l.c.watchdog.lease
	}
	if s.maxHold > 0 && h.watched {
		h.lease = min(h.lease, s.maxHold)
		h.maxEnd = l.c.clock.Now().Add(s.maxHold)
	}
	return h
}

// begin makes the first attempt, unless other calls of this client wait already: a new owner goes behind them.
func (a *lockCall) begin(ctx context.Context) (reply, error) {
	if err := a.over(ctx); err != nil {
		return reply{}, err
	}
	channel := a.h.kind.channel(a.h.owner)
	if a.wait != 0 && !a.h.shared && channel != "" && a.h.c.hub.waiting(channel) {
		return reply{}, nil
	}
	return a.attempt(ctx)
}

// over returns an error if the client or the context has ended.
func (a *lockCall) over(ctx context.Context) error {
	if a.h.c.closed() {
		return errClosing
	}
	return ctx.Err()
}

// awaitRelease waits, unless the call is TryLock.
func (a *lockCall) awaitRelease(ctx context.Context, r reply) (reply, error) {
	if a.wait == 0 {
		return r, ErrTaken
	}
	p := waitingCall{c: a.h.c, kindName: a.h.kindName, name: a.h.name, owner: a.h.owner,
		channel: a.h.kind.channel(a.h.owner), started: a.started,
		attempt: a.attempt, last: r}
	if k, ok := a.h.kind.(sharing); ok {
		p.weight, p.carriesPermits = k.weight()
	}
	p.until = func() time.Time { return after(a.sent, a.h.lease) }
	r, err := p.wait(ctx, a.wait)
	a.err = p.err
	return r, err
}

// success marks the handle as held.
func (a *lockCall) success(ctx context.Context, r reply) {
	h := a.h
	h.start = h.c.clock.Now()
	h.mu.Lock()
	h.holds, h.token, h.ambiguous = 1, r.token, a.ambiguous
	if a.ambiguous {
		h.pendingLease = h.lease
	}
	h.confirmLocked(a.sent, h.lease)
	h.mu.Unlock()
	h.observe(ctx, Observer.Acquired, a.started, nil)
}

// error makes an *Error of what ended the call.
func (a *lockCall) error(ctx context.Context, r reply, err error) error {
	e := a.h.error("lock", nil, nil)
	if r.ttl != Forever {
		e.TTL = r.ttl
	}
	return e.because(ctx, err, a.err)
}
