package io.minilockd.compat.lock;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.minilockd.compat.support.Party;
import io.minilockd.compat.support.Race;
import io.minilockd.compat.support.Worker;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.redisson.api.RBucket;
import org.redisson.api.RLock;
import org.redisson.client.codec.LongCodec;

/** The reading half of a read-write lock; its rival is the writing half. */
class ReadLockTest extends SoloLockContract {
    @Override
    protected RLock lock(Party party, String name) {
        return party.client().getReadWriteLock(name).readLock();
    }

    @Override
    protected RLock rival(Party party, String name) {
        return party.client().getReadWriteLock(name).writeLock();
    }

    @Override
    protected boolean hasWaiter(String name) {
        return isHeard("redisson_rwlock:", name);
    }

    @Test
    void isHeldByManyThreadsOfTwoClientsAtOnce() throws Exception {
        String name = newName();
        CyclicBarrier allInside = new CyclicBarrier(Race.THREADS * parties().size());
        Race.run(parties(), 1, party -> {
            RLock lock = lock(party, name);
            return () -> {
                lock.lock(LONG_LEASE_SECONDS, SECONDS);
                allInside.await(Worker.PATIENCE_SECONDS, SECONDS);
                lock.unlock();
            };
        });
        assertFalse(lock(alice, name).isLocked());
    }

    @Test
    void cannotBeTurnedIntoAWriteLock() throws Exception {
        String name = newName();
        lock(alice, name).lock(LONG_LEASE_SECONDS, SECONDS);
        assertFalse(rival(alice, name).tryLock());
        lock(alice, name).unlock();
        assertTrue(rival(alice, name).tryLock());
        rival(alice, name).unlock();
    }

    /** Readers exclude no readers, so here one thread in two writes, and readers must never see half of a write. */
    @Test
    @Override
    void losesNoStepOfACounterThatManyThreadsShare() throws Exception {
        String name = newName();
        number(alice, name + ":first").set(0L);
        number(alice, name + ":second").set(0L);
        AtomicInteger threads = new AtomicInteger();
        Race.run(parties(), laps(), party -> {
            boolean writes = threads.getAndIncrement() / 2 % 2 == 0;
            RLock lock = writes ? rival(party, name) : lock(party, name);
            return () -> {
                lock.lock();
                try {
                    long seen = number(party, name + ":first").get();
                    assertEquals(seen, number(party, name + ":second").get());
                    if (writes) {
                        number(party, name + ":first").set(seen + 1);
                        number(party, name + ":second").set(seen + 1);
                    }
                } finally {
                    lock.unlock();
                }
            };
        });
        assertEquals((long) laps() * Race.THREADS, number(alice, name + ":first").get(), "no step is lost");
    }

    private static RBucket<Long> number(Party party, String name) {
        return party.client().getBucket(name, LongCodec.INSTANCE);
    }
}
