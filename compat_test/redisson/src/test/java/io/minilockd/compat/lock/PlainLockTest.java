package io.minilockd.compat.lock;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.minilockd.compat.support.Instance;
import org.junit.jupiter.api.Test;
import org.redisson.api.RLock;

class PlainLockTest extends SingleServerLockContract {
    @Override
    protected RLock lock(Instance instance, String name) {
        return instance.client().getLock(name);
    }

    @Test
    void storesItsHoldersInAHashByClientAndThread() {
        String name = newName();
        RLock held = lock(alice, name);
        held.lock(LONG_LEASE_SECONDS, SECONDS);
        held.lock(LONG_LEASE_SECONDS, SECONDS);
        var holds = alice.client().<String, String>getMap(name).readAllMap();
        assertEquals(1, holds.size());
        String holder = holds.keySet().iterator().next();
        assertTrue(holder.matches("[0-9a-f-]{36}:" + Thread.currentThread().getId()), holder);
        assertEquals("2", holds.get(holder));
        held.unlock();
        held.unlock();
        assertEquals(0, alice.client().getKeys().countExists(name));
    }

    @Test
    void wakesAWaiterIfItsNameHasAHashTag() throws Exception {
        assertUnlockWakesAWaiter("{" + newName() + "}:tagged");
    }
}
