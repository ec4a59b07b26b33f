package lock

import (
	"context"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"strconv"
	"time"

	"github.com/redis/go-redis/v9"
)

// RateLimiter gives out so many permits in each interval, in the layout of Redisson's RRateLimiter (from 3.37 on; older
// versions write their records in another way). The interval slides: a permit comes back when the interval is over that
// began when it was taken, on the clocks of the clients.
type RateLimiter struct {
	c        *Client
	key      string
	keys     []any
	settings settings
}

// Rate is what a [RateLimiter] allows.
type Rate struct {
	Permits   int64
	Interval  time.Duration // at least a millisecond
	PerClient bool          // for each client, in place of all together
	KeepAlive time.Duration // how long an unused limiter is kept on the server; 0: for ever
}

// RateLimiter is the rate limiter with the given name. Of the options, [WithWait] has a meaning here.
func (c *Client) RateLimiter(name string, options ...LockOption) *RateLimiter {
	return &RateLimiter{c: c, key: name, settings: c.lockSettings(options), keys: []any{name,
		suffixed(name, "value"), suffixed(name, "value:"+c.ID()), suffixed(name, "permits"), suffixed(name,
			"permits:"+c.ID())}}
}

// Name is the limiter's name, which is its key on the server.
func (l *RateLimiter) Name() string { return l.key }

// TrySetRate sets the rate if there is none, and reports whether it did.
func (l *RateLimiter) TrySetRate(ctx context.Context, r Rate) (bool, error) {
	perClient := 0
	if r.PerClient {
		perClient = 1
	}
	args := rateSet.call(1, l.keys[0], r.Permits, r.Interval.Milliseconds(), perClient, r.KeepAlive.Milliseconds())
	n, err := l.c.eval(ctx, repeatable, rateSet, args)
	return n == 1, l.failed(ctx, "set rate", err)
}

// Rate is the rate that is set; the zero Rate if there is none.
func (l *RateLimiter) Rate(ctx context.Context) (Rate, error) {
	fields, err := l.c.rdb.HGetAll(ctx, l.key).Result()
	number := func(field string) int64 {
		n, _ := strconv.ParseInt(fields[field], 10, 64)
		return n
	}
	millis := func(field string) time.Duration { return time.Duration(number(field)) * time.Millisecond }
	r := Rate{number("rate"), millis("interval"), number("type") == 1, millis("keepAliveTime")}
	return r, l.failed(ctx, "rate", err)
}

// TryAcquire takes n permits if the rate allows it now. If not it returns [ErrTaken], and the TTL of the *[Error] is
// how long to wait. There must be a rate, and n must not exceed it.
func (l *RateLimiter) TryAcquire(ctx context.Context, n int64) error {
	settings := l.settings
	settings.wait = 0
	return l.take(ctx, n, settings)
}

// Acquire takes n permits, waiting as long as ctx and [WithWait] allow until the rate does. There must be a rate, and n
// must not exceed it.
func (l *RateLimiter) Acquire(ctx context.Context, n int64, options ...LockOption) error {
	return l.take(ctx, n, l.settings.with(options))
}

// Available is how many permits could be taken now.
func (l *RateLimiter) Available(ctx context.Context) (int64, error) {
	args := rateAvailable.call(5, append(l.keys[:5:5], l.c.clock.Now().UnixMilli())...)
	v, err := l.c.evalAny(ctx, rateAvailable, args)
	return number(v), l.failed(ctx, "count permits", err)
}

// Delete removes the limiter with its rate, and reports whether there was one.
func (l *RateLimiter) Delete(ctx context.Context) (bool, error) {
	keys := make([]string, len(l.keys))
	for i, k := range l.keys {
		keys[i] = k.(string)
	}
	n, err := l.c.rdb.Del(ctx, keys...).Result()
	return n > 0, l.failed(ctx, "delete", err)
}

// claim is one request for permits. Its random bytes are part of the record on the server, so that it can be
// recognised.
type claim struct {
	l      *RateLimiter
	n      int64
	random [16]byte
	doubt  bool // it may have been granted without a reply
}

func (l *RateLimiter) take(ctx context.Context, n int64, settings settings) error {
	k := claim{l: l, n: n}
	_, _ = rand.Read(k.random[:]) // never fails: crypto/rand
	ctx, end := l.c.holding(ctx)
	defer end()
	start := l.c.clock.Now()
	for {
		sent := l.c.clock.Now()
		r, err := l.c.retry(ctx, false, k.try)
		if err != nil || r.held {
			return l.failed(ctx, "acquire", err)
		}
		e := &Error{Op: "acquire", Name: l.key, TTL: r.ttl}
		next := sent.Add(r.ttl)
		if settings.wait == 0 {
			return e.because(ctx, ErrTaken, nil)
		}
		if settings.wait != unlimited && after(start, settings.wait).Before(next) {
			return e.because(ctx, errWaitOver, nil) // it would be in vain: no message can make it shorter
		}
		if err := l.c.sleepUntil(ctx, next); err != nil {
			return e.because(ctx, err, nil)
		}
	}
}

func (k *claim) try(ctx context.Context) (reply, error) {
	if k.doubt {
		if found, err := k.granted(ctx); err != nil || found {
			return reply{held: found}, err
		}
	}
	args := rateAcquire.call(5, append(k.l.keys[:5:5], k.n, k.l.c.clock.Now().UnixMilli(), string(k.random[:]))...)
	ms, err := k.l.c.eval(ctx, atMostOnce, rateAcquire, args)
	if errors.Is(err, redis.Nil) {
		return reply{held: true}, nil
	}
	if err != nil {
		_, ambiguous := worthRepeating(err)
		k.doubt = k.doubt || ambiguous
	}
	return reply{ttl: time.Duration(max(ms, 1)) * time.Millisecond}, err
}

// granted looks for the claim's record: a length, the random bytes, and the number of permits as four bytes.
func (k *claim) granted(ctx context.Context) (bool, error) {
	record := append([]byte{byte(len(k.random))}, k.random[:]...)
	record = binary.LittleEndian.AppendUint32(record, uint32(k.n))
	for _, key := range k.l.keys[3:] {
		err := k.l.c.rdb.ZScore(ctx, key.(string), string(record)).Err()
		if !errors.Is(err, redis.Nil) {
			return err == nil, err
		}
	}
	return false, nil
}

func (l *RateLimiter) failed(ctx context.Context, op string, err error) error {
	return (&Error{Op: op, Name: l.key}).because(ctx, err, nil)
}
