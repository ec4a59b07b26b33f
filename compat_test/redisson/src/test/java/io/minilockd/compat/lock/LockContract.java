package io.minilockd.compat.lock;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.minilockd.compat.support.ClientConfig;
import io.minilockd.compat.support.Eventually;
import io.minilockd.compat.support.Instance;
import io.minilockd.compat.support.Race;
import io.minilockd.compat.support.ServerTest;
import io.minilockd.compat.support.Stopwatch;
import io.minilockd.compat.support.Worker;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.redisson.api.RLock;

/**
 * What every kind of {@link RLock} guarantees. Alice holds the lock in the thread of the test; Bob wants it in a
 * {@link Worker}. A lease is 60 s where the lock must be released before its end.
 */
abstract class LockContract extends ServerTest {
    protected static final long LONG_LEASE_SECONDS = 60;

    private static final long SHORT_LEASE_MILLIS = 500;
    private static final long SHORT_WAIT_MILLIS = 200;

    /** The lock under test, of one instance. */
    protected abstract RLock lock(Instance instance, String name);

    /** The lock that {@link #lock} excludes; for most kinds it is the same lock. */
    protected RLock competing(Instance instance, String name) {
        return lock(instance, name);
    }

    /** Whether the task of a worker waits for the lock, so that its release wakes it up. */
    protected boolean hasWaiter(String name, Worker worker) throws Exception {
        return hasSubscriber("redisson_lock__channel:", name);
    }

    /** Expects that a lock held by another thread cannot be unlocked. */
    protected void unlockAsOther(RLock lock) {
        assertThrows(IllegalMonitorStateException.class, lock::unlock);
    }

    /**
     * Waits for the lease of a lock that is not released to end. It tries every two seconds: a waiter of Redisson 3 for
     * a fair lock may miss the end of the lease.
     */
    protected static void acquireAfterExpiry(Worker worker, RLock wanted) throws Exception {
        Eventually.until("the lease ends",
                () -> worker.call(() -> wanted.tryLock(2, LONG_LEASE_SECONDS, SECONDS)));
    }

    /** How often each thread of a race acquires the lock; a race takes a few seconds. */
    protected int rounds() {
        return 10;
    }

    @Test
    void isFreeAfterAsManyUnlocksAsLocks() throws Exception {
        String name = newName();
        RLock held = lock(alice, name);
        try (Worker worker = new Worker()) {
            RLock wanted = competing(bob, name);
            held.lock(LONG_LEASE_SECONDS, SECONDS);
            held.lock(LONG_LEASE_SECONDS, SECONDS);
            assertTrue(held.tryLock(), "reentrant by tryLock");
            held.unlock();
            held.unlock();
            assertFalse(worker.call(() -> wanted.tryLock()), "locked once more");
            held.unlock();
            assertTrue(worker.call(() -> wanted.tryLock()), "not locked any more");
            worker.run(wanted::unlock);
        }
    }

    @Test
    void unlockWakesAWaiterBeforeTheLeaseEnds() throws Exception {
        assertUnlockWakesAWaiter(newName());
    }

    protected final void assertUnlockWakesAWaiter(String name) throws Exception {
        RLock held = lock(alice, name);
        held.lock(LONG_LEASE_SECONDS, SECONDS);
        try (Worker worker = new Worker()) {
            RLock wanted = competing(bob, name);
            Future<?> acquired = worker.startStep(() -> wanted.lock(LONG_LEASE_SECONDS, SECONDS));
            Eventually.until("Bob waits", () -> hasWaiter(name, worker));
            assertFalse(acquired.isDone());
            held.unlock();
            Worker.result(acquired);
            worker.run(wanted::unlock);
        }
    }

    @Test
    void aWaiterGetsTheLockWhenTheLeaseEnds() throws Exception {
        String name = newName();
        RLock held = lock(alice, name);
        Stopwatch sinceAcquired = new Stopwatch();
        held.lock(SHORT_LEASE_MILLIS, MILLISECONDS);
        try (Worker worker = new Worker()) {
            RLock wanted = competing(bob, name);
            acquireAfterExpiry(worker, wanted);
            sinceAcquired.assertAtLeast(SHORT_LEASE_MILLIS);
            unlockAsOther(held);
            worker.run(wanted::unlock);
        }
    }

    @Test
    void theWatchdogRenewsTheLeaseUntilTheClientEnds() throws Exception {
        String name = newName();
        try (Instance dying = open(); Worker worker = new Worker()) {
            lock(dying, name).lock();
            RLock wanted = competing(bob, name);
            long beyondTheLease = ClientConfig.WATCHDOG_MILLIS * 3 / 2;
            assertFalse(worker.call(() -> wanted.tryLock(beyondTheLease, MILLISECONDS)), "the lease is renewed");
            dying.close();
            acquireAfterExpiry(worker, wanted);
            worker.run(wanted::unlock);
        }
    }

    @Test
    void onlyItsHolderCanUnlock() throws Exception {
        String name = newName();
        RLock held = lock(alice, name);
        held.lock(LONG_LEASE_SECONDS, SECONDS);
        unlockAsOther(lock(bob, name));
        try (Worker sameClient = new Worker()) {
            sameClient.run(() -> unlockAsOther(lock(alice, name)));
            assertFalse(sameClient.call(() -> competing(bob, name).tryLock()), "still held");
        }
        held.unlock();
    }

    @Test
    void tryLockWithoutAWaitReturnsAtOnce() throws Exception {
        String name = newName();
        RLock held = competing(alice, name);
        assertTrue(held.tryLock());
        try (Worker worker = new Worker()) {
            RLock wanted = lock(bob, name);
            assertFalse(worker.call(() -> wanted.tryLock()));
            assertFalse(worker.call(() -> wanted.tryLock(0, SECONDS)));
            held.unlock();
            assertTrue(worker.call(() -> wanted.tryLock()));
            worker.run(wanted::unlock);
        }
    }

    @Test
    void tryLockGivesUpAfterAShortWait() throws Exception {
        String name = newName();
        RLock held = competing(alice, name);
        held.lock(LONG_LEASE_SECONDS, SECONDS);
        Stopwatch sinceAsked = new Stopwatch();
        try (Worker worker = new Worker()) {
            RLock wanted = lock(bob, name);
            assertFalse(worker.call(() -> wanted.tryLock(SHORT_WAIT_MILLIS, LONG_LEASE_SECONDS * 1000, MILLISECONDS)));
        }
        sinceAsked.assertAtLeast(SHORT_WAIT_MILLIS);
        held.unlock();
    }

    @Test
    void tryLockWithALongWaitGetsTheLockOnUnlock() throws Exception {
        String name = newName();
        RLock held = competing(alice, name);
        held.lock(LONG_LEASE_SECONDS, SECONDS);
        try (Worker worker = new Worker()) {
            RLock wanted = lock(bob, name);
            Future<Boolean> acquired =
                    worker.start(() -> wanted.tryLock(LONG_LEASE_SECONDS, LONG_LEASE_SECONDS, SECONDS));
            Eventually.until("Bob waits", () -> hasWaiter(name, worker));
            held.unlock();
            assertTrue(Worker.result(acquired));
            worker.run(wanted::unlock);
        }
    }

    /** There is no waiter: an asynchronous one can miss a message that comes just before it subscribes. */
    @Test
    void anAsynchronousCallerNamesTheOwnersThreadId() throws Exception {
        String name = newName();
        long ownerId = 1_000_001;
        long otherId = 1_000_002;
        RLock held = lock(alice, name);
        RLock wanted = competing(bob, name);
        Worker.result(held.lockAsync(LONG_LEASE_SECONDS, SECONDS, ownerId));
        Worker.result(held.lockAsync(LONG_LEASE_SECONDS, SECONDS, ownerId));
        Worker.result(held.unlockAsync(ownerId));
        assertFalse(Worker.result(wanted.tryLockAsync(otherId)), "locked once more");
        assertThrows(IllegalMonitorStateException.class, () -> Worker.result(held.unlockAsync(otherId)));
        Worker.result(held.unlockAsync(ownerId));
        assertTrue(Worker.result(wanted.tryLockAsync(Worker.TIMEOUT_SECONDS, LONG_LEASE_SECONDS, SECONDS, otherId)));
        Worker.result(wanted.unlockAsync(otherId));
    }

    @Test
    void protectsACounterOfManyThreads() throws Exception {
        String name = newName();
        Race.count(instances(), name + ":counter", rounds(), instance -> {
            RLock lock = lock(instance, name);
            return () -> {
                lock.lock();
                return lock::unlock;
            };
        });
    }
}
