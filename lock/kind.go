package lock

import (
	"context"
	"errors"
	"time"

	"github.com/redis/go-redis/v9"
)

// kind implements one type of lock on the server. It belongs to one name, has no state and is safe for concurrent use.
// Its methods return errors of go-redis.
type kind interface {
	// acquire tries once. If it returns an error it may have been executed.
	acquire(ctx context.Context, owner string, lease, wait time.Duration) (reply, error)
	// checkAcquired checks whether an acquire for this owner, which had no reply, was executed.
	checkAcquired(ctx context.Context, owner string) (reply, error)
	// release releases one hold. If it is repeated with the same latch it is executed once.
	release(ctx context.Context, owner string, lease time.Duration, latch []byte) (release, error)
	// renewal describes how leases are renewed.
	renewal() *renewal
	// clear frees the lock, no matter who holds it, and reports whether it was held.
	clear(ctx context.Context) (bool, error)
	// inspect adds the commands of Inspect to a transaction.
	inspect(ctx context.Context, p redis.Pipeliner) func(*Info)
	// channel returns the channel with messages that owner may try again; empty if there is none.
	channel(owner string) string
}

// sharing is a kind that several owners can hold at a time.
type sharing interface {
	weight() (n int64, counts bool) // see waiter.weight and channel.carriesPermits
}

// queueing is a kind that keeps a queue on the server.
type queueing interface {
	// giveUp removes a waiter from the queue.
	giveUp(ctx context.Context, owner string, wait time.Duration) error
}

// undoer is a kind for which a release is not enough to undo an acquire.
type undoer interface {
	undo(ctx context.Context) error
}

// reply is the result of an attempt.
type reply struct {
	held  bool
	ttl   time.Duration // rest of the other holder's lease if not held; Forever if it has no end
	token int64
}

// release is the result of releasing a hold.
type release int8

const (
	notOwned  release = iota // the owner had no hold
	stillHeld                // the owner has more holds
	freed
)

// usualLease is the result of leaseMillis for defaultLease.
var usualLease any = defaultLease.Milliseconds()

// leaseMillis returns a lease for the scripts, in milliseconds; Forever is a century, since PEXPIRE rejects larger
// ones.
func leaseMillis(d time.Duration) any {
	if d == defaultLease {
		return usualLease // avoids an allocation
	}
	const century = 100 * 365 * 24 * time.Hour
	return max(min(d, century).Milliseconds(), 1)
}

// ttlOf converts a reply of PTTL.
func ttlOf(ms int64) time.Duration {
	if ms < 0 {
		return Forever
	}
	return time.Duration(ms) * time.Millisecond
}

// acquireReply converts the reply of the scripts that take a lock: nil, or the rest of a lease.
func acquireReply(ttl int64, err error) (reply, error) {
	if errors.Is(err, redis.Nil) {
		return reply{held: true}, nil
	}
	return reply{ttl: ttlOf(ttl)}, err
}

// releaseReply converts the reply of the scripts that free a lock: nil, 0 or 1.
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

// releaseWith runs an unlock script with the latch of a request, which the cleaner deletes afterwards.
func (c *Client) releaseWith(ctx context.Context, s *script, latchPrefix string, request []byte,
	call func(publish, latch any) []any) (release, error) {
	publish, err := c.routing.publishCommand(ctx)
	if err != nil {
		return notOwned, err
	}
	latch := latchPrefix + string(request)
	r, err := releaseReply(c.eval(ctx, repeatable, s, call(publish, latch)))
	if err == nil {
		c.cleaner.add(latch)
	}
	return r, err
}

// clearWith runs a script of ForceUnlock.
func (c *Client) clearWith(ctx context.Context, s *script, call func(publish any) []any) (bool, error) {
	publish, err := c.routing.publishCommand(ctx)
	if err != nil {
		return false, err
	}
	n, err := c.eval(ctx, repeatable, s, call(publish))
	return n == 1, err
}
