package lock

import (
	"context"
	"errors"

	"github.com/redis/go-redis/v9"
)

// Latch releases all waiters when its count reaches zero, in the layout of Redisson's RCountDownLatch. A latch without
// a count is open.
type Latch struct {
	c             *Client
	key           string
	name, notices any
	settings      settings
}

// Latch returns the latch with the given name. Of the options, only [WithWait] has an effect.
func (c *Client) Latch(name string, options ...LockOption) *Latch {
	return &Latch{c: c, key: name, name: name, settings: c.lockSettings(options),
		notices: "redisson_countdownlatch__channel__{" + name + "}"} // Redisson puts braces around any name here
}

// The messages of a latch (Redisson's ZERO_COUNT_MESSAGE and NEW_COUNT_MESSAGE).
const (
	zeroCount = "0"
	newCount  = "1"
)

// Name returns the latch's name, which is its key on the server.
func (l *Latch) Name() string { return l.key }

// TrySetCount sets the count if there is none, and reports whether it did.
func (l *Latch) TrySetCount(ctx context.Context, n int64) (bool, error) {
	set, err := l.c.clearWith(ctx, latchSet, func(publish any) []any {
		return latchSet.call(2, l.name, l.notices, newCount, n, publish)
	})
	return set, l.failed(ctx, "set count", err)
}

// CountDown decrements the count; at zero the latch opens. After a lost reply it returns [ErrUnavailable], and may have
// been executed: a count has no owner that would prove it.
func (l *Latch) CountDown(ctx context.Context) error {
	publish, err := l.c.routing.publishCommand(ctx)
	if err == nil {
		_, err = l.c.evalAny(ctx, latchDown, latchDown.call(2, l.name, l.notices, zeroCount, publish))
	}
	if errors.Is(err, redis.Nil) {
		return nil
	}
	return l.failed(ctx, "count down", err)
}

// Count returns the count; 0 if the latch is open.
func (l *Latch) Count(ctx context.Context) (int64, error) {
	n, err := l.count(ctx)
	return n, l.failed(ctx, "count", err)
}

func (l *Latch) count(ctx context.Context) (int64, error) {
	n, err := l.c.rdb.Get(ctx, l.key).Int64()
	if errors.Is(err, redis.Nil) {
		return 0, nil
	}
	return n, err
}

// Await waits until the latch is open, or ctx or [WithWait] ends the wait.
func (l *Latch) Await(ctx context.Context, options ...LockOption) error {
	p := waitingCall{c: l.c, kindName: "latch", name: l.key, channel: l.notices.(string), weight: 1,
		attempt: func(ctx context.Context) (reply, error) {
			n, err := l.count(ctx)
			return reply{held: err == nil && n <= 0, ttl: Forever}, err
		}}
	err := p.start(ctx, l.settings.with(options).wait)
	return (&Error{Op: "await", Name: l.key}).because(ctx, err, p.err)
}

// Delete removes the count, which opens the latch, and reports whether there was one.
func (l *Latch) Delete(ctx context.Context) (bool, error) {
	was, err := l.c.clearWith(ctx, latchDelete, func(publish any) []any {
		return latchDelete.call(2, l.name, l.notices, newCount, publish)
	})
	return was, l.failed(ctx, "delete", err)
}

func (l *Latch) failed(ctx context.Context, op string, err error) error {
	return (&Error{Op: op, Name: l.key}).because(ctx, err, nil)
}
