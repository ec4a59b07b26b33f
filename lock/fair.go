package lock

import (
	"context"
	"time"

	"github.com/redis/go-redis/v9"
)

// FairMutex is a lock that waiters get in their order, across processes and languages, in the layout of Redisson's fair
// lock. The place of a waiter that dies expires after five minutes, or after [WithWait], on its own clock.
type FairMutex struct{ locker }

// FairMutex returns the fair lock with the given name.
func (c *Client) FairMutex(name string, options ...LockOption) *FairMutex {
	k := &fairKind{mutexKind: newPlain(c, name), queue: addPrefix("redisson_lock_queue", name),
		places: addPrefix("redisson_lock_timeout", name)}
	return &FairMutex{locker{c: c, kind: k, kindName: "fair lock", name: name, settings: c.lockSettings(options)}}
}

// placeKept is how long the place of a waiter without WithWait is kept (Redisson's fairLockWaitTimeout).
const placeKept = 5 * time.Minute

// fairKind is the kind of FairMutex: a Mutex with a queue; each owner in it has its own channel.
type fairKind struct {
	*mutexKind
	queue, places any
}

func (k *fairKind) now() int64 { return k.c.clock.Now().UnixMilli() }

func placeMillis(wait time.Duration) any {
	if wait <= 0 {
		wait = placeKept
	}
	return leaseMillis(wait)
}

func (k *fairKind) acquire(ctx context.Context, owner string, lease, wait time.Duration) (reply, error) {
	if wait == 0 {
		args := fairTry.call(3, k.name, k.queue, k.places, leaseMillis(lease), owner, k.now(), placeMillis(wait))
		r, err := acquireReply(k.c.eval(ctx, atMostOnce, fairTry, args))
		r.ttl = 0 // the script does not return it
		return r, err
	}
	args := fairAcquire.call(3, k.name, k.queue, k.places, leaseMillis(lease), owner, placeMillis(wait), k.now())
	return acquireReply(k.c.eval(ctx, atMostOnce, fairAcquire, args))
}

func (k *fairKind) release(ctx context.Context, owner string, lease time.Duration, request []byte) (release, error) {
	return k.c.releaseWith(ctx, fairRelease, k.latchPrefix, request, func(publish, latch any) []any {
		return fairRelease.call(5, k.name, k.queue, k.places, k.notices, latch,
			wakeOne, leaseMillis(lease), owner, k.now(), publish, latchMillis)
	})
}

func (k *fairKind) giveUp(ctx context.Context, owner string, wait time.Duration) error {
	_, err := k.c.evalAny(ctx, fairGiveUp, fairGiveUp.call(2, k.queue, k.places, owner, placeMillis(wait)))
	if err == redis.Nil {
		return nil
	}
	return err
}

func (k *fairKind) clear(ctx context.Context) (bool, error) {
	return k.c.clearWith(ctx, fairForce, func(publish any) []any {
		return fairForce.call(4, k.name, k.queue, k.places, k.notices, wakeOne, k.now(), publish)
	})
}

func (k *fairKind) channel(owner string) string { return k.notices.(string) + ":" + owner }

func (k *fairKind) inspect(ctx context.Context, p redis.Pipeliner) func(*Info) {
	hash, queue := k.mutexKind.inspect(ctx, p), p.LRange(ctx, k.queue.(string), 0, -1)
	return func(i *Info) {
		hash(i)
		i.Waiters = queue.Val()
	}
}
