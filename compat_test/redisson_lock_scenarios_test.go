package compat

import "fmt"

// The scenarios that Redisson's lock scripts are run in. A holder is the UUID of a client and a thread ID: thread1 and
// thread2 belong to one client, client2 to another.
const (
	thread1 = "8743c9c0-0795-4907-87fd-6c719a6b4586:1"
	thread2 = "8743c9c0-0795-4907-87fd-6c719a6b4586:2"
	client2 = "0f0e0d0c-0b0a-4908-8706-050403020100:1"
)

// lockScenario is a sequence of calls. since is the first version that has the object.
type lockScenario struct {
	name  string
	since string
	calls func(redisson) []lockCall
}

var lockScenarios = []lockScenario{
	{"lock", "", func(r redisson) []lockCall { return plainScenario(r, "order:7") }},
	{"lock with a hash tag", "", func(r redisson) []lockCall { return plainScenario(r, "{shop}order:7") }},
	{"fair lock", "", fairScenario},
	{"fair lock with waiters that time out", "", fairTimeoutScenario},
	{"read lock", "", readLockScenario},
	{"write lock", "", writeLockScenario},
	{"read and write", "", readWriteScenario},
	{"semaphore", "", semaphoreScenario},
	{"count-down latch", "", latchScenario},
	{"permit semaphore", "", permitScenario},
	{"permit lists", "4", permitListScenario},
	{"rate limiter", "", func(r redisson) []lockCall { return rateScenario(r, 0) }},
	{"rate limiter per client", "", func(r redisson) []lockCall { return rateScenario(r, 1) }},
	{"rate limiter with keep-alive and release", "4", rateScenario4},
	{"spin lock", "4", spinScenario},
	{"fenced lock", "4", fencedScenario},
	{"faster multi-lock", "4", multiScenario},
	{"non-reentrant lock", "4", nonReentrantScenario},
	{"lease of a multi-lock", "", leaseScenario},
}

// plain returns a call that is an ordinary command.
func plain(args ...string) lockCall { return lockCall{args: args} }

func plainScenario(r redisson, name string) []lockCall {
	return []lockCall{
		r.renew(name, thread1),
		r.unlock(name, thread1, 1),
		r.lock(name, thread1),
		r.lock(name, thread1),
		r.lock(name, thread2),
		r.renew(name, thread1), r.renew(name, thread2),
		r.unlock(name, thread2, 2),
		r.unlock(name, thread1, 3), r.unlock(name, thread1, 3),
		r.unlock(name, thread1, 4), r.unlock(name, thread1, 4),
		r.unlock(name, thread1, 5),
		r.lock(name, thread2),
		plain("PERSIST", name), r.lock(name, thread1), r.renew(name, thread2),
		r.forceUnlock(name), r.forceUnlock(name),
		plain("SET", name, "not a lock"), r.lock(name, thread1), r.unlock(name, thread1, 6), r.forceUnlock(name),
	}
}

func fairScenario(r redisson) []lockCall {
	const name = "fair"
	return []lockCall{
		r.fairTry(name, thread1), r.fairTry(name, thread2),
		r.fairLock(name, thread1),
		r.fairLock(name, thread2), r.fairLock(name, client2), r.fairLock(name, thread2),
		r.fairUnlock(name, thread2, 1),
		r.fairUnlock(name, thread1, 2), r.fairUnlock(name, thread1, 3),
		r.fairTry(name, client2), r.fairLock(name, client2),
		r.fairLock(name, thread2),
		r.fairLock(name, thread1),
		r.fairGiveUp(name, client2), r.fairGiveUp(name, client2),
		r.fairUnlock(name, thread2, 4),
		r.fairUnlock(name, thread2, 5),
		r.fairLock(name, thread1),
		r.fairLock(name, thread2),
		r.fairForceUnlock(name), r.fairForceUnlock(name),
		r.fairLock(name, thread2),
	}
}

func fairTimeoutScenario(r redisson) []lockCall {
	const name = "fair"
	later := r.at(wait + lease + 10_000)
	return []lockCall{
		r.fairLock(name, thread1), r.fairLock(name, thread2), r.fairLock(name, client2),
		plain("DEL", name),
		r.fairTry(name, client2),
		later.fairTry(name, client2),
		later.fairUnlock(name, thread1, 1),
		later.fairLock(name, thread2),
		later.at(2*wait).fairUnlock(name, client2, 2),
		later.at(2 * wait).fairForceUnlock(name),
		// A waiter that is not in the timeout set.
		r.fairLock(name, thread1), plain("RPUSH", fairKeys(name)[1], thread2),
		r.fairLock(name, client2), r.fairUnlock(name, thread1, 3),
	}
}

func readLockScenario(r redisson) []lockCall {
	const name = "rw"
	return []lockCall{
		r.readUnlock(name, thread1, 1),
		r.read(name, thread1), r.read(name, thread1), r.read(name, thread2),
		r.readRenew(name, thread1, thread2), r.readRenew(name, client2),
		r.write(name, client2), r.write(name, thread1),
		r.readUnlock(name, client2, 2), r.readLocked(name),
		r.readUnlock(name, thread1, 3), r.readUnlock(name, thread1, 3),
		r.readUnlock(name, thread1, 4),
		r.readUnlock(name, thread2, 5),
		r.read(name, client2),
		r.writeForceUnlock(name), r.readForceUnlock(name), r.readForceUnlock(name),
		// A reader whose timeout key has expired does not hold the lock.
		r.read(name, thread1), r.read(name, thread2),
		plain("DEL", withSuffix(name, thread2+":rwlock_timeout:1")),
		r.readUnlock(name, thread1, 6),
	}
}

func writeLockScenario(r redisson) []lockCall {
	const name = "rw"
	return []lockCall{
		r.writeUnlock(name, thread1, 1),
		r.write(name, thread1), r.write(name, thread1), r.write(name, thread2),
		r.writeUnlock(name, thread2, 2),
		r.readLocked(name),
		r.writeUnlock(name, thread1, 3), r.writeUnlock(name, thread1, 4), r.writeUnlock(name, thread1, 5),
		r.write(name, thread2),
		r.readForceUnlock(name), r.writeForceUnlock(name), r.writeForceUnlock(name),
	}
}

func readWriteScenario(r redisson) []lockCall {
	const name = "rw"
	return []lockCall{
		r.write(name, thread1), r.read(name, thread1), r.read(name, thread2), r.readLocked(name),
		r.readRenew(name, thread1),
		r.read(name, thread1), r.readUnlock(name, thread1, 1),
		r.writeUnlock(name, thread1, 2),
		r.read(name, thread2),
		r.writeUnlock(name, thread1, 3),
		r.readUnlock(name, thread1, 4), r.readUnlock(name, thread2, 5),
		r.write(name, client2),
		r.read(name, client2), r.readUnlock(name, client2, 6), r.writeUnlock(name, client2, 7),
	}
}

func semaphoreScenario(r redisson) []lockCall {
	const name = "seats"
	calls := []lockCall{
		r.acquire(name, 1), r.drain(name),
		r.semaphore("trySetPermitsAsync", name, 5), r.semaphore("trySetPermitsAsync", name, 9),
		r.acquire(name, 3), r.acquire(name, 3), r.acquire(name, 2), r.acquire(name, 0),
		r.semaphore("releaseAsync", name, 2),
		r.semaphore("addPermitsAsync", name, 10), r.semaphore("addPermitsAsync", name, -20),
		r.acquire(name, 1),
		r.drain(name), r.drain(name),
		plain("DEL", name), r.semaphore("addPermitsAsync", name, 3),
		plain("SET", name, "word"), r.acquire(name, 1), r.semaphore("releaseAsync", name, 1),
	}
	if r.old() {
		return calls
	}
	timed := r.semaphore("trySetPermitsAsync#1", "timed", 4)
	timed.args = append(timed.args, fmt.Sprint(lease))
	return append(calls, timed, r.semaphore("releaseIfExistsAsync", "timed", 1), r.semaphore("releaseIfExistsAsync",
		"none", 1))
}

func latchScenario(r redisson) []lockCall {
	const name = "start"
	down := r.countDown("countDownAsync", name, "0")
	return []lockCall{
		down,
		r.countDown("trySetCountAsync", name, "1", 2), r.countDown("trySetCountAsync", name, "1", 3),
		down, down, down,
		r.countDown("trySetCountAsync", name, "1", 1),
		r.countDown("deleteAsync", name, "1"), r.countDown("deleteAsync", name, "1"),
	}
}

func permitScenario(r redisson) []lockCall {
	const name = "pool"
	expiry, late := r.now+60_000, r.at(120_000)
	query := func(r redisson) lockCall { return r.permitQuery("availablePermitsAsync", name) }
	return []lockCall{
		r.permitAcquire(name, expiry, 1),
		r.permits("trySetPermitsAsync", name, 3), r.permits("trySetPermitsAsync", name, 3),
		r.permitAcquire(name, expiry, 1), r.permitAcquire(name, expiry+5000, 2), r.permitAcquire(name, forever, 3),
		r.permitAcquire(name, expiry, 4),
		query(r),
		r.permitQuery("updateLeaseTimeAsync", name, r.permitID(2), expiry+90_000),
		r.permitQuery("updateLeaseTimeAsync", name, r.permitID(9), expiry),
		r.permitRelease(name, 9),
		query(late),
		late.permitRelease(name, 1), late.permitRelease(name, 2),
		late.permitAcquire(name, late.now+1000, 5), late.permitAcquire(name, late.now+1000, 6),
		late.permitAcquire(name, late.now+1000, 7),
		late.permitRelease(name, 3),
		r.permits("addPermitsAsync", name, 2), r.permits("addPermitsAsync", name, -1),
		plain("PEXPIRE", name, "60000"), late.permitAcquire(name, late.now+1000, 8),
		late.at(10_000).permitAcquire(name, late.now+60_000, 9),
		query(late.at(20_000)),
	}
}

func permitListScenario(r redisson) []lockCall {
	const name = "pool"
	late := r.at(120_000)
	release := func(r redisson, ids ...byte) lockCall {
		c := r.call("RedissonPermitExpirableSemaphore.tryReleaseAsync#1",
			keys(name, permitChannel(name), withSuffix(name, "timeout")), len(ids), r.now, "PUBLISH")
		for _, id := range ids {
			c.args = append(c.args, r.permitID(id))
		}
		return c
	}
	set := func(n int) lockCall {
		return r.withPublish(r.call("RedissonPermitExpirableSemaphore.setPermitsAsync",
			keys(name, permitChannel(name), withSuffix(name, "timeout")), n))
	}
	return []lockCall{
		set(6), set(6), set(8),
		r.permitAcquire(name, r.now+60_000, 1, 2, 3), r.permitAcquire(name, forever, 4, 5),
		r.permitAcquire(name, r.now+60_000, 6, 7, 8, 9),
		r.permitQuery("getPermitsAsync", name), r.permitQuery("acquiredPermitsAsync", name),
		r.permitQuery("getLeaseTimeAsync", name, r.permitID(1), forever),
		r.permitQuery("getLeaseTimeAsync", name, r.permitID(4), forever),
		r.permitQuery("getLeaseTimeAsync", name, r.permitID(99), forever),
		set(7), set(2),
		release(r, 1, 2), release(r, 3, 99),
		late.permitQuery("acquiredPermitsAsync", name), late.permitQuery("getPermitsAsync", name),
		release(late, 4, 5),
	}
}

func rateScenario(r redisson, kind int) []lockCall {
	const name = "api"
	return []lockCall{
		r.rateAcquire(name, 1, 1), r.rateAvailable(name),
		r.setRate("trySetRateAsync", name, 3, 1000, kind, 0), r.setRate("trySetRateAsync", name, 9, 9, kind, 0),
		r.rateAvailable(name),
		r.rateAcquire(name, 4, 1),
		r.rateAcquire(name, 2, 1), r.at(200).rateAcquire(name, 1, 2), r.at(300).rateAcquire(name, 1, 3),
		r.at(900).rateAvailable(name),
		r.at(1100).rateAvailable(name), r.at(1150).rateAcquire(name, 2, 4), r.at(1150).rateAcquire(name, 2, 5),
		r.at(9000).rateAcquire(name, 3, 6), r.at(9001).rateAcquire(name, 1, 7),
		r.setRate("setRateAsync", name, 5, 2000, kind, 0), r.at(9500).rateAcquire(name, 5, 8),
	}
}

func rateScenario4(r redisson) []lockCall {
	const name = "api"
	update := func(rate, kind, keep, onlyIfExists int) lockCall {
		return r.call("RedissonRateLimiter.setOrUpdateAsync", rateKeys(name), rate, 1000, kind, 50_000, r.now, keep,
			onlyIfExists)
	}
	release := r.call("RedissonRateLimiter.releaseAsync", rateKeys(name), 2)
	return []lockCall{
		release, update(5, 0, 1, 1),
		r.setRate("trySetRateAsync", name, 3, 1000, 0, 40_000),
		r.rateAcquire(name, 2, 1), release, release,
		r.rateAcquire(name, 3, 2),
		update(5, 0, 1, 1), update(2, 0, 1, 0), update(4, 0, 0, 0),
		r.rateAcquire(name, 4, 3), update(4, 1, 1, 0),
		r.at(5000).rateAvailable(name),
	}
}

func spinScenario(r redisson) []lockCall {
	const name = "spin"
	lock := func(holder string) lockCall {
		return r.call("RedissonSpinLock.tryLockInnerAsync", keys(name), lease, holder)
	}
	unlock := func(holder string, n int) lockCall {
		return r.call("RedissonSpinLock.unlockInnerAsync", keys(name, latch(name, n)), lease, holder, latchPX)
	}
	force := r.call("RedissonSpinLock.forceUnlockAsync", keys(name))
	return []lockCall{
		lock(thread1), lock(thread1), lock(thread2), unlock(thread2, 1),
		unlock(thread1, 2), unlock(thread1, 2), unlock(thread1, 3), unlock(thread1, 4),
		lock(thread2), force, force,
	}
}

func fencedScenario(r redisson) []lockCall {
	const name = "fenced"
	names := keys(name, withPrefix("redisson_lock_token", name))
	token := func(holder string) lockCall {
		return r.call("RedissonFencedLock.tryLockInnerAsync", names, lease, holder)
	}
	lock := func(holder string) lockCall {
		return r.call("RedissonFencedLock.tryLockInnerAsync#1", names, lease, holder)
	}
	return []lockCall{
		token(thread1), token(thread1), token(thread2), lock(thread1), lock(thread2),
		r.unlock(name, thread1, 1), r.unlock(name, thread1, 2), r.unlock(name, thread1, 3),
		lock(thread2), token(thread2), r.forceUnlock(name), token(thread1),
	}
}

func multiScenario(r redisson) []lockCall {
	const name, a, b, c = "group", "0a0b", "1c1d", "2e2f"
	late := r.at(lease + 1000)
	force := r.call("RedissonFasterMultiLock.forceUnlockAsync", keys(name, lockChannel(name)), freed, "PUBLISH", a)
	return []lockCall{
		r.multiUnlock(name, 1, thread1, a), r.multiRenew(name, thread1, a),
		r.multiHeld(name, thread1, a), r.multiLocked(name, a),
		r.multiLock(name, thread1, a, b), r.multiTry(name, thread2, c),
		r.multiLock(name, thread2, b, c), r.multiTry(name, thread2, b), r.multiTry(name, thread1, b),
		r.multiHeld(name, thread1, a, b), r.multiHeld(name, thread2, a), r.multiLocked(name, b),
		r.multiRenew(name, thread1, a, b), r.multiRenew(name, thread1, c),
		r.multiUnlock(name, 2, thread2, a),
		r.multiUnlock(name, 3, thread1, b), r.multiUnlock(name, 3, thread1, b), r.multiUnlock(name, 4, thread1, a, b),
		late.multiLocked(name, a),
		late.multiUnlock(name, 5, thread2, c), late.multiLock(name, thread1, c), late.multiTry(name, client2, a),
		force, late.multiLocked(name, a), force,
	}
}

func nonReentrantScenario(r redisson) []lockCall {
	const name = "once"
	const rejected = "ERR held already"
	lock := func(holder string) lockCall {
		return r.call("RedissonNonReentrantLock.tryLockInnerAsync", keys(name), lease, holder, rejected)
	}
	fairTry := func(holder string) lockCall {
		return r.call("RedissonNonReentrantFairLock.tryLockInnerAsync", fairKeys(name), lease, holder, r.now, wait, rejected)
	}
	fairLock := func(holder string) lockCall {
		return r.call("RedissonNonReentrantFairLock.tryLockInnerAsync#1", fairKeys(name), lease, holder, wait, r.now,
			rejected)
	}
	return []lockCall{
		lock(thread1), lock(thread1), lock(thread2), r.unlock(name, thread1, 1),
		fairTry(thread2), fairTry(thread2), fairTry(thread1), fairLock(thread2), fairLock(thread1), fairLock(thread1),
	}
}

func leaseScenario(r redisson) []lockCall {
	expire := func(ms int, more ...any) lockCall {
		return r.call("RedissonExpirable.expireAsync", keys("member:1", "member:2"), append([]any{ms}, more...)...)
	}
	calls := []lockCall{r.lock("member:1", thread1)}
	if r.old() {
		return append(calls, expire(5000), plain("DEL", "member:1"), expire(5000))
	}
	return append(calls, expire(5000, ""), expire(9000, "NX"), expire(9000, "GT"), expire(9999, "LT"),
		plain("DEL", "member:1"), expire(5000, ""))
}
