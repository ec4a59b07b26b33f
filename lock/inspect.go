package lock

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"
)

// Info is the state of a lock on the server.
type Info struct {
	Holders []Holder      // sorted by name; empty if the lock is free
	TTL     time.Duration // rest of the lease; Forever if it has no end, 0 if the lock is free
	Mode    string        // "read" or "write" for a [RWMutex] that is held, else empty
	Waiters []string      // the queue of a [FairMutex], in order
	Token   int64         // last token of a [FencedMutex]
}

// Holder is an owner and its number of holds.
type Holder struct {
	Owner string // uuid:thread, without the suffix that Redisson adds for a writer of a [RWMutex]
	Holds int
}

// Held reports whether the lock is held.
func (i Info) Held() bool { return len(i.Holders) > 0 }

// Holds returns the number of holds of an owner.
func (i Info) Holds(owner string) int {
	n := 0
	for _, h := range i.Holders {
		if h.Owner == owner {
			n += h.Holds
		}
	}
	return n
}

// Inspect returns the state of the lock on the server: its holders, and its queue if it has one.
func (l *locker) Inspect(ctx context.Context) (Info, error) {
	var info Info
	var read func(*Info)
	_, err := l.c.rdb.TxPipelined(ctx, func(p redis.Pipeliner) error {
		read = l.kind.inspect(ctx, p)
		return nil
	})
	if err != nil && err != redis.Nil {
		return Info{}, &Error{Op: "inspect", Name: l.name, Err: classify(ctx, err), Cause: err}
	}
	read(&info)
	return info, nil
}

// ForceUnlock frees the lock, no matter who holds it, and reports whether it was held. The holder detects the loss at
// its next renewal or unlock.
func (l *locker) ForceUnlock(ctx context.Context) (bool, error) {
	was, err := l.kind.clear(ctx)
	if err != nil {
		return false, &Error{Op: "force unlock", Name: l.name, Err: classify(ctx, err), Cause: err}
	}
	return was, nil
}

// Fields in the hash of a read/write lock that are not owners.
const (
	modeField   = "mode"
	writeSuffix = ":write"
)

// readHash reads the hash that all locks with owners have.
func readHash(ctx context.Context, p redis.Pipeliner, name string) func(*Info) {
	fields, rest := p.HGetAll(ctx, name), p.Do(ctx, "pttl", name)
	return func(i *Info) {
		for field, value := range fields.Val() {
			holds, err := strconv.Atoi(value)
			switch {
			case field == modeField:
				i.Mode = value
			case err == nil:
				i.Holders = append(i.Holders, Holder{strings.TrimSuffix(field, writeSuffix), holds})
			}
		}
		slices.SortFunc(i.Holders, func(a, b Holder) int { return strings.Compare(a.Owner, b.Owner) })
		if ms, _ := rest.Int64(); i.Held() {
			i.TTL = ttlOf(ms)
		}
	}
}
