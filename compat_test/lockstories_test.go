package compat

import "fmt"

// The stories that Redisson's lock scripts are run through. Holders are a client's UUID and
// a thread number.
const (
	anna  = "8743c9c0-0795-4907-87fd-6c719a6b4586:1"
	bert  = "8743c9c0-0795-4907-87fd-6c719a6b4586:2"
	carla = "0f0e0d0c-0b0a-4908-8706-050403020100:1"
)

// lockStory is a sequence of calls. since is the first version that has the object.
type lockStory struct {
	name  string
	since string
	calls func(redisson) []lockCall
}

var lockStories = []lockStory{
	{"lock", "", func(r redisson) []lockCall { return plainStory(r, "order:7") }},
	{"lock with a hash tag", "", func(r redisson) []lockCall { return plainStory(r, "{shop}order:7") }},
	{"fair lock", "", fairStory},
	{"fair lock with places that lapse", "", fairLapseStory},
	{"read lock", "", readLockStory},
	{"write lock", "", writeLockStory},
	{"read and write", "", readWriteStory},
	{"semaphore", "", semaphoreStory},
	{"count-down latch", "", latchStory},
	{"permit semaphore", "", permitStory},
	{"permit lists", "4", permitListStory},
	{"rate limiter", "", func(r redisson) []lockCall { return rateStory(r, 0) }},
	{"rate limiter per client", "", func(r redisson) []lockCall { return rateStory(r, 1) }},
	{"rate limiter with more to it", "4", rateStory4},
	{"spin lock", "4", spinStory},
	{"fenced lock", "4", fencedStory},
	{"faster multi-lock", "4", multiStory},
	{"lock that is not reentrant", "4", nonReentrantStory},
	{"lease of a multi-lock", "", leaseStory},
}

// plain makes a call that is an ordinary command.
func plain(args ...string) lockCall { return lockCall{args: args} }

func plainStory(r redisson, name string) []lockCall {
	return []lockCall{
		r.renew(name, anna),
		r.unlock(name, anna, 1),
		r.lock(name, anna),
		r.lock(name, anna),
		r.lock(name, bert),
		r.renew(name, anna), r.renew(name, bert),
		r.unlock(name, bert, 2),
		r.unlock(name, anna, 3), r.unlock(name, anna, 3),
		r.unlock(name, anna, 4), r.unlock(name, anna, 4),
		r.unlock(name, anna, 5),
		r.lock(name, bert),
		plain("PERSIST", name), r.lock(name, anna), r.renew(name, bert),
		r.forceUnlock(name), r.forceUnlock(name),
		plain("SET", name, "not a lock"), r.lock(name, anna), r.unlock(name, anna, 6), r.forceUnlock(name),
	}
}

func fairStory(r redisson) []lockCall {
	const name = "fair"
	return []lockCall{
		r.fairTry(name, anna), r.fairTry(name, bert),
		r.fairLock(name, anna),
		r.fairLock(name, bert), r.fairLock(name, carla), r.fairLock(name, bert),
		r.fairUnlock(name, bert, 1),
		r.fairUnlock(name, anna, 2), r.fairUnlock(name, anna, 3),
		r.fairTry(name, carla), r.fairLock(name, carla),
		r.fairLock(name, bert),
		r.fairLock(name, anna),
		r.fairGiveUp(name, carla), r.fairGiveUp(name, carla),
		r.fairUnlock(name, bert, 4),
		r.fairUnlock(name, bert, 5),
		r.fairLock(name, anna),
		r.fairLock(name, bert),
		r.fairForceUnlock(name), r.fairForceUnlock(name),
		r.fairLock(name, bert),
	}
}

func fairLapseStory(r redisson) []lockCall {
	const name = "fair"
	later := r.at(wait + lease + 10_000)
	return []lockCall{
		r.fairLock(name, anna), r.fairLock(name, bert), r.fairLock(name, carla),
		plain("DEL", name),
		r.fairTry(name, carla),
		later.fairTry(name, carla),
		later.fairUnlock(name, anna, 1),
		later.fairLock(name, bert),
		later.at(2*wait).fairUnlock(name, carla, 2),
		later.at(2 * wait).fairForceUnlock(name),
		// A waiter without a place in the timeout set.
		r.fairLock(name, anna), plain("RPUSH", fairKeys(name)[1], bert),
		r.fairLock(name, carla), r.fairUnlock(name, anna, 3),
	}
}

func readLockStory(r redisson) []lockCall {
	const name = "rw"
	return []lockCall{
		r.readUnlock(name, anna, 1),
		r.read(name, anna), r.read(name, anna), r.read(name, bert),
		r.readRenew(name, anna, bert), r.readRenew(name, carla),
		r.write(name, carla), r.write(name, anna),
		r.readUnlock(name, carla, 2), r.readLocked(name),
		r.readUnlock(name, anna, 3), r.readUnlock(name, anna, 3),
		r.readUnlock(name, anna, 4),
		r.readUnlock(name, bert, 5),
		r.read(name, carla),
		r.writeForceUnlock(name), r.readForceUnlock(name), r.readForceUnlock(name),
		// A reader whose own time ran out does not keep the lock.
		r.read(name, anna), r.read(name, bert),
		plain("DEL", suffixed(name, bert+":rwlock_timeout:1")),
		r.readUnlock(name, anna, 6),
	}
}

func writeLockStory(r redisson) []lockCall {
	const name = "rw"
	return []lockCall{
		r.writeUnlock(name, anna, 1),
		r.write(name, anna), r.write(name, anna), r.write(name, bert),
		r.writeUnlock(name, bert, 2),
		r.readLocked(name),
		r.writeUnlock(name, anna, 3), r.writeUnlock(name, anna, 4), r.writeUnlock(name, anna, 5),
		r.write(name, bert),
		r.readForceUnlock(name), r.writeForceUnlock(name), r.writeForceUnlock(name),
	}
}

func readWriteStory(r redisson) []lockCall {
	const name = "rw"
	return []lockCall{
		r.write(name, anna), r.read(name, anna), r.read(name, bert), r.readLocked(name),
		r.readRenew(name, anna),
		r.read(name, anna), r.readUnlock(name, anna, 1),
		r.writeUnlock(name, anna, 2),
		r.read(name, bert),
		r.writeUnlock(name, anna, 3),
		r.readUnlock(name, anna, 4), r.readUnlock(name, bert, 5),
		r.write(name, carla),
		r.read(name, carla), r.readUnlock(name, carla, 6), r.writeUnlock(name, carla, 7),
	}
}

func semaphoreStory(r redisson) []lockCall {
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
	return append(calls, timed, r.semaphore("releaseIfExistsAsync", "timed", 1), r.semaphore("releaseIfExistsAsync", "none", 1))
}

func latchStory(r redisson) []lockCall {
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

func permitStory(r redisson) []lockCall {
	const name = "pool"
	soon, late := r.now+60_000, r.at(120_000)
	ask := func(r redisson) lockCall { return r.permitAsk("availablePermitsAsync", name) }
	return []lockCall{
		r.permitAcquire(name, soon, 1),
		r.permits("trySetPermitsAsync", name, 3), r.permits("trySetPermitsAsync", name, 3),
		r.permitAcquire(name, soon, 1), r.permitAcquire(name, soon+5000, 2), r.permitAcquire(name, forever, 3),
		r.permitAcquire(name, soon, 4),
		ask(r),
		r.permitAsk("updateLeaseTimeAsync", name, r.permitID(2), soon+90_000),
		r.permitAsk("updateLeaseTimeAsync", name, r.permitID(9), soon),
		r.permitRelease(name, 9),
		ask(late),
		late.permitRelease(name, 1), late.permitRelease(name, 2),
		late.permitAcquire(name, late.now+1000, 5), late.permitAcquire(name, late.now+1000, 6),
		late.permitAcquire(name, late.now+1000, 7),
		late.permitRelease(name, 3),
		r.permits("addPermitsAsync", name, 2), r.permits("addPermitsAsync", name, -1),
		plain("PEXPIRE", name, "60000"), late.permitAcquire(name, late.now+1000, 8),
		late.at(10_000).permitAcquire(name, late.now+60_000, 9),
		ask(late.at(20_000)),
	}
}

func permitListStory(r redisson) []lockCall {
	const name = "pool"
	late := r.at(120_000)
	release := func(r redisson, ids ...byte) lockCall {
		c := r.call("RedissonPermitExpirableSemaphore.tryReleaseAsync#1",
			keys(name, permitChannel(name), suffixed(name, "timeout")), len(ids), r.now, "PUBLISH")
		for _, id := range ids {
			c.args = append(c.args, r.permitID(id))
		}
		return c
	}
	set := func(n int) lockCall {
		return r.published(r.call("RedissonPermitExpirableSemaphore.setPermitsAsync",
			keys(name, permitChannel(name), suffixed(name, "timeout")), n))
	}
	return []lockCall{
		set(6), set(6), set(8),
		r.permitAcquire(name, r.now+60_000, 1, 2, 3), r.permitAcquire(name, forever, 4, 5),
		r.permitAcquire(name, r.now+60_000, 6, 7, 8, 9),
		r.permitAsk("getPermitsAsync", name), r.permitAsk("acquiredPermitsAsync", name),
		r.permitAsk("getLeaseTimeAsync", name, r.permitID(1), forever),
		r.permitAsk("getLeaseTimeAsync", name, r.permitID(4), forever),
		r.permitAsk("getLeaseTimeAsync", name, r.permitID(99), forever),
		set(7), set(2),
		release(r, 1, 2), release(r, 3, 99),
		late.permitAsk("acquiredPermitsAsync", name), late.permitAsk("getPermitsAsync", name),
		release(late, 4, 5),
	}
}

func rateStory(r redisson, kind int) []lockCall {
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

func rateStory4(r redisson) []lockCall {
	const name = "api"
	update := func(rate, kind, keep, onlyIfExists int) lockCall {
		return r.call("RedissonRateLimiter.setOrUpdateAsync", rateKeys(name), rate, 1000, kind, 50_000, r.now, keep, onlyIfExists)
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

func spinStory(r redisson) []lockCall {
	const name = "spin"
	lock := func(holder string) lockCall {
		return r.call("RedissonSpinLock.tryLockInnerAsync", keys(name), lease, holder)
	}
	unlock := func(holder string, n int) lockCall {
		return r.call("RedissonSpinLock.unlockInnerAsync", keys(name, latch(name, n)), lease, holder, latchPX)
	}
	force := r.call("RedissonSpinLock.forceUnlockAsync", keys(name))
	return []lockCall{
		lock(anna), lock(anna), lock(bert), unlock(bert, 1),
		unlock(anna, 2), unlock(anna, 2), unlock(anna, 3), unlock(anna, 4),
		lock(bert), force, force,
	}
}

func fencedStory(r redisson) []lockCall {
	const name = "fenced"
	names := keys(name, prefixed("redisson_lock_token", name))
	token := func(holder string) lockCall {
		return r.call("RedissonFencedLock.tryLockInnerAsync", names, lease, holder)
	}
	lock := func(holder string) lockCall {
		return r.call("RedissonFencedLock.tryLockInnerAsync#1", names, lease, holder)
	}
	return []lockCall{
		token(anna), token(anna), token(bert), lock(anna), lock(bert),
		r.unlock(name, anna, 1), r.unlock(name, anna, 2), r.unlock(name, anna, 3),
		lock(bert), token(bert), r.forceUnlock(name), token(anna),
	}
}

func multiStory(r redisson) []lockCall {
	const name, a, b, c = "group", "0a0b", "1c1d", "2e2f"
	late := r.at(lease + 1000)
	force := r.call("RedissonFasterMultiLock.forceUnlockAsync", keys(name, lockChannel(name)), freed, "PUBLISH", a)
	return []lockCall{
		r.multiUnlock(name, 1, anna, a), r.multiRenew(name, anna, a),
		r.multiHeld(name, anna, a), r.multiLocked(name, a),
		r.multiLock(name, anna, a, b), r.multiTry(name, bert, c),
		r.multiLock(name, bert, b, c), r.multiTry(name, bert, b), r.multiTry(name, anna, b),
		r.multiHeld(name, anna, a, b), r.multiHeld(name, bert, a), r.multiLocked(name, b),
		r.multiRenew(name, anna, a, b), r.multiRenew(name, anna, c),
		r.multiUnlock(name, 2, bert, a),
		r.multiUnlock(name, 3, anna, b), r.multiUnlock(name, 3, anna, b), r.multiUnlock(name, 4, anna, a, b),
		late.multiLocked(name, a),
		late.multiUnlock(name, 5, bert, c), late.multiLock(name, anna, c), late.multiTry(name, carla, a),
		force, late.multiLocked(name, a), force,
	}
}

func nonReentrantStory(r redisson) []lockCall {
	const name = "once"
	const refused = "ERR held already"
	lock := func(holder string) lockCall {
		return r.call("RedissonNonReentrantLock.tryLockInnerAsync", keys(name), lease, holder, refused)
	}
	fairTry := func(holder string) lockCall {
		return r.call("RedissonNonReentrantFairLock.tryLockInnerAsync", fairKeys(name), lease, holder, r.now, wait, refused)
	}
	fairLock := func(holder string) lockCall {
		return r.call("RedissonNonReentrantFairLock.tryLockInnerAsync#1", fairKeys(name), lease, holder, wait, r.now, refused)
	}
	return []lockCall{
		lock(anna), lock(anna), lock(bert), r.unlock(name, anna, 1),
		fairTry(bert), fairTry(bert), fairTry(anna), fairLock(bert), fairLock(anna), fairLock(anna),
	}
}

func leaseStory(r redisson) []lockCall {
	expire := func(ms int, more ...any) lockCall {
		return r.call("RedissonExpirable.expireAsync", keys("member:1", "member:2"), append([]any{ms}, more...)...)
	}
	calls := []lockCall{r.lock("member:1", anna)}
	if r.old() {
		return append(calls, expire(5000), plain("DEL", "member:1"), expire(5000))
	}
	return append(calls, expire(5000, ""), expire(9000, "NX"), expire(9000, "GT"), expire(9999, "LT"),
		plain("DEL", "member:1"), expire(5000, ""))
}
