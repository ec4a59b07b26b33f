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

// PermitSemaphore is a number of permits each of which has an id and a lease, in the layout of Redisson's
// RPermitExpirableSemaphore (from 3.37 on; older versions write their ids in another way). The permits of a process
// that dies come back when their leases end, on the clocks of the clients.
//
// With no [Lease] given the watchdog keeps a permit, as it keeps locks. A permit that never lapses, which is what
// Redisson's acquire() without lease gives, takes Lease(Forever).
type PermitSemaphore struct {
	semaphore *Semaphore
	out       any // the key of the permits that are out
}

// PermitSemaphore is the permit semaphore with the given name.
func (c *Client) PermitSemaphore(name string, options ...LockOption) *PermitSemaphore {
	return &PermitSemaphore{semaphore: c.Semaphore(name, options...), out: suffixed(name, "timeout")}
}

// Permit is a permit that was taken. It is to a [PermitSemaphore] what a [Handle] is to a lock.
type Permit struct{ h *Handle }

// ID is the permit's id, 32 hexadecimal digits, as Redisson writes it.
func (p *Permit) ID() string { return p.h.owner }

// Deadline is [Handle.Deadline].
func (p *Permit) Deadline() time.Time { return p.h.Deadline() }

// Lost is [Handle.Lost].
func (p *Permit) Lost() <-chan struct{} { return p.h.Lost() }

// Context is [Handle.Context].
func (p *Permit) Context() context.Context { return p.h.Context() }

// Extend is [Handle.Extend].
func (p *Permit) Extend(ctx context.Context, d time.Duration) error { return p.h.Extend(ctx, d) }

// Release gives the permit back, as [Handle.Unlock] does a lock.
func (p *Permit) Release(ctx context.Context) error { return p.h.Unlock(ctx) }

// Name is the semaphore's name, which is its key on the server.
func (s *PermitSemaphore) Name() string { return s.semaphore.key }

// TrySetPermits sets the number of permits if there is none yet, and reports whether it did.
func (s *PermitSemaphore) TrySetPermits(ctx context.Context, n int64) (bool, error) {
	return s.semaphore.TrySetPermits(ctx, n)
}

// AddPermits changes the number of permits by n, which may be negative. After a lost reply it returns [ErrUnavailable]
// and has perhaps been carried out.
func (s *PermitSemaphore) AddPermits(ctx context.Context, n int64) error {
	return s.semaphore.failed(ctx, "add permits", s.semaphore.send(ctx, permitAdd, n))
}

// Available is how many permits are free.
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

// Acquire takes a permit, waiting as long as ctx and [WithWait] allow until one is free.
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

// take takes permits in one call, and makes a handle for each.
func (s *PermitSemaphore) take(ctx context.Context, n int, settings settings) ([]*Permit, error) {
	k := &permits{PermitSemaphore: s, c: s.semaphore.c, ids: newPermitIDs(max(n, 1))}
	l := locker{c: k.c, kind: k, sort: "permit", name: s.semaphore.key, settings: settings}
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

// sibling is a handle of something that was taken in the same call.
func (h *Handle) sibling(owner string) *Handle {
	h.mu.Lock()
	defer h.mu.Unlock()
	s := &Handle{c: h.c, kind: h.kind, sort: h.sort, name: h.name, owner: owner, values: h.values, start: h.start,
		maxEnd: h.maxEnd,
		holds:  1, lease: h.lease, watched: h.watched, deadline: h.deadline}
	s.c.watchdog.set(s, s.nextLocked(s.start))
	return s
}

func newPermitIDs(n int) []any {
	ids := make([]any, n)
	for i := range ids {
		var b [16]byte
		_, _ = rand.Read(b[:]) // never fails: crypto/rand
		ids[i] = string(b[:])
	}
	return ids
}

// permits is the kind of one acquisition of permits; the owner of each is its id.
type permits struct {
	*PermitSemaphore
	c   *Client
	ids []any // strings of 16 bytes
}

func (k *permits) id(i int) string { return hex.EncodeToString([]byte(k.ids[i].(string))) }

// rawID is an id as the server has it.
func rawID(owner string) string {
	b, _ := hex.DecodeString(owner)
	return string(b)
}

// never stands for the end of a lease without end (Redisson's constant).
const never int64 = 922337203685477

// lapses is the moment at which a lease that starts now ends, as the server has it.
func (k *permits) lapses(lease time.Duration) int64 {
	if lease == Forever {
		return never
	}
	return after(k.c.clock.Now(), lease).UnixMilli()
}

// weight implements sharing.
func (k *permits) weight() (int64, bool) { return int64(len(k.ids)), true }

func (k *permits) acquire(ctx context.Context, _ string, lease, _ time.Duration) (reply, error) {
	publish, err := k.c.routing.publishCommand(ctx)
	if err != nil {
		return reply{}, err
	}
	now := k.c.clock.Now()
	v, err := k.c.evalAny(ctx, permitAcquire,
		permitAcquire.call(3, append([]any{k.semaphore.name, k.out, k.semaphore.notices,
			len(k.ids), k.lapses(lease), now.UnixMilli(), never, publish}, k.ids...)...))
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

func (k *permits) recall(ctx context.Context, owner string) (reply, error) {
	err := k.c.rdb.ZScore(ctx, k.out.(string), rawID(owner)).Err()
	if errors.Is(err, redis.Nil) {
		return reply{}, nil
	}
	return reply{held: err == nil}, err
}

// release gives back one permit. There is no latch for it: when it has to be repeated, that the permit is gone means
// that it was given back.
func (k *permits) release(ctx context.Context, owner string, _ time.Duration, _ []byte) (release, error) {
	publish, err := k.c.routing.publishCommand(ctx)
	if err != nil {
		return notOwned, err
	}
	doubt := false
	r, err := k.c.retry(ctx, false, func(ctx context.Context) (reply, error) {
		n, err := k.c.eval(ctx, atMostOnce, permitRelease, permitRelease.call(3, k.semaphore.name, k.semaphore.notices, k.out,
			rawID(owner), 1, k.c.clock.Now().UnixMilli(), publish))
		if err != nil {
			_, ambiguous := worthRepeating(err)
			doubt = doubt || ambiguous
		}
		return reply{held: n == 0 && !doubt}, err
	})
	if err != nil || r.held {
		return notOwned, err
	}
	return freed, nil
}

// undo implements undoing: all or none of them have been taken.
func (k *permits) undo(ctx context.Context) error {
	for i := range k.ids {
		if _, err := k.release(ctx, k.id(i), 0, nil); err != nil {
			return err
		}
	}
	return nil
}

func (k *permits) renewal() *renewal { return permitRenewal }

// permitRenewal moves the end of one permit; Redisson's script takes no more.
var permitRenewal = &renewal{script: permitRenew, size: 1, call: func(lease time.Duration, handles []*Handle) []any {
	h := handles[0]
	k := h.kind.(*permits)
	publish, err := k.c.routing.publishCommand(h.values)
	if err != nil {
		publish = "PUBLISH"
	}
	return permitRenew.call(3, k.semaphore.name, k.out, k.semaphore.notices,
		rawID(h.owner), k.lapses(lease), k.c.clock.Now().UnixMilli(), publish)
}}

func (k *permits) channel(string) string { return k.semaphore.notices.(string) }

// clear and look are not reached: a permit semaphore has no owner to ask for.
func (k *permits) clear(context.Context) (bool, error) { return false, nil }

func (k *permits) look(context.Context, redis.Pipeliner) func(*Info) { return func(*Info) {} }
