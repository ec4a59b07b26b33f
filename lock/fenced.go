package lock

import (
	"context"
	"errors"

	"time"

	"github.com/redis/go-redis/v9"
)

// FencedMutex is a Mutex that gives each holder a number larger than all before: see [Handle.Token]. It has the layout
// of Redisson's RFencedLock.
type FencedMutex struct{ locker }

// FencedMutex is the fenced lock with the given name.
func (c *Client) FencedMutex(name string, options ...LockOption) *FencedMutex {
	k := &fenced{plain: newPlain(c, name), tokens: prefixed("redisson_lock_token", name)}
	return &FencedMutex{locker{c: c, kind: k, sort: "fenced lock", name: name, settings: c.lockSettings(options)}}
}

// fenced is the kind of FencedMutex: a Mutex beside a counter, which outlives it.
type fenced struct {
	*plain
	tokens any
}

func (k *fenced) acquire(ctx context.Context, owner string, lease, _ time.Duration) (reply, error) {
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

// recall reads the token together with the proof: while the owner holds the lock nobody else draws one.
func (k *fenced) recall(ctx context.Context, owner string) (reply, error) {
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

func (k *fenced) look(ctx context.Context, p redis.Pipeliner) func(*Info) {
	hash, token := k.plain.look(ctx, p), p.Get(ctx, k.tokens.(string))
	return func(i *Info) {
		hash(i)
		i.Token, _ = token.Int64()
	}
}
