package io.minilockd.compat.lock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.minilockd.compat.support.Eventually;
import io.minilockd.compat.support.Instance;
import io.minilockd.compat.support.Worker;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.redisson.api.RSemaphore;

class SemaphoreTest extends SemaphoreContract {
    @Override
    protected Permits permits(Instance instance, String name) {
        return Permits.of(semaphore(instance, name));
    }

    @Test
    void grantsSeveralPermitsTogetherOrNone() throws Exception {
        String name = newName();
        RSemaphore semaphore = semaphore(alice, name);
        semaphore.trySetPermits(3);
        assertFalse(semaphore.tryAcquire(4));
        assertEquals(3, semaphore.availablePermits());
        assertTrue(semaphore.tryAcquire(2));
        try (Worker worker = new Worker()) {
            Future<?> acquired = worker.startStep(() -> semaphore(bob, name).acquire(3));
            Eventually.until("Bob waits", () -> hasWaiter(name));
            semaphore.release();
            assertEquals(2, semaphore.availablePermits(), "too few for Bob");
            assertFalse(acquired.isDone());
            semaphore.release();
            Worker.result(acquired);
        }
        assertEquals(0, semaphore.availablePermits());
    }

    @Test
    void canBeDrainedAndReduced() {
        RSemaphore semaphore = semaphore(alice, newName());
        semaphore.trySetPermits(5);
        semaphore.addPermits(-2);
        assertEquals(3, semaphore.availablePermits());
        assertEquals(3, semaphore.drainPermits());
        assertEquals(0, semaphore.availablePermits());
        semaphore.release(4);
        assertEquals(4, semaphore.availablePermits());
    }

    private static RSemaphore semaphore(Instance instance, String name) {
        return instance.client().getSemaphore(name);
    }
}
