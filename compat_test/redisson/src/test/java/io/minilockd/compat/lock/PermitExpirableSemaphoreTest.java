package io.minilockd.compat.lock;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.minilockd.compat.support.Causes;
import io.minilockd.compat.support.Eventually;
import io.minilockd.compat.support.Party;
import io.minilockd.compat.support.Stopwatch;
import io.minilockd.compat.support.Worker;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.redisson.api.RPermitExpirableSemaphore;

class PermitExpirableSemaphoreTest extends SemaphoreContract {
    private static final long LEASE_MILLIS = 500;

    @Override
    protected Permits permits(Party party, String name) {
        return Permits.of(semaphore(party, name));
    }

    @Test
    void letsAWaiterInWhenALeaseLapses() throws Exception {
        String name = newName();
        RPermitExpirableSemaphore semaphore = semaphore(alice, name);
        semaphore.trySetPermits(1);
        Stopwatch sinceTaken = new Stopwatch();
        String lapsed = semaphore.acquire(LEASE_MILLIS, MILLISECONDS);
        try (Worker worker = new Worker()) {
            String fresh = worker.call(() -> semaphore(bob, name).tryAcquire(Worker.PATIENCE_SECONDS, 60, SECONDS));
            sinceTaken.assertAtLeast(LEASE_MILLIS);
            assertNotNull(fresh);
            assertNotEquals(lapsed, fresh);
            assertFalse(semaphore.tryRelease(lapsed), "lapsed");
            assertTrue(semaphore.tryRelease(fresh), "whoever knows the id may release");
        }
        assertEquals(1, semaphore.availablePermits());
    }

    @Test
    void countsALapsedPermitAsFree() throws Exception {
        RPermitExpirableSemaphore semaphore = semaphore(alice, newName());
        semaphore.trySetPermits(2);
        semaphore.acquire(LEASE_MILLIS, MILLISECONDS);
        semaphore.acquire(60, SECONDS);
        Eventually.until("the shorter lease lapses", () -> semaphore.availablePermits() == 1);
    }

    @Test
    void wakesAWaiterByNewPermits() throws Exception {
        String name = newName();
        semaphore(alice, name).trySetPermits(0);
        try (Worker worker = new Worker()) {
            Future<String> entered = worker.start(() -> semaphore(bob, name).acquire());
            Eventually.until("Bob waits", () -> hasWaiter(name));
            semaphore(alice, name).addPermits(1);
            assertNotNull(Worker.result(entered));
        }
    }

    @Test
    void takesBackEachPermitOnlyOnce() throws Exception {
        RPermitExpirableSemaphore semaphore = semaphore(alice, newName());
        semaphore.trySetPermits(2);
        String permit = semaphore.acquire();
        semaphore.release(permit);
        assertInstanceOf(IllegalArgumentException.class, Causes.ofFailure(() -> semaphore.release(permit)));
        assertEquals(2, semaphore.availablePermits());
    }

    @Test
    void canChangeTheLeaseOfAPermit() throws Exception {
        RPermitExpirableSemaphore semaphore = semaphore(alice, newName());
        semaphore.trySetPermits(1);
        String permit = semaphore.acquire(60, SECONDS);
        assertTrue(semaphore.updateLeaseTime(permit, LEASE_MILLIS, MILLISECONDS));
        Eventually.until("the new lease lapses", () -> semaphore.availablePermits() == 1);
        assertFalse(semaphore.updateLeaseTime(permit, 60, SECONDS), "too late");
    }

    private static RPermitExpirableSemaphore semaphore(Party party, String name) {
        return party.client().getPermitExpirableSemaphore(name);
    }
}
