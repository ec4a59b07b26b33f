package io.minilockd.compat.lock;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.minilockd.compat.support.Eventually;
import io.minilockd.compat.support.Worker;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.redisson.api.RLock;

/** What a lock on one server also guarantees: its state, force-unlock, and waiters that can be interrupted. */
abstract class SingleServerLockContract extends LockContract {
    @Test
    void reportsHolderHoldCountAndTimeToLive() throws Exception {
        RLock lock = lock(alice, newName());
        assertFalse(lock.isLocked());
        assertTrue(lock.remainTimeToLive() < 0, "no time to live when free");
        lock.lock(LONG_LEASE_SECONDS, SECONDS);
        lock.lock(LONG_LEASE_SECONDS, SECONDS);

        assertTrue(lock.isLocked());
        assertEquals(2, lock.getHoldCount());
        assertTrue(lock.isHeldByCurrentThread());
        assertTrue(lock.isHeldByThread(Thread.currentThread().getId()));
        assertFalse(lock.isHeldByThread(Thread.currentThread().getId() + 1));
        assertFalse(lock(bob, lock.getName()).isHeldByCurrentThread());
        assertEquals(0, lock(bob, lock.getName()).getHoldCount());
        long left = lock.remainTimeToLive();
        // A write lock adds up the leases of its holds; other locks begin a new lease.
        assertTrue(left > 0 && left <= 2 * LONG_LEASE_SECONDS * 1000, () -> "time to live " + left);

        lock.unlock();
        assertEquals(1, lock.getHoldCount());
        lock.unlock();
        assertFalse(lock.isLocked());
        assertEquals(0, lock.getHoldCount());
    }

    @Test
    void isFreeAfterItsLease() throws Exception {
        RLock lock = lock(alice, newName());
        assertTrue(lock.tryLock(0, 200, MILLISECONDS), "a lease without a wait");
        Eventually.until("the lease ends", () -> !lock.isLocked());
        assertFalse(lock.isHeldByCurrentThread());
        assertEquals(0, lock.getHoldCount());
    }

    @Test
    void forceUnlockWakesAWaiter() throws Exception {
        String name = newName();
        RLock held = lock(alice, name);
        held.lock(LONG_LEASE_SECONDS, SECONDS);
        held.lock(LONG_LEASE_SECONDS, SECONDS);
        try (Worker worker = new Worker()) {
            RLock wanted = competing(bob, name);
            Future<?> acquired = worker.startStep(() -> wanted.lock(LONG_LEASE_SECONDS, SECONDS));
            Eventually.until("Bob waits", () -> hasWaiter(name, worker));
            assertTrue(lock(bob, name).forceUnlock());
            Worker.result(acquired);
            assertThrows(IllegalMonitorStateException.class, held::unlock);
            worker.run(wanted::unlock);
        }
        assertFalse(lock(bob, name).forceUnlock(), "not locked");
    }

    @Test
    void anInterruptedWaiterDoesNotGetTheLock() throws Exception {
        String name = newName();
        RLock held = lock(alice, name);
        held.lock(LONG_LEASE_SECONDS, SECONDS);
        try (Worker worker = new Worker()) {
            RLock wanted = competing(bob, name);
            Future<?> acquired = worker.startStep(() -> wanted.lockInterruptibly(LONG_LEASE_SECONDS, SECONDS));
            Eventually.until("Bob waits", () -> hasWaiter(name, worker));
            worker.interrupt();
            // Redisson 3 throws another exception if it is interrupted during a round trip.
            assertThrows(Exception.class, () -> Worker.result(acquired));
            assertFalse(worker.call(wanted::isHeldByCurrentThread));
            held.unlock();
            assertFalse(wanted.isLocked());
        }
    }
}
