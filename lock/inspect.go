package lock

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"
)

// Info is what the server knows of a lock at one moment.
type Info struct {
	Holders []Holder      // who holds it, in the order of their names; empty if it is free
	TTL     time.Duration // the rest of the lease; Forever if it has no end, 0 if the lock is free
	Mode    string        // "read" or "write" for a [RWMutex] that is held, else empty
	Waiters []string      // the queue of a [FairMutex], first come first
	Token   int64         // the last token of a [FencedMutex]
}

// Holder is an owner and how often it holds the lock.
type Holder struct {
	Owner string // uuid:thread; for a writer of a [RWMutex] without what Redisson adds to it
	Holds int
}

// Held reports whether somebody holds the lock.
func (i Info) Held() bool { return len(i.Holders) > 0 }

// Holds is how often an owner holds the lock.
func (i Info) Holds(owner string) int {
	n := 0
	for _, h := range i.Holders {
		if h.Owner == owner {
			n += h.Holds
		}
	}
	return n
}

// Inspect asks the server who holds the lock, and who waits if it keeps a queue.
func (l *locker) Inspect(ctx context.Context) (Info, error) {
	var info Info
	var read func(*Info)
	_, err := l.c.rdb.TxPipelined(ctx, func(p redis.Pipeliner) error {
		read = l.kind.look(ctx, p)
		return nil
	})
	if err != nil && err != redis.Nil {
		return Info{}, &Error{Op: "inspect", Name: l.name, Err: classify(ctx, err), Cause: err}
	}
	read(&info)
	return info, nil
}

// ForceUnlock frees the lock whoever holds it, and reports whether it was held. The holder learns of it when its lease
// is renewed or given back.
func (l *locker) ForceUnlock(ctx context.Context) (bool, error) {
	was, err := l.kind.clear(ctx)
	if err != nil {
		return false, &Error{Op: "force unlock", Name: l.name, Err: classify(ctx, err), Cause: err}
	}
	return was, nil
}

// Names in the hash of a read/write lock that are no owners.
const (
	modeField   = "mode"
	writeSuffix = ":write"
)

// lookAtHash reads the layout that all locks with owners share.
func lookAtHash(ctx context.Context, p redis.Pipeliner, name string) func(*Info) {
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
