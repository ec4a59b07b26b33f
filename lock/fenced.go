package lock

import (
	"context"
	"errors"

	"time"

	"github.com/redis/go-redis/v9"
)

// FencedMutex is a Mutex whose holders get increasing numbers: see [Handle.Token]. It has the layout of Redisson's
// RFencedLock.
type FencedMutex struct{ locker }

// FencedMutex returns the fenced lock with the given name.
func (c *Client) FencedMutex(name string, options ...LockOption) *FencedMutex {
	k := &fencedKind{mutexKind: newPlain(c, name), tokens: addPrefix("redisson_lock_token", name)}
	return &FencedMutex{locker{c: c, kind: k, kindName: "fenced lock", name: name, settings: c.lockSettings(options)}}
}

// fencedKind is the kind of FencedMutex: a Mutex and a counter, which stays when the lock is free.
type fencedKind struct {
	*mutexKind
	tokens any
}

func (k *fencedKind) acquire(ctx context.Context, owner string, lease, _ time.Duration) (reply, error) {
	args := fencedAcquire.call(2, k.name, k.tokens, leaseMillis(lease), owner)
	v, err := k.c.evalAny(ctx, fencedAcquire, args)
	if err != nil {
		return reply{}, err
	}
	list, _ := v.([]any)
	if len(list) != 2 {
		return reply{}, errors.New("lock: unexpected reply of the server")
	}
	ttl, _ := list[0].(int64)
	token, _ := list[1].(int64)
	return reply{held: token > 0, ttl: ttlOf(ttl), token: token}, nil
}

// checkAcquired reads the token in the same transaction: while the owner holds the lock no other gets one.
func (k *fencedKind) checkAcquired(ctx context.Context, owner string) (reply, error) {
	var field, token *redis.StringCmd
	_, err := k.c.rdb.TxPipelined(ctx, func(p redis.Pipeliner) error {
		field, token = p.HGet(ctx, k.name.(string), owner), p.Get(ctx, k.tokens.(string))
		return nil
	})
	if err != nil && !errors.Is(err, redis.Nil) {
		return reply{}, err
	}
	n, _ := token.Int64()
	return reply{held: field.Err() == nil, token: n}, nil
}

func (k *fencedKind) inspect(ctx context.Context, p redis.Pipeliner) func(*Info) {
	hash, token := k.mutexKind.inspect(ctx, p), p.Get(ctx, k.tokens.(string))
	return func(i *Info) {
		hash(i)
		i.Token, _ = token.Int64()
	}
}
