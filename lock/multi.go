package lock

import (
	"context"
	"errors"
	"strings"
	"time"
)

// Multi takes all of several locks, or none (Redisson's RedissonMultiLock). They may be of different types and on
// different servers.
//
// It waits for one of its locks while it holds none, and then takes the others if they are free; if one is not, it
// releases all and waits for that one. So two Multis with the same locks in different order can't deadlock.
type Multi struct{ members []Locker }

// NewMulti returns a lock of all the given ones. It panics if there are none.
func NewMulti(locks ...Locker) *Multi {
	if len(locks) == 0 {
		panic("lock: NewMulti without locks")
	}
	return &Multi{locks}
}

// Name returns the names of all members.
func (m *Multi) Name() string { return joinNames(m.members) }

// Lock waits until all members are taken. The options apply to each of them; [As] sets the same owner for all.
func (m *Multi) Lock(ctx context.Context, options ...LockOption) (*Handle, error) {
	b := m.base().budget(options)
	for at := 0; ; {
		first, err := m.members[at].Lock(ctx, b.rest(options)...)
		if err != nil {
			return nil, err
		}
		held, blocked, err := m.takeOthers(ctx, at, first, options)
		if err == nil {
			return newGroupHandle(ctx, held, len(held), false), nil
		}
		if !errors.Is(err, ErrTaken) {
			return nil, err
		}
		at = blocked
	}
}

// TryLock takes all members if all are free, and returns [ErrTaken] if not.
func (m *Multi) TryLock(ctx context.Context, options ...LockOption) (*Handle, error) {
	first, err := m.members[0].TryLock(ctx, options...)
	if err != nil {
		return nil, err
	}
	held, _, err := m.takeOthers(ctx, 0, first, options)
	if err != nil {
		return nil, err
	}
	return newGroupHandle(ctx, held, len(held), false), nil
}

// takeOthers takes all members but the one that is held already. If it can't, it releases all and returns the index of
// the one that was taken.
func (m *Multi) takeOthers(ctx context.Context, at int, first *Handle, options []LockOption) (all []*Handle,
	blocked int, err error) {
	all = []*Handle{first}
	for i, l := range m.members {
		if i == at {
			continue
		}
		h, err := l.TryLock(ctx, options...)
		if err != nil {
			unlockAll(ctx, all)
			return nil, i, err
		}
		all = append(all, h)
	}
	return all, 0, nil
}

// Do is [Mutex.Do] for all members together.
func (m *Multi) Do(ctx context.Context, f func(context.Context) error, options ...LockOption) error {
	h, err := m.Lock(ctx, options...)
	if err != nil {
		return err
	}
	return h.do(ctx, f)
}

// unlockAll releases all. What can't be released expires with its lease.
func unlockAll(ctx context.Context, handles []*Handle) {
	for _, h := range handles {
		_ = h.Unlock(ctx)
	}
}

// base returns the first member, for its clock and settings.
func (m *Multi) base() *locker { return m.members[0].base() }

func joinNames(locks []Locker) string {
	names := make([]string, len(locks))
	for i, l := range locks {
		names[i] = l.Name()
	}
	return strings.Join(names, " ")
}

// budget is the time of WithWait for a wait in several steps.
type budget struct {
	clock   Clock
	end     time.Time
	limited bool
}

func (l *locker) budget(options []LockOption) budget {
	s := l.settings.with(options)
	return budget{l.c.clock, after(l.c.clock.Now(), s.wait), s.wait != unlimited}
}

// left returns the time that remains, if there is a limit.
func (b budget) left() (rest time.Duration, limited bool) {
	return max(b.end.Sub(b.clock.Now()), 0), b.limited
}

// most returns d, or the time that remains if that is less.
func (b budget) most(d time.Duration) time.Duration {
	if rest, limited := b.left(); limited {
		return min(d, rest)
	}
	return d
}

// rest adds the remaining time to the options.
func (b budget) rest(options []LockOption) []LockOption {
	rest, limited := b.left()
	if !limited {
		return options
	}
	return append(options[:len(options):len(options)], WithWait(max(rest, time.Nanosecond)))
}
