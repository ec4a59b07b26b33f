package io.minilockd.compat.lock;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.minilockd.compat.support.RootCause;
import io.minilockd.compat.support.Eventually;
import io.minilockd.compat.support.Instance;
import io.minilockd.compat.support.Stopwatch;
import io.minilockd.compat.support.Worker;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.redisson.api.RPermitExpirableSemaphore;

class PermitExpirableSemaphoreTest extends SemaphoreContract {
    private static final long LEASE_MILLIS = 500;

    @Override
    protected Permits permits(Instance instance, String name) {
        return Permits.of(semaphore(instance, name));
    }

    @Test
    void aWaiterGetsThePermitWhenALeaseEnds() throws Exception {
        String name = newName();
        RPermitExpirableSemaphore semaphore = semaphore(alice, name);
        semaphore.trySetPermits(1);
        Stopwatch sinceAcquired = new Stopwatch();
        String expired = semaphore.acquire(LEASE_MILLIS, MILLISECONDS);
        try (Worker worker = new Worker()) {
            String fresh = worker.call(() -> semaphore(bob, name).tryAcquire(Worker.TIMEOUT_SECONDS, 60, SECONDS));
            sinceAcquired.assertAtLeast(LEASE_MILLIS);
            assertNotNull(fresh);
            assertNotEquals(expired, fresh);
            assertFalse(semaphore.tryRelease(expired), "expired");
            assertTrue(semaphore.tryRelease(fresh), "any client that knows the id may release");
        }
        assertEquals(1, semaphore.availablePermits());
    }

    @Test
    void countsAnExpiredPermitAsAvailable() throws Exception {
        RPermitExpirableSemaphore semaphore = semaphore(alice, newName());
        semaphore.trySetPermits(2);
        semaphore.acquire(LEASE_MILLIS, MILLISECONDS);
        semaphore.acquire(60, SECONDS);
        Eventually.until("the shorter lease ends", () -> semaphore.availablePermits() == 1);
    }

    @Test
    void newPermitsWakeAWaiter() throws Exception {
        String name = newName();
        semaphore(alice, name).trySetPermits(0);
        try (Worker worker = new Worker()) {
            Future<String> acquired = worker.start(() -> semaphore(bob, name).acquire());
            Eventually.until("Bob waits", () -> hasWaiter(name));
            semaphore(alice, name).addPermits(1);
            assertNotNull(Worker.result(acquired));
        }
    }

    @Test
    void aPermitCanBeReleasedOnce() throws Exception {
        RPermitExpirableSemaphore semaphore = semaphore(alice, newName());
        semaphore.trySetPermits(2);
        String permit = semaphore.acquire();
        semaphore.release(permit);
        assertInstanceOf(IllegalArgumentException.class, RootCause.ofFailure(() -> semaphore.release(permit)));
        assertEquals(2, semaphore.availablePermits());
    }

    @Test
    void theLeaseOfAPermitCanChange() throws Exception {
        RPermitExpirableSemaphore semaphore = semaphore(alice, newName());
        semaphore.trySetPermits(1);
        String permit = semaphore.acquire(60, SECONDS);
        assertTrue(semaphore.updateLeaseTime(permit, LEASE_MILLIS, MILLISECONDS));
        Eventually.until("the new lease ends", () -> semaphore.availablePermits() == 1);
        assertFalse(semaphore.updateLeaseTime(permit, 60, SECONDS), "too late");
    }

    private static RPermitExpirableSemaphore semaphore(Instance instance, String name) {
        return instance.client().getPermitExpirableSemaphore(name);
    }
}
