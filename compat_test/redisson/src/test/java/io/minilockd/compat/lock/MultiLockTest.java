package io.minilockd.compat.lock;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.minilockd.compat.support.Worker;
import org.junit.jupiter.api.Test;
import org.redisson.RedissonMultiLock;
import org.redisson.api.RLock;

class MultiLockTest extends MultiServerLockContract {
    @Override
    protected RLock group(RLock[] members) {
        return new RedissonMultiLock(members);
    }

    @Override
    protected int rounds() {
        return 4;
    }

    @Test
    void locksAllThreeMembersOrNone() throws Exception {
        String name = newName();
        lockMembers(alice, name, 1);
        try (Worker worker = new Worker()) {
            assertFalse(worker.call(() -> lock(bob, name).tryLock()));
        }
        RLock[] members = members(alice, name);
        assertFalse(members[0].isLocked());
        assertFalse(members[1].isLocked());
        assertTrue(members[2].isHeldByCurrentThread());
        members[2].unlock();
    }
}
