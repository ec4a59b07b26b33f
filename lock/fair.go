package lock

import (
	"context"
	"time"

	"github.com/redis/go-redis/v9"
)

// FairMutex is a lock that is handed out in the order in which it was asked for, across processes and languages, in the
// layout of Redisson's fair lock. A waiter that dies keeps its place until that lapses: after five minutes, or after
// what [WithWait] says, on its own clock.
type FairMutex struct{ locker }

// FairMutex is the fair lock with the given name.
func (c *Client) FairMutex(name string, options ...LockOption) *FairMutex {
	k := &fair{plain: newPlain(c, name), queue: prefixed("redisson_lock_queue", name),
		places: prefixed("redisson_lock_timeout", name)}
	return &FairMutex{locker{c: c, kind: k, sort: "fair lock", name: name, settings: c.lockSettings(options)}}
}

// placeKept is how long the place of a waiter is kept that sets itself no limit (Redisson's fairLockWaitTimeout).
const placeKept = 5 * time.Minute

// fair is the kind of FairMutex: a Mutex with a queue, each of whose owners has a channel of its own.
type fair struct {
	*plain
	queue, places any
}

func (k *fair) now() int64 { return k.c.clock.Now().UnixMilli() }

func placeMillis(wait time.Duration) any {
	if wait <= 0 {
		wait = placeKept
	}
	return leaseMillis(wait)
}

func (k *fair) acquire(ctx context.Context, owner string, lease, wait time.Duration) (reply, error) {
	if wait == 0 {
		args := fairTry.call(3, k.name, k.queue, k.places, leaseMillis(lease), owner, k.now(), placeMillis(wait))
		r, err := acquireReply(k.c.eval(ctx, atMostOnce, fairTry, args))
		r.ttl = 0 // the script does not tell
		return r, err
	}
	args := fairAcquire.call(3, k.name, k.queue, k.places, leaseMillis(lease), owner, placeMillis(wait), k.now())
	return acquireReply(k.c.eval(ctx, atMostOnce, fairAcquire, args))
}

func (k *fair) release(ctx context.Context, owner string, lease time.Duration, request []byte) (release, error) {
	return k.c.releaseWith(ctx, fairRelease, k.latches, request, func(publish, latch any) []any {
		return fairRelease.call(5, k.name, k.queue, k.places, k.notices, latch,
			wakeOne, leaseMillis(lease), owner, k.now(), publish, latchMillis)
	})
}

func (k *fair) giveUp(ctx context.Context, owner string, wait time.Duration) error {
	_, err := k.c.evalAny(ctx, fairGiveUp, fairGiveUp.call(2, k.queue, k.places, owner, placeMillis(wait)))
	if err == redis.Nil {
		return nil
	}
	return err
}

func (k *fair) clear(ctx context.Context) (bool, error) {
	return k.c.clearWith(ctx, fairForce, func(publish any) []any {
		return fairForce.call(4, k.name, k.queue, k.places, k.notices, wakeOne, k.now(), publish)
	})
}

func (k *fair) channel(owner string) string { return k.notices.(string) + ":" + owner }

func (k *fair) look(ctx context.Context, p redis.Pipeliner) func(*Info) {
	hash, queue := k.plain.look(ctx, p), p.LRange(ctx, k.queue.(string), 0, -1)
	return func(i *Info) {
		hash(i)
		i.Waiters = queue.Val()
	}
}
