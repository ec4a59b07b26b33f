package lock

import (
	"context"
	"math/rand/v2"
	"time"
)

// SpinMutex is a Mutex without messages: a waiter polls, with pauses that grow from 1 to 128 ms. It is for locks that
// are held briefly and almost always free, for which subscriptions would cost more than they save. It has the layout of
// Redisson's spin lock.
type SpinMutex struct{ locker }

// SpinMutex returns the spin lock with the given name.
func (c *Client) SpinMutex(name string, options ...LockOption) *SpinMutex {
	k := &spinKind{newPlain(c, name)}
	return &SpinMutex{locker{c: c, kind: k, kindName: "spin lock", name: name, settings: c.lockSettings(options)}}
}

// spinKind is the kind of SpinMutex: a Mutex without a channel.
type spinKind struct{ *mutexKind }

func (k *spinKind) release(ctx context.Context, owner string, lease time.Duration, request []byte) (release, error) {
	return k.c.releaseWith(ctx, spinRelease, k.latchPrefix, request, func(_, latch any) []any {
		return spinRelease.call(2, k.name, latch, leaseMillis(lease), owner, latchMillis)
	})
}

func (k *spinKind) clear(ctx context.Context) (bool, error) {
	return k.c.clearWith(ctx, spinForce, func(any) []any { return spinForce.call(1, k.name) })
}

func (k *spinKind) channel(string) string { return "" }

// The pauses of a spin lock (Redisson's ExponentialBackoffPolicy).
const (
	firstSpin = time.Millisecond
	lastSpin  = 128 * time.Millisecond
)

// spin polls. Each pause is a random part, at least half, of its limit, so that waiters do not poll in step.
func (p *waitingCall) spin(ctx context.Context) (reply, error) {
	for spin := firstSpin; ; spin = min(2*spin, lastSpin) {
		now := p.c.clock.Now()
		pause := spin/2 + rand.N(spin/2) + 1
		if !p.limit.IsZero() {
			if !now.Before(p.limit) {
				return p.last, errWaitOver
			}
			pause = min(pause, p.limit.Sub(now))
		}
		if err := p.c.sleep(ctx, pause); err != nil {
			return p.last, err
		}
		r, err := p.attempt(ctx)
		if err == nil && r.held {
			return r, nil
		}
		if _, err = p.pause(ctx, r, err); err != nil {
			return p.last, err
		}
	}
}
