package main

import (
	"context"
	"net"
	"time"

	"github.com/bsm/redislock"
	"github.com/go-redsync/redsync/v4"
	"github.com/go-redsync/redsync/v4/redis/goredis/v9"
	"github.com/redis/go-redis/v9"

	"github.com/minilockd/minilockd/lock"
)

// minilockd's lock client, and those that are compared with it.
const (
	lockMutex = "lock.Mutex"
	redisLock = "bsm/redislock"
)

// lease is what all locks are taken for; that of a watchdog is the same.
const lease = 30 * time.Second

// All clients are driven through two functions, mutex and unlock, so that the scenarios are written once. A client may
// do more than these can show (fairness, fencing, a watchdog); only their cost is compared.

// mutex waits for its lock and returns what releases it. It is for one goroutine at a time.
type mutex func(ctx context.Context) (unlock, error)

// unlock releases a lock, once.
type unlock func(ctx context.Context) error

// client is a way to lock. over makes it use the connections of a go-redis client: newMutex returns the lock of a name,
// end ends what the client runs in the background.
type client struct {
	name string
	over func(rdb *redis.Client) (newMutex func(name string) mutex, end func())
}

// clients are those for Go. The first is the reference of the cycles. Those that poll do so as often as the example of
// their documentation, or their default, says.
var clients = []client{
	{redisLock, overRedislock},
	{lockMutex, overLock()},
	{lockMutex + ", Lease", overLock(lock.Lease(lease))},
	{"redsync", overRedsync},
}

// dial opens connections; nil is go-redis' own way.
type dial func(ctx context.Context, network, addr string) (net.Conn, error)

// open connects a client, with a pool of connections that it shares with no other. The caller must call end.
func (c client) open(addr string, d dial) (newMutex func(name string) mutex, end func()) {
	rdb := redis.NewClient(&redis.Options{Addr: addr, Dialer: d})
	newMutex, endClient := c.over(rdb)
	return newMutex, func() {
		endClient()
		_ = rdb.Close()
	}
}

// overLock is package lock: with the watchdog, which renews the lease, or with lock.Lease, which needs no renewal.
func overLock(options ...lock.LockOption) func(*redis.Client) (func(string) mutex, func()) {
	return func(rdb *redis.Client) (func(string) mutex, func()) {
		c := lock.New(rdb)
		return func(name string) mutex {
			m := c.Mutex(name, options...)
			return func(ctx context.Context) (unlock, error) {
				h, err := m.Lock(ctx)
				if err != nil {
					return nil, err
				}
				return h.Unlock, nil
			}
		}, func() { _ = c.Close() }
	}
}

// overRedislock is bsm/redislock, which polls every 100 ms. Its lock has a random value and a lease that nothing
// renews.
func overRedislock(rdb *redis.Client) (func(string) mutex, func()) {
	c := redislock.New(rdb)
	patient := &redislock.Options{RetryStrategy: redislock.LinearBackoff(100 * time.Millisecond)}
	return func(name string) mutex {
		return func(ctx context.Context) (unlock, error) {
			l, err := c.Obtain(ctx, name, lease, patient)
			if err != nil {
				return nil, err
			}
			return l.Release, nil
		}
	}, func() {}
}

// overRedsync is redsync on one server. It polls at random intervals from 50 to 250 ms, up to 1,000 times: with its
// default of 32 one of many waiters could give up.
func overRedsync(rdb *redis.Client) (func(string) mutex, func()) {
	r := redsync.New(goredis.NewPool(rdb))
	return func(name string) mutex {
		m := r.NewMutex(name, redsync.WithExpiry(lease), redsync.WithTries(1000))
		return func(ctx context.Context) (unlock, error) {
			return func(ctx context.Context) error {
				_, err := m.UnlockContext(ctx)
				return err
			}, m.LockContext(ctx)
		}
	}, func() {}
}
