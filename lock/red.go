package lock

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"
)

// Red takes a majority of several locks on independent servers (Redisson's RedissonRedLock), so that it works while a
// minority of the servers is down. It needs clocks that run at about the same speed; if a lock must never be held
// twice, check the token of a [FencedMutex] as well.
type Red struct{ members []Locker }

// NewRed returns a lock of a majority of the given ones. It panics if there are none. There should be an odd number of
// them, each on its own server and so with its own client; a server may also be a Cluster or a Sentinel group, which
// then counts as one.
func NewRed(locks ...Locker) *Red {
	if len(locks) == 0 {
		panic("lock: NewRed without locks")
	}
	return &Red{locks}
}

// Name returns the names of all members.
func (r *Red) Name() string { return joinNames(r.members) }

// need returns the size of a majority.
func (r *Red) need() int { return len(r.members)/2 + 1 }

// redQueueWait is how long a call waits for one member before it tries all of them again. redMemberWait is how long it
// then waits for each of the others; it is random, so that one of two calls that hold a minority each gives up first.
const (
	redQueueWait  = time.Second
	redMemberWait = 300 * time.Millisecond
)

// Lock waits until a majority of the members is taken.
//
// A call without a majority releases all, waits for the first member that was taken, and then tries the others. So
// waiting calls queue for one member, as those of Redisson do, which takes the members one after another, and seldom
// hold a minority each.
func (r *Red) Lock(ctx context.Context, options ...LockOption) (*Handle, error) {
	b := r.base().budget(options)
	h, taken, err := r.round(ctx, redRound{options: options, extraWait: redGrace})
	for n := time.Duration(2); isTakenError(err); n++ {
		if b.most(redQueueWait) == 0 {
			return nil, &Error{Op: "lock", Name: r.Name(), Err: ErrTimeout, Cause: err}
		}
		next := redRound{options: options, extraWait: min(n*redGrace, redTimeout)}
		if next.first = r.ask(ctx, taken, options, b.most(redQueueWait)); next.first.err == nil {
			next.wait = b.most(redMemberWait/2 + rand.N(redMemberWait))
		}
		h, taken, err = r.round(ctx, next)
	}
	return h, err
}

// isTakenError reports whether others hold too many members, and there was no other error.
func isTakenError(err error) bool {
	var e *Error
	return errors.As(err, &e) && e.Err == ErrTaken
}

// TryLock takes a majority of the members if it is free, and returns [ErrTaken] if not.
func (r *Red) TryLock(ctx context.Context, options ...LockOption) (*Handle, error) {
	h, _, err := r.round(ctx, redRound{options: options, extraWait: redTimeout})
	return h, err
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
