package lock

import (
	"context"
	"time"

	"github.com/redis/go-redis/v9"
)

// RWMutex is held by one writer or by any number of readers, in the layout of Redisson's RReadWriteLock. Its methods
// without an R are those of the writer.
//
// A writer can also take the read lock, with [As] and its own owner, and may then release the write lock and continue
// as a reader; a reader cannot become a writer. Within a process a waiting writer goes before readers that come later,
// as with sync.RWMutex; across processes readers can starve a writer.
//
// Readers share one key, whose time to live any renewal or [Handle.Extend] sets, as with Redisson: give all readers of
// a lock the same lease, or one with a longer lease loses its lock to a writer when one with a shorter lease dies.
type RWMutex struct {
	locker
	read locker
}

// RWMutex returns the read/write lock with the given name.
func (c *Client) RWMutex(name string, options ...LockOption) *RWMutex {
	base := rwKind{c: c, name: name, notices: addPrefix("redisson_rwlock", name),
		latchPrefix: addPrefix("redisson_unlock_latch", name) + ":"}
	s := c.lockSettings(options)
	return &RWMutex{
		locker{c: c, kind: &writeKind{base}, kindName: "write lock", name: name, settings: s},
		locker{c: c, kind: &readKind{base}, kindName: "read lock", name: name, settings: s},
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

// ForceRUnlock is ForceUnlock for a lock that readers hold; ForceUnlock frees one that a writer holds.
func (m *RWMutex) ForceRUnlock(ctx context.Context) (bool, error) { return m.read.ForceUnlock(ctx) }

// RLocker returns the read lock as a [Locker].
func (m *RWMutex) RLocker() Locker { return &m.read }

// wakeAll is the message of a writer (Redisson's READ_UNLOCK_MESSAGE): all readers may try.
const wakeAll = "1"

// rwKind is the common part of both kinds of a RWMutex.
type rwKind struct {
	c             *Client
	name, notices any
	latchPrefix   string
}

func (k *rwKind) channel(string) string { return k.notices.(string) }

func (k *rwKind) inspect(ctx context.Context, p redis.Pipeliner) func(*Info) {
	return readHash(ctx, p, k.name.(string))
}

func (k *rwKind) clearWith(ctx context.Context, message string) (bool, error) {
	return k.c.clearWith(ctx, rwForce, func(publish any) []any {
		return rwForce.call(2, k.name, k.notices, message,
			publish)
	})
}

// writeKind is the kind of the write lock.
type writeKind struct{ rwKind }

func (k *writeKind) acquire(ctx context.Context, owner string, lease, _ time.Duration) (reply, error) {
	args := writeAcquire.call(1, k.name, leaseMillis(lease), owner+writeSuffix)
	return acquireReply(k.c.eval(ctx, atMostOnce, writeAcquire, args))
}

func (k *writeKind) checkAcquired(ctx context.Context, owner string) (reply, error) {
	return checkField(ctx, k.c, k.name, owner+writeSuffix)
}

func (k *writeKind) release(ctx context.Context, owner string, lease time.Duration, request []byte) (release, error) {
	return k.c.releaseWith(ctx, writeRelease, k.latchPrefix, request, func(publish, latch any) []any {
		return writeRelease.call(3, k.name, k.notices, latch,
			wakeAll, leaseMillis(lease), owner+writeSuffix, publish, latchMillis)
	})
}

func (k *writeKind) clear(ctx context.Context) (bool, error) { return k.clearWith(ctx, wakeAll) }

func (k *writeKind) renewal() *renewal { return writeRenewal }

var writeRenewal = batchRenewal(mutexRenew, func(h *Handle, keys, args []any) (k, a []any) {
	return append(keys, h.name), append(args, h.owner+writeSuffix)
})

// readKind is the kind of the read lock.
type readKind struct{ rwKind }

// weight implements sharing: any number of readers can hold the lock.
func (k *readKind) weight() (int64, bool) { return 1, false }

// holds returns the prefix of the keys with the lease of each hold of an owner.
func (k *readKind) holds(owner string) string {
	return addSuffix(k.name.(string), owner+":rwlock_timeout")
}

func (k *readKind) acquire(ctx context.Context, owner string, lease, _ time.Duration) (reply, error) {
	args := readAcquire.call(2, k.name, k.holds(owner), leaseMillis(lease), owner, owner+writeSuffix)
	return acquireReply(k.c.eval(ctx, atMostOnce, readAcquire, args))
}

func (k *readKind) checkAcquired(ctx context.Context, owner string) (reply, error) {
	return checkField(ctx, k.c, k.name, owner)
}

func (k *readKind) release(ctx context.Context, owner string, _ time.Duration, request []byte) (release, error) {
	return k.c.releaseWith(ctx, readRelease, k.latchPrefix, request, func(publish, latch any) []any {
		return readRelease.call(5, k.name, k.notices, k.holds(owner), addBraces(k.name.(string)), latch,
			wakeOne, owner, publish, latchMillis)
	})
}

func (k *readKind) clear(ctx context.Context) (bool, error) { return k.clearWith(ctx, wakeOne) }

func (k *readKind) renewal() *renewal { return readRenewal }

var readRenewal = batchRenewal(readRenew, func(h *Handle, keys, args []any) (k, a []any) {
	return append(keys, h.name, addBraces(h.name)), append(args, 1, h.owner)
})
