package io.minilockd.compat.lock;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.minilockd.compat.support.Instance;
import io.minilockd.compat.support.Race;
import io.minilockd.compat.support.Worker;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.redisson.api.RBucket;
import org.redisson.api.RLock;
import org.redisson.client.codec.LongCodec;

/** The read lock of a read-write lock; it excludes the write lock. */
class ReadLockTest extends SingleServerLockContract {
    @Override
    protected RLock lock(Instance instance, String name) {
        return instance.client().getReadWriteLock(name).readLock();
    }

    @Override
    protected RLock competing(Instance instance, String name) {
        return instance.client().getReadWriteLock(name).writeLock();
    }

    /** The message of a read-write lock wakes only the threads that wait already, not one that is about to. */
    @Override
    protected boolean hasWaiter(String name, Worker worker) {
        return hasSubscriber("redisson_rwlock:", name) && worker.waitsForMessage();
    }

    @Test
    void isHeldByManyThreadsOfTwoClientsAtOnce() throws Exception {
        String name = newName();
        CyclicBarrier allInside = new CyclicBarrier(Race.THREADS * instances().size());
        Race.run(instances(), 1, instance -> {
            RLock lock = lock(instance, name);
            return () -> {
                lock.lock(LONG_LEASE_SECONDS, SECONDS);
                allInside.await(Worker.TIMEOUT_SECONDS, SECONDS);
                lock.unlock();
            };
        });
        assertFalse(lock(alice, name).isLocked());
    }

    @Test
    void cannotBeUpgradedToAWriteLock() throws Exception {
        String name = newName();
        lock(alice, name).lock(LONG_LEASE_SECONDS, SECONDS);
        assertFalse(competing(alice, name).tryLock());
        lock(alice, name).unlock();
        assertTrue(competing(alice, name).tryLock());
        competing(alice, name).unlock();
    }

    /** Half of the threads write; the others must never read a half-done write. */
    @Test
    @Override
    void protectsACounterOfManyThreads() throws Exception {
        String name = newName();
        number(alice, name + ":first").set(0L);
        number(alice, name + ":second").set(0L);
        AtomicInteger threads = new AtomicInteger();
        Race.run(instances(), rounds(), instance -> {
            boolean writes = threads.getAndIncrement() / 2 % 2 == 0;
            RLock lock = writes ? competing(instance, name) : lock(instance, name);
            return () -> {
                lock.lock();
                try {
                    long seen = number(instance, name + ":first").get();
                    assertEquals(seen, number(instance, name + ":second").get());
                    if (writes) {
                        number(instance, name + ":first").set(seen + 1);
                        number(instance, name + ":second").set(seen + 1);
                    }
                } finally {
                    lock.unlock();
                }
            };
        });
        assertEquals((long) rounds() * Race.THREADS, number(alice, name + ":first").get(), "all increments");
    }

    private static RBucket<Long> number(Instance instance, String name) {
        return instance.client().getBucket(name, LongCodec.INSTANCE);
    }
}
