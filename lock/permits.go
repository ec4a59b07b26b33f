package lock

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"strconv"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"
)

// PermitSemaphore is a semaphore whose permits have an ID and a lease, in the layout of Redisson's
// RPermitExpirableSemaphore (from 3.37; older versions have other IDs). The permits of a process that dies are free
// again when their leases end, on the clocks of the clients.
//
// Without [Lease] the watchdog renews a permit, as it renews locks. Redisson's acquire() without a lease is
// Lease(Forever).
type PermitSemaphore struct {
	semaphore *Semaphore
	out       any // key of the permits that are taken
}

// PermitSemaphore returns the permit semaphore with the given name.
func (c *Client) PermitSemaphore(name string, options ...LockOption) *PermitSemaphore {
	return &PermitSemaphore{semaphore: c.Semaphore(name, options...), out: addSuffix(name, "timeout")}
}

// Permit is a permit of a [PermitSemaphore] that is held, as a [Handle] is a lock.
type Permit struct{ h *Handle }

// ID returns the permit's ID, 32 hexadecimal digits, as Redisson has it.
func (p *Permit) ID() string { return p.h.owner }

// Deadline is [Handle.Deadline].
func (p *Permit) Deadline() time.Time { return p.h.Deadline() }

// Lost is [Handle.Lost].
func (p *Permit) Lost() <-chan struct{} { return p.h.Lost() }

// Context is [Handle.Context].
func (p *Permit) Context() context.Context { return p.h.Context() }

// Extend is [Handle.Extend].
func (p *Permit) Extend(ctx context.Context, d time.Duration) error { return p.h.Extend(ctx, d) }

// Release releases the permit: see [Handle.Unlock].
func (p *Permit) Release(ctx context.Context) error { return p.h.Unlock(ctx) }

// Name returns the semaphore's name, which is its key on the server.
func (s *PermitSemaphore) Name() string { return s.semaphore.key }

// TrySetPermits sets the number of permits if there is none yet, and reports whether it did.
func (s *PermitSemaphore) TrySetPermits(ctx context.Context, n int64) (bool, error) {
	return s.semaphore.TrySetPermits(ctx, n)
}

// AddPermits adds n, which may be negative, to the number of permits. After a lost reply it returns [ErrUnavailable],
// and may have been executed.
func (s *PermitSemaphore) AddPermits(ctx context.Context, n int64) error {
	return s.semaphore.failed(ctx, "add permits", s.semaphore.send(ctx, permitAdd, n))
}

// Available returns the number of free permits.
func (s *PermitSemaphore) Available(ctx context.Context) (int64, error) {
	c := s.semaphore.c
	publish, err := c.routing.publishCommand(ctx)
	if err != nil {
		return 0, s.semaphore.failed(ctx, "count permits", err)
	}
	v, err := c.evalAny(ctx, permitAvailable, permitAvailable.call(3, s.semaphore.name, s.out, s.semaphore.notices,
		c.clock.Now().UnixMilli(), publish))
	return number(v), s.semaphore.failed(ctx, "count permits", err)
}

// Acquire takes a permit. It waits for a free one as long as ctx and [WithWait] allow.
func (s *PermitSemaphore) Acquire(ctx context.Context, options ...LockOption) (*Permit, error) {
	return only(s.take(ctx, 1, s.semaphore.settings.with(options)))
}

// TryAcquire takes a permit if one is free, and returns [ErrTaken] if not.
func (s *PermitSemaphore) TryAcquire(ctx context.Context, options ...LockOption) (*Permit, error) {
	settings := s.semaphore.settings.with(options)
	settings.wait = 0
	return only(s.take(ctx, 1, settings))
}

// AcquireMany takes n permits at once.
func (s *PermitSemaphore) AcquireMany(ctx context.Context, n int, options ...LockOption) ([]*Permit, error) {
	return s.take(ctx, n, s.semaphore.settings.with(options))
}

func only(permits []*Permit, err error) (*Permit, error) {
	if err != nil {
		return nil, err
	}
	return permits[0], nil
}

// take takes permits in one call, and returns a handle for each.
func (s *PermitSemaphore) take(ctx context.Context, n int, settings settings) ([]*Permit, error) {
	k := &permitKind{PermitSemaphore: s, c: s.semaphore.c, ids: newPermitIDs(max(n, 1))}
	l := locker{c: k.c, kind: k, kindName: "permit", name: s.semaphore.key, settings: settings}
	settings.owner, settings.unique = k.id(0), true
	first, err := l.take(ctx, settings)
	if err != nil {
		return nil, err
	}
	all := []*Permit{{first}}
	for i := 1; i < len(k.ids); i++ {
		all = append(all, &Permit{first.sibling(k.id(i))})
	}
	return all, nil
}

// sibling returns a handle for another permit of the same call.
func (h *Handle) sibling(owner string) *Handle {
	h.mu.Lock()
	defer h.mu.Unlock()
	s := &Handle{c: h.c, kind: h.kind, kindName: h.kindName, name: h.name, owner: owner, values: h.values, start: h.start,
		maxEnd: h.maxEnd,
		holds:  1, lease: h.lease, watched: h.watched, deadline: h.deadline}
	s.c.watchdog.set(s, s.nextLocked(s.start))
	return s
}

func newPermitIDs(n int) []any {
	ids := make([]any, n)
	for i := range ids {
		var b [16]byte
		_, _ = rand.Read(b[:]) // crypto/rand never fails
		ids[i] = string(b[:])
	}
	return ids
}

// permitKind is the kind of the permits of one call; the owner of each is its ID.
type permitKind struct {
	*PermitSemaphore
	c   *Client
	ids []any // strings of 16 bytes
}

func (k *permitKind) id(i int) string { return hex.EncodeToString([]byte(k.ids[i].(string))) }

// rawID converts an ID to the server's form.
func rawID(owner string) string {
	b, _ := hex.DecodeString(owner)
	return string(b)
}

// never is the end of a lease without end (Redisson's constant).
const never int64 = 922337203685477

// leaseEnd returns when a lease that starts now ends, in the server's form.
func (k *permitKind) leaseEnd(lease time.Duration) int64 {
	if lease == Forever {
		return never
	}
	return after(k.c.clock.Now(), lease).UnixMilli()
}

// weight implements sharing.
func (k *permitKind) weight() (int64, bool) { return int64(len(k.ids)), true }

func (k *permitKind) acquire(ctx context.Context, _ string, lease, _ time.Duration) (reply, error) {
	publish, err := k.c.routing.publishCommand(ctx)
	if err != nil {
		return reply{}, err
	}
	now := k.c.clock.Now()
	v, err := k.c.evalAny(ctx, permitAcquire,
		permitAcquire.call(3, append([]any{k.semaphore.name, k.out, k.semaphore.notices,
			len(k.ids), k.leaseEnd(lease), now.UnixMilli(), never, publish}, k.ids...)...))
	if errors.Is(err, redis.Nil) {
		return reply{ttl: Forever}, nil
	}
	text, _ := v.(string)
	if at, later := strings.CutPrefix(text, ":"); later {
		ms, _ := strconv.ParseInt(at, 10, 64)
		return reply{ttl: max(time.UnixMilli(ms).Sub(now), 0)}, err
	}
	return reply{held: err == nil}, err
}

func (k *permitKind) checkAcquired(ctx context.Context, owner string) (reply, error) {
	err := k.c.rdb.ZScore(ctx, k.out.(string), rawID(owner)).Err()
	if errors.Is(err, redis.Nil) {
		return reply{}, nil
	}
	return reply{held: err == nil}, err
}

// release releases one permit. It needs no latch: if it is repeated, a missing permit was released before.
func (k *permitKind) release(ctx context.Context, owner string, _ time.Duration, _ []byte) (release, error) {
	publish, err := k.c.routing.publishCommand(ctx)
	if err != nil {
		return notOwned, err
	}
	repeated := false // an earlier attempt may have been executed
	r, err := k.c.retry(ctx, false, func(ctx context.Context) (reply, error) {
		n, err := k.c.eval(ctx, atMostOnce, permitRelease, permitRelease.call(3, k.semaphore.name, k.semaphore.notices, k.out,
			rawID(owner), 1, k.c.clock.Now().UnixMilli(), publish))
		if err != nil {
			_, ambiguous := mayRetry(err)
			repeated = repeated || ambiguous
		}
		return reply{held: n == 0 && !repeated}, err
	})
	if err != nil || r.held {
		return notOwned, err
	}
	return freed, nil
}

// undo implements undoer: all of the permits were taken, or none.
func (k *permitKind) undo(ctx context.Context) error {
	for i := range k.ids {
		if _, err := k.release(ctx, k.id(i), 0, nil); err != nil {
			return err
		}
	}
	return nil
}

func (k *permitKind) renewal() *renewal { return permitRenewal }

// permitRenewal extends one permit; Redisson's script takes only one.
var permitRenewal = &renewal{script: permitRenew, size: 1, call: func(lease time.Duration, handles []*Handle) []any {
	h := handles[0]
	k := h.kind.(*permitKind)
	publish, err := k.c.routing.publishCommand(h.values)
	if err != nil {
		publish = "PUBLISH"
	}
	return permitRenew.call(3, k.semaphore.name, k.out, k.semaphore.notices,
		rawID(h.owner), k.leaseEnd(lease), k.c.clock.Now().UnixMilli(), publish)
}}

func (k *permitKind) channel(string) string { return k.semaphore.notices.(string) }

// clear and inspect are not used: a PermitSemaphore is not a Locker.
func (k *permitKind) clear(context.Context) (bool, error) { return false, nil }

func (k *permitKind) inspect(context.Context, redis.Pipeliner) func(*Info) { return func(*Info) {} }
