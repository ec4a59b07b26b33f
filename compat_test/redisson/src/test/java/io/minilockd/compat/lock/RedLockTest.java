package io.minilockd.compat.lock;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.minilockd.compat.support.Worker;
import org.junit.jupiter.api.Test;
import org.redisson.RedissonRedLock;
import org.redisson.api.RLock;

class RedLockTest extends GroupLockContract {
    @Override
    protected RLock group(RLock[] members) {
        return new RedissonRedLock(members);
    }

    /** A red lock expects members that it does not hold, so it keeps silent about them. */
    @Override
    protected void unlockAsStranger(RLock lock) {
        assertDoesNotThrow(lock::unlock);
    }

    /** Threads that get one member each keep one another waiting: few laps take long. */
    @Override
    protected int laps() {
        return 1;
    }

    @Test
    void needsTwoOfThree() throws Exception {
        String name = newName();
        try (Worker worker = new Worker()) {
            RLock wanted = lock(bob, name);
            occupy(alice, name, 2);
            assertFalse(worker.call(() -> wanted.tryLock()), "one of three is too few");
            members(alice, name)[1].unlock();
            assertTrue(worker.call(() -> wanted.tryLock()), "two of three will do");
            worker.run(wanted::unlock);
        }
        RLock[] members = members(alice, name);
        assertFalse(members[0].isLocked());
        assertTrue(members[2].isHeldByCurrentThread());
        members[2].unlock();
    }
}
