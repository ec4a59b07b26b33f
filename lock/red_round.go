package lock

import (
	"context"
	"errors"
	"time"
)

// How long servers that are late are waited for: when there is a majority without them, and when it hangs on them.
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

// round asks all members at once, but for the one that is held already, if there is a handle in first. If there is no majority it
// gives back all, and tells which was the first member that somebody else has.
func (r *Red) round(ctx context.Context, first vote, options []LockOption, wait time.Duration) (h *Handle, taken int, err error) {
	asking, cancel := context.WithCancel(ctx)
	defer cancel()
	b := &ballot{r: r, late: len(r.members), votes: make(chan vote, len(r.members))}
	for i := range r.members {
		if first.h != nil && first.at == i {
			b.votes <- first
			continue
		}
		go func() { b.votes <- r.ask(asking, i, options, wait) }()
	}
	if b.collect(ctx, wait+redPatience, b.decided); b.won() {
		b.collect(ctx, redGrace, func() bool { return false })
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

// ballot is the state of a round.
type ballot struct {
	r     *Red
	votes chan vote
	held  []*Handle
	no    []vote
	late  int // have not answered
}

func (b *ballot) won() bool { return len(b.held) >= b.r.need() }

// decided reports whether what is missing does not matter.
func (b *ballot) decided() bool { return b.won() || len(b.no) > len(b.r.members)-b.r.need() }

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
	case e.Err == ErrUnavailable && b.taken() < len(b.r.members):
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
