package lock

import (
	"context"
	"errors"
	"sync"

	"github.com/redis/go-redis/v9"

	"github.com/minilockd/minilockd/internal/clock"
	"github.com/minilockd/minilockd/internal/lockrank"
)

// Client makes locks on one server, Sentinel group or cluster. It has an identity, a UUID, as a RedissonClient has. All
// methods are safe for concurrent use. A process needs one client per server; locks are cheap values.
type Client struct {
	rdb       redis.UniversalClient
	clock     Clock
	id        *identity
	defaults  settings
	observers []Observer
	routing   routing
	hub       hub
	watchdog  watchdog
	cleaner   cleaner

	ctx    context.Context // ends when the client is closed; for background work
	cancel context.CancelFunc
	work   sync.WaitGroup // background work

	starting lockrank.Mutex[lockrank.LockClient] // guards against work that starts while Close waits
}

// errClosing ends waits when their client is closed.
var errClosing = errors.New("the client has been closed")

// New returns a client that uses rdb. Close does not close rdb. rdb's timeouts bound the commands.
func New(rdb redis.UniversalClient, options ...Option) *Client {
	c := &Client{rdb: rdb, clock: clock.Real{}, id: newIdentity(), defaults: settings{wait: unlimited}}
	c.watchdog.lease = defaultLease
	for _, o := range options {
		o.client(c)
	}
	c.ctx, c.cancel = context.WithCancel(context.Background())
	c.routing.init(rdb)
	c.hub.init(c)
	c.watchdog.init(c)
	c.cleaner.init(c)
	return c
}

// ID returns the client's UUID, the first part of its owners' names.
func (c *Client) ID() string { return c.id.uuid }

// Close ends all waits with [ErrClosed] and stops the watchdog: handles not yet unlocked count as lost, and their locks
// expire on the server with their leases. It returns when all goroutines of the client have ended, and no call waits or
// has a timer any more. Closing twice is allowed.
func (c *Client) Close() error {
	c.starting.Lock()
	c.cancel()
	c.starting.Unlock()
	c.watchdog.close()
	c.work.Wait()
	c.cleaner.flush(context.Background())
	return nil
}

// closed reports whether Close has been called.
func (c *Client) closed() bool { return c.ctx.Err() != nil }

// lockSettings returns the client's defaults with the options of a constructor.
func (c *Client) lockSettings(options []LockOption) settings { return c.defaults.with(options) }

// enter makes Close wait until c.work.Done is called. It reports false if the client is closed.
func (c *Client) enter() bool {
	c.starting.Lock()
	defer c.starting.Unlock()
	if c.closed() {
		return false
	}
	c.work.Add(1)
	return true
}

// background runs f in a goroutine that Close waits for. It reports false, and does not run f, if the client is closed.
func (c *Client) background(f func()) bool {
	c.starting.Lock()
	defer c.starting.Unlock()
	if c.closed() {
		return false
	}
	c.work.Go(f)
	return true
}
