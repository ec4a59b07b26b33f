package lock

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"
)

// Red is the majority of several locks on servers that are independent of each other (Redisson's RedissonRedLock): it goes
// on when a minority of the servers fails. It needs clocks that run at about the same speed; where a lock must not be held
// twice whatever happens, use the token of a [FencedMutex] as well.
type Red struct{ members []Locker }

// NewRed is the majority of the given locks. They should be an odd number, each on a server, and so a client, of its own.
func NewRed(locks ...Locker) *Red {
	if len(locks) == 0 {
		panic("lock: NewRed without locks")
	}
	return &Red{locks}
}

// Name is the names of all members.
func (r *Red) Name() string { return joinNames(r.members) }

// need is the majority.
func (r *Red) need() int { return len(r.members)/2 + 1 }

// How long a round lasts that has no majority before it is given up for a moment, so that of two halves one yields, and how
// long servers that are late are waited for when there is one.
const (
	redRound = 300 * time.Millisecond
	redGrace = 50 * time.Millisecond
)

// Lock waits until a majority of the members is taken.
func (r *Red) Lock(ctx context.Context, options ...LockOption) (*Handle, error) {
	b := r.base().budget(options)
	for {
		wait := redRound/2 + rand.N(redRound)
		if rest, limited := b.left(); limited {
			wait = min(wait, rest)
		}
		h, err := r.round(ctx, func(ctx context.Context, l Locker) (*Handle, error) {
			return l.Lock(ctx, append(options[:len(options):len(options)], WithWait(wait))...)
		})
		if err == nil || !errors.Is(err, ErrTaken) {
			return h, err
		}
		if rest, limited := b.left(); limited && rest == 0 {
			return nil, &Error{Op: "lock", Name: r.Name(), Err: ErrTimeout, Cause: err}
		}
	}
}

// TryLock takes a majority of the members if so many are free, and returns [ErrTaken] if not.
func (r *Red) TryLock(ctx context.Context, options ...LockOption) (*Handle, error) {
	return r.round(ctx, func(ctx context.Context, l Locker) (*Handle, error) { return l.TryLock(ctx, options...) })
}

// Do is [Mutex.Do] for a majority.
func (r *Red) Do(ctx context.Context, f func(context.Context) error, options ...LockOption) error {
	h, err := r.Lock(ctx, options...)
	if err != nil {
		return err
	}
	return h.do(ctx, f)
}

func (r *Red) base() *locker { return r.members[0].base() }

// vote is what came of one member.
type vote struct {
	h   *Handle
	err error
}

// round asks all members at once, and takes what is late into account for a moment when there is a majority.
func (r *Red) round(ctx context.Context, take func(context.Context, Locker) (*Handle, error)) (*Handle, error) {
	asking, cancel := context.WithCancel(ctx)
	defer cancel()
	votes := make(chan vote, len(r.members))
	for _, l := range r.members {
		go func() {
			h, err := take(asking, l)
			votes <- vote{h, err}
		}()
	}
	var held []*Handle
	var errs []error
	for len(held) < r.need() && len(errs) <= len(r.members)-r.need() {
		held, errs = (<-votes).count(held, errs)
	}
	late := len(r.members) - len(held) - len(errs)
	if len(held) >= r.need() {
		held, late = r.straggle(ctx, votes, held, late)
	}
	cancel()
	if late > 0 {
		go dismiss(ctx, votes, late)
	}
	if len(held) < r.need() {
		unlockAll(ctx, held)
		return nil, r.refused(ctx, errs)
	}
	return newGroupHandle(ctx, held, r.need(), true), nil
}

func (v vote) count(held []*Handle, errs []error) ([]*Handle, []error) {
	if v.err != nil {
		return held, append(errs, v.err)
	}
	return append(held, v.h), errs
}

// straggle waits a moment for the votes that are missing.
func (r *Red) straggle(ctx context.Context, votes <-chan vote, held []*Handle, late int) ([]*Handle, int) {
	over := make(chan struct{})
	timer := r.base().c.clock.AfterFunc(redGrace, func() { close(over) })
	defer timer.Stop()
	for ; late > 0; late-- {
		select {
		case v := <-votes:
			held, _ = v.count(held, nil)
		case <-over:
			return held, late
		case <-ctx.Done():
			return held, late
		}
	}
	return held, 0
}

// dismiss gives back what comes too late.
func dismiss(ctx context.Context, votes <-chan vote, late int) {
	for range late {
		if v := <-votes; v.h != nil {
			_ = v.h.Unlock(ctx)
		}
	}
}

// refused is the error of a round without majority.
func (r *Red) refused(ctx context.Context, errs []error) error {
	e := &Error{Op: "lock", Name: r.Name(), Err: ErrUnavailable, Cause: errors.Join(errs...)}
	taken := 0
	for _, err := range errs {
		switch {
		case errors.Is(err, ErrTaken), errors.Is(err, ErrTimeout):
			taken++
		case errors.Is(err, ErrClosed), errors.Is(err, ErrWrongType):
			e.Err = classifyMember(err)
		}
	}
	switch {
	case ctx.Err() != nil:
		e.Err, e.Cause = ErrTimeout, timedOut(ctx)
	case e.Err == ErrUnavailable && taken > 0:
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
