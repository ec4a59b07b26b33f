package lock

import (
	"context"
	"errors"
	"time"
)

// Locker is a lock with an owner: all but [Semaphore], [PermitSemaphore], [Latch] and [RateLimiter] are.
type Locker interface {
	Name() string
	Lock(ctx context.Context, options ...LockOption) (*Handle, error)
	TryLock(ctx context.Context, options ...LockOption) (*Handle, error)
	Do(ctx context.Context, f func(context.Context) error, options ...LockOption) error

	base() *locker
}

// locker is what all locks with an owner have in common.
type locker struct {
	c        *Client
	kind     kind
	sort     string
	name     string
	settings settings
}

func (l *locker) base() *locker { return l }

// Name is the lock's name, which is its key on the server.
func (l *locker) Name() string { return l.name }

// Lock waits until the lock is taken, for as long as ctx and [WithWait] allow, and then returns [ErrTimeout].
//
// With no [Lease] given the watchdog keeps the lock until it is unlocked. Errors of the server end the call at once if
// it has not begun to wait ([ErrUnavailable]); a wait outlives cuts and failovers of up to the watchdog's lease. A call
// that returns an error holds nothing and leaves nothing behind.
func (l *locker) Lock(ctx context.Context, options ...LockOption) (*Handle, error) {
	return l.take(ctx, l.settings.with(options))
}

// TryLock takes the lock if it is free and returns [ErrTaken] if not. It never waits.
func (l *locker) TryLock(ctx context.Context, options ...LockOption) (*Handle, error) {
	s := l.settings.with(options)
	s.wait = 0
	return l.take(ctx, s)
}

// Do runs f while it holds the lock. The context given to f ends with ctx, and when the lock is lost, with cause
// [ErrLost]. Do returns the error of f, joined with that of the lock if that could not be taken, was lost, or could not
// be given back. The lock is given back even if f panics.
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

// acquisition is one call of Lock or TryLock.
type acquisition struct {
	h     *Handle
	asked time.Time
	sent  time.Time // when the attempt was sent that the lease counts from
	wait  time.Duration
	doubt bool  // an attempt may have been carried out without a reply
	err   error // the last error of the server while waiting
}

func (l *locker) take(ctx context.Context, s settings) (*Handle, error) {
	a := acquisition{h: l.handle(ctx, s), asked: l.c.clock.Now(), wait: s.wait}
	r, err := a.begin(ctx)
	if err == nil && !r.held {
		waiting, end := l.c.holding(ctx)
		defer end()
		r, err = a.awaitRelease(waiting, r)
	}
	if err != nil {
		a.abandon()
		return nil, a.error(ctx, r, err)
	}
	a.success(ctx, r)
	if l.c.closed() {
		a.undo(context.WithoutCancel(ctx)) // the client was closed meanwhile
		a.h.lose(ErrClosed)
		return nil, a.error(ctx, r, errClosing)
	}
	return a.h, nil
}

// handle makes a handle that holds nothing yet.
func (l *locker) handle(ctx context.Context, s settings) *Handle {
	h := &Handle{c: l.c, kind: l.kind, sort: l.sort, name: l.name, owner: s.owner, shared: s.owner != "" && !s.unique,
		values: ctx, lease: s.lease}
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

// begin makes the first attempt, unless others of this process wait already: an owner of its own goes behind them.
func (a *acquisition) begin(ctx context.Context) (reply, error) {
	if err := a.over(ctx); err != nil {
		return reply{}, err
	}
	channel := a.h.kind.channel(a.h.owner)
	if a.wait != 0 && !a.h.shared && channel != "" && a.h.c.hub.waiting(channel) {
		return reply{}, nil
	}
	return a.attempt(ctx)
}

// over is why it is of no use to begin.
func (a *acquisition) over(ctx context.Context) error {
	if a.h.c.closed() {
		return errClosing
	}
	return ctx.Err()
}

// awaitRelease waits, if the caller wants to.
func (a *acquisition) awaitRelease(ctx context.Context, r reply) (reply, error) {
	if a.wait == 0 {
		return r, ErrTaken
	}
	p := parking{c: a.h.c, sort: a.h.sort, name: a.h.name, owner: a.h.owner, channel: a.h.kind.channel(a.h.owner),
		asked:   a.asked,
		attempt: a.attempt, last: r}
	if k, ok := a.h.kind.(sharing); ok {
		p.weight, p.counts = k.weight()
	}
	p.until = func() time.Time { return after(a.sent, a.h.lease) }
	r, err := p.wait(ctx, a.wait)
	a.err = p.err
	return r, err
}

// success makes the handle a holder.
func (a *acquisition) success(ctx context.Context, r reply) {
	h := a.h
	h.start = h.c.clock.Now()
	h.mu.Lock()
	h.holds, h.token, h.doubt = 1, r.token, a.doubt
	if a.doubt {
		h.stray = h.lease
	}
	h.provenLocked(a.sent, h.lease)
	h.mu.Unlock()
	h.observe(ctx, Observer.Acquired, a.asked, nil)
}

// error makes an *Error of what ended the acquisition.
func (a *acquisition) error(ctx context.Context, r reply, err error) error {
	e := a.h.error("lock", nil, nil)
	if r.ttl != Forever {
		e.TTL = r.ttl
	}
	return e.because(ctx, err, a.err)
}
