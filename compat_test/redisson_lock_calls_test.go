package compat

import (
	"fmt"
	"strings"
)

// The keys and arguments that Redisson passes to its lock scripts, by version. Clients of different versions share keys
// and channels, so their names are the same in both versions.

// Arguments that are the same in all calls.
const (
	lease    = 30_000                 // milliseconds, Redisson's default
	wait     = 300_000                // milliseconds until a fair waiter that is gone leaves the queue
	latchPX  = 16_000                 // milliseconds for which the result of an unlock is stored (4.7.0)
	forever  = int64(922337203685477) // the expiry of a permit without a lease
	freed    = "0"                    // the message to waiters
	writeEnd = "1"                    // the message when a write lock is freed
)

// redisson makes the calls of a version. now is the client's clock in milliseconds.
type redisson struct {
	version string
	now     int64
}

// old reports whether PUBLISH is written in the scripts, and unlocks have no latch key.
func (r redisson) old() bool { return r.version == "3.13.6" }

func keys(names ...string) []string { return names }

func (r redisson) call(script string, keys []string, args ...any) lockCall {
	c := lockCall{script: script, keys: keys}
	for _, a := range args {
		c.args = append(c.args, fmt.Sprint(a))
	}
	return c
}

// withPublish adds the name of the publish command, which newer versions pass.
func (r redisson) withPublish(c lockCall) lockCall {
	if !r.old() {
		c.args = append(c.args, "PUBLISH")
	}
	return c
}

// withUnlockLatch adds the publish command and the latch key of newer versions to an unlock.
func (r redisson) withUnlockLatch(c lockCall, latch string) lockCall {
	if !r.old() {
		c = r.withPublish(c)
		c.keys = append(c.keys, latch)
		c.args = append(c.args, fmt.Sprint(latchPX))
	}
	return c
}

// at returns the same client at a later time.
func (r redisson) at(ms int64) redisson { return redisson{r.version, r.now + ms} }

// withPrefix returns prefix:{name}; a name with braces gets no others.
func withPrefix(prefix, name string) string {
	if strings.Contains(name, "{") {
		return prefix + ":" + name
	}
	return prefix + ":{" + name + "}"
}

// withSuffix returns {name}:suffix, by the same rule.
func withSuffix(name, suffix string) string {
	if strings.Contains(name, "{") {
		return name + ":" + suffix
	}
	return "{" + name + "}:" + suffix
}

func lockChannel(name string) string   { return withPrefix("redisson_lock__channel", name) }
func rwChannel(name string) string     { return withPrefix("redisson_rwlock", name) }
func permitChannel(name string) string { return withPrefix("redisson_sc", name) }
func fairKeys(name string) []string {
	return keys(name, withPrefix("redisson_lock_queue", name), withPrefix("redisson_lock_timeout", name))
}

// latch returns another latch key for each n.
func latch(name string, n int) string {
	return fmt.Sprintf("%s:%032x", withPrefix("redisson_unlock_latch", name), n)
}

// RLock.

func (r redisson) lock(name, holder string) lockCall {
	return r.call("RedissonLock.tryLockInnerAsync", keys(name), lease, holder)
}

func (r redisson) unlock(name, holder string, n int) lockCall {
	c := r.call("RedissonLock.unlockInnerAsync", keys(name, lockChannel(name)), freed, lease, holder)
	return r.withUnlockLatch(c, latch(name, n))
}

func (r redisson) forceUnlock(name string) lockCall {
	return r.withPublish(r.call("RedissonLock.forceUnlockAsync", keys(name, lockChannel(name)), freed))
}

func (r redisson) renew(name, holder string) lockCall {
	if r.old() {
		return r.call("RedissonLock.renewExpirationAsync", keys(name), 2*lease, holder)
	}
	return r.call("LockTask.buildChunk", keys(name), 2*lease, holder)
}

// Fair lock. The first script tries once, the second one queues.

func (r redisson) fairTry(name, holder string) lockCall {
	return r.call("RedissonFairLock.tryLockInnerAsync", fairKeys(name), lease, holder, r.now, wait)
}

func (r redisson) fairLock(name, holder string) lockCall {
	return r.call("RedissonFairLock.tryLockInnerAsync#1", fairKeys(name), lease, holder, wait, r.now)
}

func (r redisson) fairUnlock(name, holder string, n int) lockCall {
	c := r.call("RedissonFairLock.unlockInnerAsync", append(fairKeys(name), lockChannel(name)), freed, lease, holder,
		r.now)
	return r.withUnlockLatch(c, latch(name, n))
}

func (r redisson) fairForceUnlock(name string) lockCall {
	return r.withPublish(r.call("RedissonFairLock.forceUnlockAsync", append(fairKeys(name), lockChannel(name)), freed,
		r.now))
}

func (r redisson) fairGiveUp(name, holder string) lockCall {
	return r.call("RedissonFairLock.acquireFailedAsync", fairKeys(name)[1:], holder, wait)
}

// Read/write lock.

func (r redisson) read(name, holder string) lockCall {
	return r.call("RedissonReadLock.tryLockInnerAsync", keys(name, withSuffix(name, holder+":rwlock_timeout")),
		lease, holder, holder+":write")
}

func (r redisson) readUnlock(name, holder string, n int) lockCall {
	c := r.call("RedissonReadLock.unlockInnerAsync",
		keys(name, rwChannel(name), withSuffix(name, holder+":rwlock_timeout"), "{"+name+"}"), freed, holder)
	return r.withUnlockLatch(c, latch(name, n))
}

func (r redisson) readForceUnlock(name string) lockCall {
	return r.withPublish(r.call("RedissonReadLock.forceUnlockAsync", keys(name, rwChannel(name)), freed))
}

func (r redisson) readRenew(name string, holders ...string) lockCall {
	if r.old() {
		return r.call("RedissonReadLock.renewExpirationAsync", keys(name, "{"+name+"}"), 2*lease, holders[0])
	}
	c := r.call("ReadLockTask.buildChunk", keys(name, "{"+name+"}"), 2*lease, len(holders))
	c.args = append(c.args, holders...)
	return c
}

func (r redisson) readLocked(name string) lockCall {
	if r.old() {
		return plain("HGET", name, "mode")
	}
	return r.call("RedissonReadLock.isLocked", keys(name))
}

func (r redisson) write(name, holder string) lockCall {
	return r.call("RedissonWriteLock.tryLockInnerAsync", keys(name), lease, holder+":write")
}

func (r redisson) writeUnlock(name, holder string, n int) lockCall {
	c := r.call("RedissonWriteLock.unlockInnerAsync", keys(name, rwChannel(name)), writeEnd, lease, holder+":write")
	return r.withUnlockLatch(c, latch(name, n))
}

func (r redisson) writeForceUnlock(name string) lockCall {
	return r.withPublish(r.call("RedissonWriteLock.forceUnlockAsync", keys(name, rwChannel(name)), writeEnd))
}

// Semaphore and count-down latch.

func (r redisson) semaphore(method, name string, n int) lockCall {
	return r.withPublish(r.call("RedissonSemaphore."+method, keys(name, permitChannel(name)), n))
}

func (r redisson) acquire(name string, n int) lockCall {
	method := "tryAcquireAsync0"
	if r.old() {
		method = "tryAcquireAsync"
	}
	return r.call("RedissonSemaphore."+method, keys(name), n)
}

func (r redisson) drain(name string) lockCall {
	return r.call("RedissonSemaphore.drainPermitsAsync", keys(name))
}

func (r redisson) countDown(method, name string, args ...any) lockCall {
	channel := "redisson_countdownlatch__channel__{" + name + "}"
	return r.withPublish(r.call("RedissonCountDownLatch."+method, keys(name, channel), args...))
}

// PermitExpirableSemaphore. Old versions have permit IDs of 32 letters, new ones of 16 bytes.

func (r redisson) permitID(n byte) string {
	if r.old() {
		return fmt.Sprintf("%032x", n)
	}
	return strings.Repeat("\x00\xff\r\n", 3) + "id:" + string([]byte{n})
}

func (r redisson) permits(method, name string, n int) lockCall {
	return r.withPublish(r.call("RedissonPermitExpirableSemaphore."+method, keys(name, permitChannel(name)), n))
}

func (r redisson) permitAcquire(name string, expiry int64, ids ...byte) lockCall {
	script := "RedissonPermitExpirableSemaphore.tryAcquireAsync"
	names := keys(name, withSuffix(name, "timeout"), permitChannel(name))
	if r.old() {
		return r.call(script, names, 1, expiry, r.permitID(ids[0]), r.now, forever)
	}
	c := r.call(script, names, len(ids), expiry, r.now, forever, "PUBLISH")
	for _, id := range ids {
		c.args = append(c.args, r.permitID(id))
	}
	return c
}

func (r redisson) permitRelease(name string, id byte) lockCall {
	script := "RedissonPermitExpirableSemaphore.tryReleaseAsync"
	names := keys(name, permitChannel(name), withSuffix(name, "timeout"))
	if r.old() {
		return r.call(script, names, r.permitID(id), 1)
	}
	return r.withPublish(r.call(script, names, r.permitID(id), 1, r.now))
}

// permitQuery calls a script that reads or changes permits.
func (r redisson) permitQuery(method, name string, args ...any) lockCall {
	names := keys(name, withSuffix(name, "timeout"), permitChannel(name))
	return r.withPublish(r.call("RedissonPermitExpirableSemaphore."+method, names, append(args, r.now)...))
}

// RedissonFasterMultiLock: one hash for a group of values.

func (r redisson) multi(method, name string, values []string, args ...any) lockCall {
	c := r.call(method, keys(name), args...)
	c.args = append(c.args, values...)
	return c
}

func (r redisson) multiLock(name, holder string, values ...string) lockCall {
	return r.multi("RedissonFasterMultiLock.tryLockInnerAsync", name, values, lease, r.now, holder)
}

func (r redisson) multiTry(name, holder string, values ...string) lockCall {
	return r.multi("RedissonFasterMultiLock.tryLockOnceInnerAsync", name, values, r.now, lease, holder)
}

func (r redisson) multiRenew(name, holder string, values ...string) lockCall {
	return r.multi("FastMultilockTask.buildChunk", name, values, 2*lease, r.now, holder)
}

func (r redisson) multiHeld(name, holder string, values ...string) lockCall {
	return r.multi("RedissonFasterMultiLock.isHeldByThreadAsync", name, values, r.now, holder)
}

func (r redisson) multiLocked(name string, values ...string) lockCall {
	return r.multi("RedissonFasterMultiLock.isLockedAsync", name, values, r.now)
}

func (r redisson) multiUnlock(name string, n int, holder string, values ...string) lockCall {
	c := r.multi("RedissonFasterMultiLock.unlockInnerAsync", name, values, holder, freed, lease, "PUBLISH", latchPX, r.now)
	c.keys = append(c.keys, lockChannel(name), latch(name, n))
	return c
}

// Rate limiter.

func rateKeys(name string) []string {
	id := "8743c9c0-0795-4907-87fd-6c719a6b4586"
	return keys(name, withSuffix(name, "value"), withSuffix(name, "value:"+id), withSuffix(name, "permits"),
		withSuffix(name, "permits:"+id))
}

func (r redisson) setRate(method, name string, rate, interval, kind int, keepAlive int) lockCall {
	c := r.call("RedissonRateLimiter."+method, rateKeys(name), rate, interval, kind)
	if !r.old() {
		c.args = append(c.args, fmt.Sprint(keepAlive))
	}
	return c
}

func (r redisson) rateAcquire(name string, n int, random byte) lockCall {
	var id any = strings.Repeat("\x00\xfe", 7) + "r" + string([]byte{random})
	if r.old() {
		id = 1000 + int(random)
	}
	return r.call("RedissonRateLimiter.tryAcquireAsync", rateKeys(name), n, r.now, id)
}

func (r redisson) rateAvailable(name string) lockCall {
	return r.call("RedissonRateLimiter.availablePermitsAsync", rateKeys(name), r.now)
}
