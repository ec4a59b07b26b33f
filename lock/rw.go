package lock

import (
	"context"
	"time"

	"github.com/redis/go-redis/v9"
)

// RWMutex is held by one writer or by any number of readers, in the layout of Redisson's RReadWriteLock. Its own
// methods are those of the writer.
//
// A writer takes the read lock as well with [As] and its own owner, and may then give back the write lock and go on
// reading; a reader cannot become a writer. Within a process a waiting writer goes before readers that come later, as
// with sync.RWMutex; across processes readers can keep a writer waiting.
//
// Readers share one key, whose life a renewal or [Handle.Extend] of any of them sets, as with Redisson: give all
// readers of a lock the same lease, or one with a longer lease loses its lock to a writer when one with a shorter lease
// dies.
type RWMutex struct {
	locker
	read locker
}

// RWMutex is the read/write lock with the given name.
func (c *Client) RWMutex(name string, options ...LockOption) *RWMutex {
	base := readWrite{c: c, name: name, notices: prefixed("redisson_rwlock", name),
		latches: prefixed("redisson_unlock_latch", name) + ":"}
	s := c.lockSettings(options)
	return &RWMutex{
		locker{c: c, kind: &writing{base}, sort: "write lock", name: name, settings: s},
		locker{c: c, kind: &reading{base}, sort: "read lock", name: name, settings: s},
	}
}

// RLock is Lock for reading.
func (m *RWMutex) RLock(ctx context.Context, options ...LockOption) (*Handle, error) {
	return m.read.Lock(ctx, options...)
}

// TryRLock is TryLock for reading.
func (m *RWMutex) TryRLock(ctx context.Context, options ...LockOption) (*Handle, error) {
	return m.read.TryLock(ctx, options...)
}

// RDo is Do for reading.
func (m *RWMutex) RDo(ctx context.Context, f func(context.Context) error, options ...LockOption) error {
	return m.read.Do(ctx, f, options...)
}

// ForceRUnlock is ForceUnlock for a lock that is held by readers; ForceUnlock frees one that is held by a writer.
func (m *RWMutex) ForceRUnlock(ctx context.Context) (bool, error) { return m.read.ForceUnlock(ctx) }

// RLocker is the read side as a [Locker].
func (m *RWMutex) RLocker() Locker { return &m.read }

// wakeAll is the message of a writer (Redisson's READ_UNLOCK_MESSAGE): all readers may come.
const wakeAll = "1"

// readWrite is what both sides of a RWMutex have in common.
type readWrite struct {
	c             *Client
	name, notices any
	latches       string
}

func (k *readWrite) channel(string) string { return k.notices.(string) }

func (k *readWrite) look(ctx context.Context, p redis.Pipeliner) func(*Info) {
	return lookAtHash(ctx, p, k.name.(string))
}

func (k *readWrite) clearWith(ctx context.Context, message string) (bool, error) {
	return k.c.clearWith(ctx, rwForce, func(publish any) []any {
		return rwForce.call(2, k.name, k.notices, message,
			publish)
	})
}

// writing is the write side.
type writing struct{ readWrite }

func (k *writing) acquire(ctx context.Context, owner string, lease, _ time.Duration) (reply, error) {
	args := writeAcquire.call(1, k.name, leaseMillis(lease), owner+writeSuffix)
	return acquireReply(k.c.eval(ctx, atMostOnce, writeAcquire, args))
}

func (k *writing) recall(ctx context.Context, owner string) (reply, error) {
	return recallField(ctx, k.c, k.name, owner+writeSuffix)
}

func (k *writing) release(ctx context.Context, owner string, lease time.Duration, request []byte) (release, error) {
	return k.c.releaseWith(ctx, writeRelease, k.latches, request, func(publish, latch any) []any {
		return writeRelease.call(3, k.name, k.notices, latch,
			wakeAll, leaseMillis(lease), owner+writeSuffix, publish, latchMillis)
	})
}

func (k *writing) clear(ctx context.Context) (bool, error) { return k.clearWith(ctx, wakeAll) }

func (k *writing) renewal() *renewal { return writeRenewal }

var writeRenewal = batched(mutexRenew, func(h *Handle, keys, args []any) (k, a []any) {
	return append(keys, h.name), append(args, h.owner+writeSuffix)
})

// reading is the read side.
type reading struct{ readWrite }

// weight implements sharing: any number of readers go together.
func (k *reading) weight() (int64, bool) { return 1, false }

// holds starts the names of the keys that keep the time of each hold of an owner.
func (k *reading) holds(owner string) string {
	return suffixed(k.name.(string), owner+":rwlock_timeout")
}

func (k *reading) acquire(ctx context.Context, owner string, lease, _ time.Duration) (reply, error) {
	args := readAcquire.call(2, k.name, k.holds(owner), leaseMillis(lease), owner, owner+writeSuffix)
	return acquireReply(k.c.eval(ctx, atMostOnce, readAcquire, args))
}

func (k *reading) recall(ctx context.Context, owner string) (reply, error) {
	return recallField(ctx, k.c, k.name, owner)
}

func (k *reading) release(ctx context.Context, owner string, _ time.Duration, request []byte) (release, error) {
	return k.c.releaseWith(ctx, readRelease, k.latches, request, func(publish, latch any) []any {
		return readRelease.call(5, k.name, k.notices, k.holds(owner), braced(k.name.(string)), latch,
			wakeOne, owner, publish, latchMillis)
	})
}

func (k *reading) clear(ctx context.Context) (bool, error) { return k.clearWith(ctx, wakeOne) }

func (k *reading) renewal() *renewal { return readRenewal }

var readRenewal = batched(readRenew, func(h *Handle, keys, args []any) (k, a []any) {
	return append(keys, h.name, braced(h.name)), append(args, 1, h.owner)
})
