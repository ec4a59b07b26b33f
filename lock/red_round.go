package lock

import (
	"context"
	"errors"
	"time"
)

// How long servers that are late are waited for: when there is a majority without them, or somebody else has a part,
// and when nothing else is known. Who holds a part for long is in the way of others; but each time that a round has
// failed it may wait a grace longer, so that servers which are only slow are heard in the end.
const (
	redGrace    = 50 * time.Millisecond
	redPatience = time.Second
)

// errSilent is said of a member whose server is not waited for any longer.
var errSilent = errors.New("no answer yet")

// vote is what came of one member.
type vote struct {
	at  int
	h   *Handle // nil if it was not taken
	err error
}

// ask takes one member, and waits for it so long.
func (r *Red) ask(ctx context.Context, at int, options []LockOption, wait time.Duration) vote {
	h, err := r.members[at].Lock(ctx, append(options[:len(options):len(options)], WithWait(wait))...)
	return vote{at, h, err}
}

// ballot is what is asked in a round, and what comes of it.
type ballot struct {
	first   vote // of the member that is held already, if it has a handle
	options []LockOption
	wait    time.Duration // for each member that somebody else has
	doubt   time.Duration // how long to wait for the late ones when somebody else has a member

	r     *Red
	votes chan vote
	held  []*Handle
	no    []vote
	late  int // have not answered
}

// round asks all members at once. If there is no majority it gives back all, and tells which was the first member that
// somebody else has.
func (r *Red) round(ctx context.Context, b ballot) (h *Handle, taken int, err error) {
	asking, cancel := context.WithCancel(ctx)
	defer cancel()
	b.r, b.late, b.votes = r, len(r.members), make(chan vote, len(r.members))
	for i := range r.members {
		if b.first.h != nil && b.first.at == i {
			b.votes <- b.first
			continue
		}
		go func() { b.votes <- r.ask(asking, i, b.options, b.wait) }()
	}
	b.collect(ctx, b.wait+redPatience, func() bool { return b.won() || b.lost() || b.contended() })
	switch {
	case b.won():
		b.collect(ctx, redGrace, func() bool { return false })
	case !b.lost():
		b.collect(ctx, b.doubt, func() bool { return b.won() || b.lost() })
	}
	cancel()
	if b.late > 0 {
		go b.dismiss(ctx, b.late)
	}
	if !b.won() {
		unlockAll(ctx, b.held)
		return nil, b.taken(), b.refused(ctx)
	}
	return newGroupHandle(ctx, b.held, r.need(), true), 0, nil
}

func (b *ballot) won() bool { return len(b.held) >= b.r.need() }

// lost reports that there can be no majority any more.
func (b *ballot) lost() bool { return len(b.no) > len(b.r.members)-b.r.need() }

// contended reports that somebody else has a member.
func (b *ballot) contended() bool { return b.taken() < len(b.r.members) }

// collect counts votes until there are enough, or all, or so much time is over.
func (b *ballot) collect(ctx context.Context, patience time.Duration, enough func() bool) {
	over := make(chan struct{})
	timer := b.r.base().c.clock.AfterFunc(patience, func() { close(over) })
	defer timer.Stop()
	for b.late > 0 && !enough() {
		select {
		case v := <-b.votes:
			b.count(v)
		case <-over:
			return
		case <-ctx.Done():
			return
		}
	}
}

func (b *ballot) count(v vote) {
	b.late--
	if v.err != nil {
		b.no = append(b.no, v)
		return
	}
	b.held = append(b.held, v.h)
}

// dismiss gives back what comes too late.
func (b *ballot) dismiss(ctx context.Context, late int) {
	for range late {
		if v := <-b.votes; v.h != nil {
			_ = v.h.Unlock(ctx)
		}
	}
}

// taken is the first member that somebody else has.
func (b *ballot) taken() int {
	first := len(b.r.members)
	for _, v := range b.no {
		if isTaken(v.err) {
			first = min(first, v.at)
		}
	}
	return first
}

func isTaken(err error) bool { return errors.Is(err, ErrTaken) || errors.Is(err, ErrTimeout) }

// refused is the error of a round without majority.
func (b *ballot) refused(ctx context.Context) error {
	e := &Error{Op: "lock", Name: b.r.Name(), Err: ErrUnavailable}
	var errs []error
	for _, v := range b.no {
		errs = append(errs, v.err)
		if errors.Is(v.err, ErrClosed) || errors.Is(v.err, ErrWrongType) {
			e.Err = classifyMember(v.err)
		}
	}
	if b.late > 0 {
		errs = append(errs, errSilent)
	}
	e.Cause = errors.Join(errs...)
	switch {
	case ctx.Err() != nil:
		e.Err, e.Cause = ErrTimeout, timedOut(ctx)
	case e.Err == ErrUnavailable && b.contended():
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
