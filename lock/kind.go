package lock

import (
	"context"
	"errors"
	"time"

	"github.com/redis/go-redis/v9"
)

// kind is what one sort of lock does on the server. A kind belongs to one name, has no state and may be used by any
// number of goroutines. What its methods return are errors of go-redis.
type kind interface {
	// acquire tries once, and need not be sure that nothing was done if it returns an error.
	acquire(ctx context.Context, owner string, lease, wait time.Duration) (reply, error)
	// recall asks whether an acquire for this owner without a reply was carried out.
	recall(ctx context.Context, owner string) (reply, error)
	// release gives back one hold. Repeated with the same latch it is done once.
	release(ctx context.Context, owner string, lease time.Duration, latch []byte) (release, error)
	// renewal is how leases are renewed.
	renewal() *renewal
	// clear frees the lock whoever has it, and reports whether it was held.
	clear(ctx context.Context) (bool, error)
	// look asks what Inspect tells; the commands go in one transaction.
	look(ctx context.Context, p redis.Pipeliner) func(*Info)
	// channel is where owner is told that it may try again; empty if there are no messages.
	channel(owner string) string
}

// sharing is a kind of which several owners can hold the lock at a time.
type sharing interface {
	weight() (n int64, counts bool) // see waiter.weight and channel.counts
}

// queueing is a kind that keeps a queue on the server.
type queueing interface {
	// giveUp takes a waiter's name off the queue.
	giveUp(ctx context.Context, owner string, wait time.Duration) error
}

// undoing is a kind for which it takes more than a release to undo an acquire.
type undoing interface {
	undo(ctx context.Context) error
}

// reply is the outcome of an attempt.
type reply struct {
	held  bool
	ttl   time.Duration // rest of the holder's lease if not held; Forever if it has no end
	token int64
}

// release is the outcome of giving back a hold.
type release int8

const (
	notOwned  release = iota // there was nothing to give back
	stillHeld                // others of the same owner remain
	freed
)

// usualLease is the lease that most locks have, as leaseMillis makes it.
var usualLease any = defaultLease.Milliseconds()

// leaseMillis is a lease as the scripts take it, in milliseconds; one without end is as long as PEXPIRE allows for
// sure.
func leaseMillis(d time.Duration) any {
	if d == defaultLease {
		return usualLease // which need not be boxed each time
	}
	const century = 100 * 365 * 24 * time.Hour
	return max(min(d, century).Milliseconds(), 1)
}

// ttlOf converts the answer of PTTL.
func ttlOf(ms int64) time.Duration {
	if ms < 0 {
		return Forever
	}
	return time.Duration(ms) * time.Millisecond
}

// acquireReply reads the reply nil, or the rest of a lease, of the scripts that take a lock.
func acquireReply(ttl int64, err error) (reply, error) {
	if errors.Is(err, redis.Nil) {
		return reply{held: true}, nil
	}
	return reply{ttl: ttlOf(ttl)}, err
}

// releaseReply reads the reply nil, 0 or 1 of the scripts that free a lock.
func releaseReply(free int64, err error) (release, error) {
	switch {
	case errors.Is(err, redis.Nil):
		return notOwned, nil
	case err != nil:
		return notOwned, err
	case free == 0:
		return stillHeld, nil
	}
	return freed, nil
}

// releaseWith runs an unlock script with the latch of a request, which is swept away when it has done its service.
func (c *Client) releaseWith(ctx context.Context, s *script, latches string, request []byte,
	call func(publish, latch any) []any) (release, error) {
	publish, err := c.routing.publishCommand(ctx)
	if err != nil {
		return notOwned, err
	}
	latch := latches + string(request)
	r, err := releaseReply(c.eval(ctx, repeatable, s, call(publish, latch)))
	if err == nil {
		c.cleaner.add(latch)
	}
	return r, err
}

// clearWith runs a script that frees a lock by force.
func (c *Client) clearWith(ctx context.Context, s *script, call func(publish any) []any) (bool, error) {
	publish, err := c.routing.publishCommand(ctx)
	if err != nil {
		return false, err
	}
	n, err := c.eval(ctx, repeatable, s, call(publish))
	return n == 1, err
}
