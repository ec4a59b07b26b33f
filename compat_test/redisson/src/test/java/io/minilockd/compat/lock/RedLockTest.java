package io.minilockd.compat.lock;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.minilockd.compat.support.Worker;
import org.junit.jupiter.api.Test;
import org.redisson.RedissonRedLock;
import org.redisson.api.RLock;

class RedLockTest extends MultiServerLockContract {
    @Override
    protected RLock group(RLock[] members) {
        return new RedissonRedLock(members);
    }

    /** RedissonRedLock ignores members that it does not hold. */
    @Override
    protected void unlockAsOther(RLock lock) {
        assertDoesNotThrow(lock::unlock);
    }

    /** Threads that hold one member each block each other for long, so one round is enough. */
    @Override
    protected int rounds() {
        return 1;
    }

    @Test
    void needsTwoOfThree() throws Exception {
        String name = newName();
        try (Worker worker = new Worker()) {
            RLock wanted = lock(bob, name);
            lockMembers(alice, name, 2);
            assertFalse(worker.call(() -> wanted.tryLock()), "one of three is too few");
            members(alice, name)[1].unlock();
            assertTrue(worker.call(() -> wanted.tryLock()), "two of three are enough");
            worker.run(wanted::unlock);
        }
        RLock[] members = members(alice, name);
        assertFalse(members[0].isLocked());
        assertTrue(members[2].isHeldByCurrentThread());
        members[2].unlock();
    }
}
