package lock

import (
	"context"
	"errors"
	"time"

	"github.com/redis/go-redis/v9"
)

// Mutex is a lock with one owner at a time, in the layout of Redisson's RLock. It is not fair across processes: the
// first attempt while it is free gets it. Within a process waiters get it in their order.
type Mutex struct{ locker }

// Mutex returns the lock with the given name.
func (c *Client) Mutex(name string, options ...LockOption) *Mutex {
	k := newPlain(c, name)
	return &Mutex{locker{c: c, kind: k, kindName: "lock", name: name, settings: c.lockSettings(options)}}
}

// mutexKind is the kind of Mutex: a hash whose field is the owner and whose value is the number of holds.
type mutexKind struct {
	c             *Client
	name, notices any // the key and the channel, as arguments for go-redis
	latchPrefix   string
}

func newPlain(c *Client, name string) *mutexKind {
	return &mutexKind{c: c, name: name, notices: addPrefix("redisson_lock__channel", name),
		latchPrefix: addPrefix("redisson_unlock_latch", name) + ":"}
}

// wakeOne is the message of a freed lock (Redisson's UNLOCK_MESSAGE).
const wakeOne = "0"

func (k *mutexKind) acquire(ctx context.Context, owner string, lease, _ time.Duration) (reply, error) {
	args := mutexAcquire.call(1, k.name, leaseMillis(lease), owner)
	return acquireReply(k.c.eval(ctx, atMostOnce, mutexAcquire, args))
}

func (k *mutexKind) checkAcquired(ctx context.Context, owner string) (reply, error) {
	return checkField(ctx, k.c, k.name, owner)
}

// checkField reports whether a hash has the owner's field.
func checkField(ctx context.Context, c *Client, name any, field string) (reply, error) {
	err := c.rdb.HGet(ctx, name.(string), field).Err()
	if errors.Is(err, redis.Nil) {
		return reply{}, nil
	}
	return reply{held: err == nil}, err
}

func (k *mutexKind) release(ctx context.Context, owner string, lease time.Duration, request []byte) (release, error) {
	return k.c.releaseWith(ctx, mutexRelease, k.latchPrefix, request, func(publish, latch any) []any {
		return mutexRelease.call(3, k.name, k.notices, latch,
			wakeOne, leaseMillis(lease), owner, publish, latchMillis)
	})
}

func (k *mutexKind) renewal() *renewal { return mutexRenewal }

func (k *mutexKind) channel(string) string { return k.notices.(string) }

func (k *mutexKind) clear(ctx context.Context) (bool, error) {
	return k.c.clearWith(ctx, mutexForce, func(publish any) []any {
		return mutexForce.call(2, k.name, k.notices, wakeOne, publish)
	})
}

func (k *mutexKind) inspect(ctx context.Context, p redis.Pipeliner) func(*Info) {
	return readHash(ctx, p, k.name.(string))
}

// mutexRenewal renews locks whose owner is a field of a hash.
var mutexRenewal = batchRenewal(mutexRenew, func(h *Handle, keys, args []any) (k, a []any) {
	return append(keys, h.name), append(args, h.owner)
})
