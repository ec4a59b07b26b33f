package compat

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/minilockd/minilockd/lock"
)

const (
	// longLease is the lease of every lock here, in both languages: nothing that is over sooner has waited for its end.
	longLease = 60 * time.Second
	// soon is how long a test waits for what a message should bring about. It is only used up when the test fails.
	soon = 30 * time.Second
)

// lockRef is a lock by its kind and name. Kinds have the names that redisson/…/interop/Gates.java gives them.
type lockRef struct{ kind, name string }

// lockThread is one thread of a process, in either language. It can be in one lockRef at a time. Calls come one after another.
type lockThread interface {
	enter(lockRef) error
	try(lockRef) (bool, error) // whether it is in
	leave(lockRef) error
	// race waits for all raceThreads, then goes in and out so many times, and does there what verb says: count, read, or clientGroup,
	// where at most so many may be. It returns how often the one before was of the other language; for a clientGroup, the largest number seen inside.
	race(verb string, p lockRef, rounds, most int) (int, error)
}

// javaThread is a thread in the JVM.
type javaThread struct {
	javaProcess     *javaProcess
	servers, thread string // servers with commas between
	pass            string
}

func (j *javaThread) call(verb string, p lockRef, more ...string) (string, error) {
	words := append([]string{verb, p.kind, p.name}, more...)
	select {
	case a := <-j.javaProcess.start(j.servers, j.thread, words...):
		return a.result, a.err
	case <-time.After(longLease - 10*time.Second):
		return "", fmt.Errorf("java: %s %s: no answer", verb, p.kind)
	}
}

func (j *javaThread) enter(p lockRef) (err error) {
	j.pass, err = j.call("enter", p)
	return err
}

func (j *javaThread) try(p lockRef) (bool, error) {
	pass, err := j.call("try", p)
	if err != nil || pass == "taken" {
		return false, err
	}
	j.pass = pass
	return true, nil
}

func (j *javaThread) leave(p lockRef) error {
	_, err := j.call("leave", p, j.pass)
	return err
}

func (j *javaThread) race(verb string, p lockRef, rounds, most int) (int, error) {
	result, err := j.call(verb, p, strconv.Itoa(rounds), strconv.Itoa(most), strconv.Itoa(raceThreads))
	if err != nil {
		return 0, err
	}
	return strconv.Atoi(result)
}

// goThread is a goroutine. What is taken is given back by the handle.
type goThread struct {
	clients []*lock.Client // on each server; what is on one server is on the first
	rdb     *redis.Client
	out     func(context.Context) error
	token   int64
}

func (g *goThread) enter(p lockRef) error {
	ctx, cancel := context.WithTimeout(context.Background(), longLease-10*time.Second)
	defer cancel()
	return g.take(ctx, p, lock.Locker.Lock, (*lock.PermitSemaphore).Acquire, func(s *lock.Semaphore) error {
		return s.Acquire(ctx, 1)
	})
}

func (g *goThread) try(p lockRef) (bool, error) {
	ctx := context.Background()
	err := g.take(ctx, p, lock.Locker.TryLock, (*lock.PermitSemaphore).TryAcquire, func(s *lock.Semaphore) error {
		return s.TryAcquire(ctx, 1)
	})
	if errors.Is(err, lock.ErrTaken) {
		return false, nil
	}
	return err == nil, err
}

// take takes what there is at a lockRef, in the way that is given for each type of it.
func (g *goThread) take(ctx context.Context, p lockRef,
	mutex func(lock.Locker, context.Context, ...lock.LockOption) (*lock.Handle, error),
	permit func(*lock.PermitSemaphore, context.Context, ...lock.LockOption) (*lock.Permit, error),
	semaphore func(*lock.Semaphore) error,
) error {
	switch p.kind {
	case "semaphore":
		s := g.clients[0].Semaphore(p.name)
		g.out = func(ctx context.Context) error { return s.Release(ctx, 1) }
		return semaphore(s)
	case "permits":
		one, err := permit(g.clients[0].PermitSemaphore(p.name), ctx, lock.Lease(longLease))
		if err == nil {
			g.out = one.Release
		}
		return err
	default:
		h, err := mutex(locker(g.clients, p), ctx, lock.Lease(longLease))
		if err == nil {
			g.out, g.token = h.Unlock, h.Token()
		}
		return err
	}
}

// locker is the lock at a lockRef.
func locker(clients []*lock.Client, p lockRef) lock.Locker {
	locks := clients[0]
	switch p.kind {
	case "plain":
		return locks.Mutex(p.name)
	case "fair":
		return locks.FairMutex(p.name)
	case "read":
		return locks.RWMutex(p.name).RLocker()
	case "write":
		return locks.RWMutex(p.name)
	case "spin":
		return locks.SpinMutex(p.name)
	case "fenced":
		return locks.FencedMutex(p.name)
	case "multi":
		return lock.NewMulti(locks.Mutex(p.name+":1"), locks.Mutex(p.name+":2"))
	case "red":
		return red(clients, p.name)
	}
	panic("no kind of lock: " + p.kind)
}

// red is the majority of the locks of one name on all servers.
func red(clients []*lock.Client, name string) lock.Locker {
	members := make([]lock.Locker, len(clients))
	for i, c := range clients {
		members[i] = c.Mutex(name)
	}
	return lock.NewRed(members...)
}

func (g *goThread) leave(lockRef) error { return g.out(context.Background()) }

func (g *goThread) race(verb string, p lockRef, rounds, most int) (int, error) {
	l := criticalSection{rdb: g.rdb, name: p.name}
	if err := l.assemble(raceThreads); err != nil {
		return 0, err
	}
	for range rounds {
		if err := g.enter(p); err != nil {
			return 0, err
		}
		err := l.run(verb, most, g.token)
		if err := errors.Join(err, g.leave(p)); err != nil {
			return 0, err
		}
	}
	return l.result, nil
}
