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
	// longLease is the lease of every lock in these tests, in both languages. No test waits for its end.
	longLease = 60 * time.Second
	// messageTimeout is how long a test waits for the effect of a message. Only a failing test waits so long.
	messageTimeout = 30 * time.Second
)

// lockRef is the kind and the name of a lock. The kinds are those of redisson/…/interop/LockAdapters.java.
type lockRef struct{ kind, name string }

// lockThread is a Java thread or a goroutine that acquires and releases locks, one lock at a time.
type lockThread interface {
	acquire(lockRef) error
	tryAcquire(lockRef) (acquired bool, err error)
	release(lockRef) error
	// race waits for the other threads of the race. Then it executes the critical section this many times, holding the
	// lock. The verb says what it does there: count, read, or limit, which checks that at most limit threads are inside.
	// race returns how often the previous thread was of the other language; for limit, the highest number of threads
	// inside.
	race(verb string, p lockRef, rounds, limit int) (int, error)
}

// javaThread is a thread of the Java process.
type javaThread struct {
	process         *javaProcess
	servers, thread string // servers with commas between
	token           string
}

func (j *javaThread) call(verb string, p lockRef, more ...string) (string, error) {
	words := append([]string{verb, p.kind, p.name}, more...)
	select {
	case a := <-j.process.start(j.servers, j.thread, words...):
		return a.result, a.err
	case <-time.After(longLease - 10*time.Second):
		return "", fmt.Errorf("java: %s %s: no response", verb, p.kind)
	}
}

func (j *javaThread) acquire(p lockRef) (err error) {
	j.token, err = j.call("acquire", p)
	return err
}

func (j *javaThread) tryAcquire(p lockRef) (bool, error) {
	token, err := j.call("try-acquire", p)
	if err != nil || token == "taken" {
		return false, err
	}
	j.token = token
	return true, nil
}

func (j *javaThread) release(p lockRef) error {
	_, err := j.call("release", p, j.token)
	return err
}

func (j *javaThread) race(verb string, p lockRef, rounds, limit int) (int, error) {
	result, err := j.call(verb, p, strconv.Itoa(rounds), strconv.Itoa(limit), strconv.Itoa(raceThreads))
	if err != nil {
		return 0, err
	}
	return strconv.Atoi(result)
}

// goThread is a goroutine.
type goThread struct {
	clients []*lock.Client // of each server; a lock on one server is on the first
	rdb     *redis.Client
	unlock  func(context.Context) error // of the lock that it holds
	token   int64                       // of a fenced lock that it holds
}

func (g *goThread) acquire(p lockRef) error {
	ctx, cancel := context.WithTimeout(context.Background(), longLease-10*time.Second)
	defer cancel()
	return g.take(ctx, p, lock.Locker.Lock, (*lock.PermitSemaphore).Acquire, func(s *lock.Semaphore) error {
		return s.Acquire(ctx, 1)
	})
}

func (g *goThread) tryAcquire(p lockRef) (bool, error) {
	ctx := context.Background()
	err := g.take(ctx, p, lock.Locker.TryLock, (*lock.PermitSemaphore).TryAcquire, func(s *lock.Semaphore) error {
		return s.TryAcquire(ctx, 1)
	})
	if errors.Is(err, lock.ErrTaken) {
		return false, nil
	}
	return err == nil, err
}

// take acquires a lock by the function that is given for its type.
func (g *goThread) take(ctx context.Context, p lockRef,
	mutex func(lock.Locker, context.Context, ...lock.LockOption) (*lock.Handle, error),
	permit func(*lock.PermitSemaphore, context.Context, ...lock.LockOption) (*lock.Permit, error),
	semaphore func(*lock.Semaphore) error,
) error {
	switch p.kind {
	case "semaphore":
		s := g.clients[0].Semaphore(p.name)
		g.unlock = func(ctx context.Context) error { return s.Release(ctx, 1) }
		return semaphore(s)
	case "permits":
		one, err := permit(g.clients[0].PermitSemaphore(p.name), ctx, lock.Lease(longLease))
		if err == nil {
			g.unlock = one.Release
		}
		return err
	default:
		h, err := mutex(locker(g.clients, p), ctx, lock.Lease(longLease))
		if err == nil {
			g.unlock, g.token = h.Unlock, h.Token()
		}
		return err
	}
}

// locker returns a lock.
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

// red returns the red lock of the locks with a name on all servers.
func red(clients []*lock.Client, name string) lock.Locker {
	members := make([]lock.Locker, len(clients))
	for i, c := range clients {
		members[i] = c.Mutex(name)
	}
	return lock.NewRed(members...)
}

func (g *goThread) release(lockRef) error { return g.unlock(context.Background()) }

func (g *goThread) race(verb string, p lockRef, rounds, limit int) (int, error) {
	l := criticalSection{rdb: g.rdb, name: p.name}
	if err := l.awaitOthers(raceThreads); err != nil {
		return 0, err
	}
	for range rounds {
		if err := g.acquire(p); err != nil {
			return 0, err
		}
		err := l.run(verb, limit, g.token)
		if err := errors.Join(err, g.release(p)); err != nil {
			return 0, err
		}
	}
	return l.result, nil
}
