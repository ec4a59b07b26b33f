package lock

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"
)

// Red is the majority of several locks on servers that are independent of each other (Redisson's RedissonRedLock): it
// goes on when a minority of the servers fails. It needs clocks that run at about the same speed; where a lock must not
// be held twice whatever happens, use the token of a [FencedMutex] as well.
type Red struct{ members []Locker }

// NewRed is the majority of the given locks. They should be an odd number, each on a server, and so a client, of its
// own; that server may as well be a Cluster or a group with Sentinels, which then counts as one. Of locks on one
// server, Cluster or group a majority works too, but survives no more than that does.
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

// How long somebody waits in line for one member before it looks at all of them again, and, when it has that one, for
// each of the others; the latter is random, so that of two who have a part each one yields.
const (
	redLine  = time.Second
	redRound = 300 * time.Millisecond
)

// Lock waits until a majority of the members is taken.
//
// Who does not get one gives back what it has, waits for the first member that was taken, and then asks for the others.
// So those who wait stand in one line, as those do who take the members one after another (as Redisson does), and
// seldom have a part each.
func (r *Red) Lock(ctx context.Context, options ...LockOption) (*Handle, error) {
	b := r.base().budget(options)
	h, taken, err := r.round(ctx, ballot{options: options, doubt: redGrace})
	for n := time.Duration(2); isRefusal(err); n++ {
		if b.most(redLine) == 0 {
			return nil, &Error{Op: "lock", Name: r.Name(), Err: ErrTimeout, Cause: err}
		}
		next := ballot{options: options, doubt: min(n*redGrace, redPatience)}
		if next.first = r.ask(ctx, taken, options, b.most(redLine)); next.first.err == nil {
			next.wait = b.most(redRound/2 + rand.N(redRound))
		}
		h, taken, err = r.round(ctx, next)
	}
	return h, err
}

// isRefusal reports that others have too many of the members, and nothing worse.
func isRefusal(err error) bool {
	var e *Error
	return errors.As(err, &e) && e.Err == ErrTaken
}

// TryLock takes a majority of the members if so many are free, and returns [ErrTaken] if not.
func (r *Red) TryLock(ctx context.Context, options ...LockOption) (*Handle, error) {
	h, _, err := r.round(ctx, ballot{options: options, doubt: redPatience})
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
