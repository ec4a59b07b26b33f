package io.minilockd.compat.lock;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.minilockd.compat.support.Instance;
import io.minilockd.compat.support.Worker;
import org.junit.jupiter.api.Test;
import org.redisson.api.RLock;

/** The write lock of a read-write lock; it excludes the read lock, and itself. */
class WriteLockTest extends SingleServerLockContract {
    @Override
    protected RLock lock(Instance instance, String name) {
        return instance.client().getReadWriteLock(name).writeLock();
    }

    @Override
    protected RLock competing(Instance instance, String name) {
        return instance.client().getReadWriteLock(name).readLock();
    }

    /** The message of a read-write lock wakes only the threads that wait already, not one that is about to. */
    @Override
    protected boolean hasWaiter(String name, Worker worker) {
        return hasSubscriber("redisson_rwlock:", name) && worker.waitsForMessage();
    }

    @Test
    void canBeDowngradedToAReadLock() throws Exception {
        String name = newName();
        try (Worker worker = new Worker()) {
            lock(alice, name).lock(LONG_LEASE_SECONDS, SECONDS);
            competing(alice, name).lock(LONG_LEASE_SECONDS, SECONDS);
            assertFalse(worker.call(() -> competing(bob, name).tryLock()), "the writer still excludes readers");
            lock(alice, name).unlock();
            assertTrue(worker.call(() -> competing(bob, name).tryLock()), "a reader lets readers in");
            assertFalse(worker.call(() -> lock(bob, name).tryLock()), "but no writer");
            competing(alice, name).unlock();
            worker.run(() -> competing(bob, name).unlock());
        }
    }
}
