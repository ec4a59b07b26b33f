package lock

import (
	"context"
	"errors"
	"time"
)

// A round tries all members at once and waits for late ones: for redGrace if there is a majority without them, or if
// another owner has a member, else for redTimeout. A client that holds a minority for long blocks the others; so after
// each failed round it waits redGrace longer, so that slow servers get counted in the end. Given up: the lowest latency
// when a server is down, since each round then waits.
const (
	redGrace   = 50 * time.Millisecond
	redTimeout = time.Second
)

// errNoReply stands for members whose servers have not sent a reply in time.
var errNoReply = errors.New("no answer yet")

// memberResult is the result for one member.
type memberResult struct {
	at  int
	h   *Handle // nil if it was not taken
	err error
}

// ask takes one member, and waits up to wait for it.
func (r *Red) ask(ctx context.Context, at int, options []LockOption, wait time.Duration) memberResult {
	h, err := r.members[at].Lock(ctx, append(options[:len(options):len(options)], WithWait(wait))...)
	return memberResult{at, h, err}
}

// redRound is one round of Red: its settings, and its results.
type redRound struct {
	first     memberResult // the member that is held already, if it has a handle
	options   []LockOption
	wait      time.Duration // for each member that another owner holds
	extraWait time.Duration // how long to wait for late members if another owner holds one

	r       *Red
	results chan memberResult
	held    []*Handle
	failed  []memberResult
	late    int // members without a result
}

// round tries all members at once. If there is no majority it releases all, and returns the first member that another
// owner holds.
func (r *Red) round(ctx context.Context, b redRound) (h *Handle, taken int, err error) {
	asking, cancel := context.WithCancel(ctx)
	defer cancel()
	b.r, b.late, b.results = r, len(r.members), make(chan memberResult, len(r.members))
	for i := range r.members {
		if b.first.h != nil && b.first.at == i {
			b.results <- b.first
			continue
		}
		go func() { b.results <- r.ask(asking, i, b.options, b.wait) }()
	}
	b.collect(ctx, b.wait+redTimeout, func() bool { return b.won() || b.lost() || b.anotherHolds() })
	switch {
	case b.won():
		b.collect(ctx, redGrace, func() bool { return false })
	case !b.lost():
		b.collect(ctx, b.extraWait, func() bool { return b.won() || b.lost() })
	}
	cancel()
	if b.late > 0 {
		go b.releaseLate(ctx, b.late)
	}
	if !b.won() {
		unlockAll(ctx, b.held)
		return nil, b.taken(), b.failure(ctx)
	}
	return newGroupHandle(ctx, b.held, r.need(), true), 0, nil
}

func (b *redRound) won() bool { return len(b.held) >= b.r.need() }

// lost reports whether a majority is no longer possible.
func (b *redRound) lost() bool { return len(b.failed) > len(b.r.members)-b.r.need() }

// anotherHolds reports whether another owner holds a member.
func (b *redRound) anotherHolds() bool { return b.taken() < len(b.r.members) }

// collect counts results until enough reports true, all have come, or timeout has passed.
func (b *redRound) collect(ctx context.Context, timeout time.Duration, enough func() bool) {
	over := make(chan struct{})
	timer := b.r.base().c.clock.AfterFunc(timeout, func() { close(over) })
	defer timer.Stop()
	for b.late > 0 && !enough() {
		select {
		case v := <-b.results:
			b.count(v)
		case <-over:
			return
		case <-ctx.Done():
			return
		}
	}
}

func (b *redRound) count(v memberResult) {
	b.late--
	if v.err != nil {
		b.failed = append(b.failed, v)
		return
	}
	b.held = append(b.held, v.h)
}

// releaseLate releases members that were taken too late.
func (b *redRound) releaseLate(ctx context.Context, late int) {
	for range late {
		if v := <-b.results; v.h != nil {
			_ = v.h.Unlock(ctx)
		}
	}
}

// taken returns the first member that another owner holds.
func (b *redRound) taken() int {
	first := len(b.r.members)
	for _, v := range b.failed {
		if isTaken(v.err) {
			first = min(first, v.at)
		}
	}
	return first
}

func isTaken(err error) bool { return errors.Is(err, ErrTaken) || errors.Is(err, ErrTimeout) }

// failure returns the error of a round without majority.
func (b *redRound) failure(ctx context.Context) error {
	e := &Error{Op: "lock", Name: b.r.Name(), Err: ErrUnavailable}
	var errs []error
	for _, v := range b.failed {
		errs = append(errs, v.err)
		if errors.Is(v.err, ErrClosed) || errors.Is(v.err, ErrWrongType) {
			e.Err = classifyMember(v.err)
		}
	}
	if b.late > 0 {
		errs = append(errs, errNoReply)
	}
	e.Cause = errors.Join(errs...)
	switch {
	case ctx.Err() != nil:
		e.Err, e.Cause = ErrTimeout, timedOut(ctx)
	case e.Err == ErrUnavailable && b.anotherHolds():
		e.Err = ErrTaken
	}
	return e
}

func classifyMember(err error) error {
	if errors.Is(err, ErrClosed) {
		return ErrClosed
	}
	return ErrWrongType
}
