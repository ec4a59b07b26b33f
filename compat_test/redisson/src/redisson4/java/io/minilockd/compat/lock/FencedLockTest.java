package io.minilockd.compat.lock;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.minilockd.compat.support.Instance;
import io.minilockd.compat.support.Worker;
import org.junit.jupiter.api.Test;
import org.redisson.api.RFencedLock;

class FencedLockTest extends SingleServerLockContract {
    @Override
    protected RFencedLock lock(Instance instance, String name) {
        return instance.client().getFencedLock(name);
    }

    @Test
    void givesEachHolderAHigherToken() throws Exception {
        String name = newName();
        RFencedLock first = lock(alice, name);
        RFencedLock second = lock(bob, name);
        Long old = first.lockAndGetToken();
        assertEquals(old, first.getToken());
        try (Worker worker = new Worker()) {
            assertNull(worker.call(() -> second.tryLockAndGetToken(0, SECONDS)), "no token without the lock");
            first.unlock();
            Long fresh = worker.call(() -> second.tryLockAndGetToken(Worker.TIMEOUT_SECONDS, SECONDS));
            assertTrue(fresh > old, () -> fresh + " after " + old);
            worker.run(second::unlock);
        }
    }

    @Test
    void anExpiredHolderHasALowerToken() throws Exception {
        String name = newName();
        Long late = lock(alice, name).tryLockAndGetToken(0, 200, MILLISECONDS);
        try (Worker worker = new Worker()) {
            Long current = worker.call(() -> lock(bob, name).lockAndGetToken());
            assertEquals(current, lock(alice, name).getToken());
            assertTrue(late < current);
            worker.run(() -> lock(bob, name).unlock());
        }
    }
}
