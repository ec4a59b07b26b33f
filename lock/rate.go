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

// RateLimiter allows a number of permits in each interval, in the layout of Redisson's RRateLimiter (from 3.37; older
// versions have other records). The interval slides: a permit is free again one interval after it was taken, on the
// clocks of the clients.
type RateLimiter struct {
	c        *Client
	key      string
	keys     []any
	settings settings
}

// Rate is the rate of a [RateLimiter].
type Rate struct {
	Permits   int64
	Interval  time.Duration // at least a millisecond
	PerClient bool          // per client instead of for all together
	KeepAlive time.Duration // how long an unused limiter stays on the server; 0: without limit
}

// RateLimiter returns the rate limiter with the given name. Of the options, only [WithWait] has an effect.
func (c *Client) RateLimiter(name string, options ...LockOption) *RateLimiter {
	return &RateLimiter{c: c, key: name, settings: c.lockSettings(options), keys: []any{name,
		addSuffix(name, "value"), addSuffix(name, "value:"+c.ID()), addSuffix(name, "permits"), addSuffix(name,
			"permits:"+c.ID())}}
}

// Name returns the limiter's name, which is its key on the server.
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

// Rate returns the rate that is set; the zero Rate if there is none.
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
// the time to wait. A rate must be set, and n must not exceed it.
func (l *RateLimiter) TryAcquire(ctx context.Context, n int64) error {
	settings := l.settings
	settings.wait = 0
	return l.take(ctx, n, settings)
}

// Acquire takes n permits. It waits until the rate allows it, as long as ctx and [WithWait] allow. A rate must be set,
// and n must not exceed it.
func (l *RateLimiter) Acquire(ctx context.Context, n int64, options ...LockOption) error {
	return l.take(ctx, n, l.settings.with(options))
}

// Available returns the number of permits that could be taken now.
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

// rateRequest is one request for permits. Its random bytes are part of the record on the server, which identifies it.
type rateRequest struct {
	l         *RateLimiter
	n         int64
	random    [16]byte
	ambiguous bool // it may have been executed without a reply
}

func (l *RateLimiter) take(ctx context.Context, n int64, settings settings) error {
	k := rateRequest{l: l, n: n}
	_, _ = rand.Read(k.random[:]) // crypto/rand never fails
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
			return e.because(ctx, errWaitOver, nil) // the wait would time out: no message can shorten it
		}
		if err := l.c.sleepUntil(ctx, next); err != nil {
			return e.because(ctx, err, nil)
		}
	}
}

func (k *rateRequest) try(ctx context.Context) (reply, error) {
	if k.ambiguous {
		if found, err := k.executed(ctx); err != nil || found {
			return reply{held: found}, err
		}
	}
	args := rateAcquire.call(5, append(k.l.keys[:5:5], k.n, k.l.c.clock.Now().UnixMilli(), string(k.random[:]))...)
	ms, err := k.l.c.eval(ctx, atMostOnce, rateAcquire, args)
	if errors.Is(err, redis.Nil) {
		return reply{held: true}, nil
	}
	if err != nil {
		_, ambiguous := mayRetry(err)
		k.ambiguous = k.ambiguous || ambiguous
	}
	return reply{ttl: time.Duration(max(ms, 1)) * time.Millisecond}, err
}

// executed reports whether the request's record exists: a length, the random bytes, and the number of permits as four
// bytes.
func (k *rateRequest) executed(ctx context.Context) (bool, error) {
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
