package io.minilockd.compat.lock;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.minilockd.compat.support.Party;
import io.minilockd.compat.support.Worker;
import org.junit.jupiter.api.Test;
import org.redisson.api.RLock;

/** The writing half of a read-write lock; as its rival serves the reading half, in the race it is its own. */
class WriteLockTest extends SoloLockContract {
    @Override
    protected RLock lock(Party party, String name) {
        return party.client().getReadWriteLock(name).writeLock();
    }

    @Override
    protected RLock rival(Party party, String name) {
        return party.client().getReadWriteLock(name).readLock();
    }

    @Override
    protected boolean hasWaiter(String name) {
        return isHeard("redisson_rwlock:", name);
    }

    @Test
    void canBeTurnedIntoAReadLock() throws Exception {
        String name = newName();
        try (Worker worker = new Worker()) {
            lock(alice, name).lock(LONG_LEASE_SECONDS, SECONDS);
            rival(alice, name).lock(LONG_LEASE_SECONDS, SECONDS);
            assertFalse(worker.call(() -> rival(bob, name).tryLock()), "the writer still excludes readers");
            lock(alice, name).unlock();
            assertTrue(worker.call(() -> rival(bob, name).tryLock()), "a reader lets readers in");
            assertFalse(worker.call(() -> lock(bob, name).tryLock()), "but no writer");
            rival(alice, name).unlock();
            worker.run(() -> rival(bob, name).unlock());
        }
    }
}
