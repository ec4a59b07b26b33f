package io.minilockd.compat.lock;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.minilockd.compat.support.Eventually;
import io.minilockd.compat.support.Instance;
import io.minilockd.compat.support.Race;
import io.minilockd.compat.support.ServerTest;
import io.minilockd.compat.support.Stopwatch;
import io.minilockd.compat.support.Worker;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.redisson.api.RCountDownLatch;

class CountDownLatchTest extends ServerTest {
    private static RCountDownLatch latch(Instance instance, String name) {
        return instance.client().getCountDownLatch(name);
    }

    private boolean hasWaiter(String name) {
        return hasSubscriber("redisson_countdownlatch__channel__", name);
    }

    @Test
    void releasesItsWaitersAtZero() throws Exception {
        String name = newName();
        RCountDownLatch latch = latch(alice, name);
        assertTrue(latch.trySetCount(2));
        try (Worker one = new Worker(); Worker other = new Worker()) {
            Future<?> first = one.startStep(() -> latch(bob, name).await());
            Future<Boolean> second = other.start(() -> latch(bob, name).await(60, SECONDS));
            Eventually.until("Bob waits", () -> hasWaiter(name));
            latch.countDown();
            assertEquals(1, latch(bob, name).getCount());
            assertFalse(first.isDone());
            latch.countDown();
            Worker.result(first);
            assertTrue(Worker.result(second));
        }
        assertEquals(0, latch.getCount());
    }

    @Test
    void awaitGivesUpAfterItsTimeout() throws Exception {
        RCountDownLatch latch = latch(alice, newName());
        latch.trySetCount(1);
        Stopwatch sinceAsked = new Stopwatch();
        assertFalse(latch.await(200, MILLISECONDS));
        sinceAsked.assertAtLeast(200);
    }

    @Test
    void canBeSetOnlyAtZero() throws Exception {
        RCountDownLatch latch = latch(alice, newName());
        latch.await();
        assertTrue(latch.trySetCount(1));
        assertFalse(latch(bob, latch.getName()).trySetCount(7), "in use");
        latch.countDown();
        latch.countDown();
        assertEquals(0, latch.getCount(), "never below zero");
        assertTrue(latch(bob, latch.getName()).trySetCount(7));
        assertEquals(7, latch.getCount());
        assertTrue(latch.delete());
        assertEquals(0, latch.getCount());
    }

    @Test
    void countsManyThreads() throws Exception {
        String name = newName();
        int rounds = 5;
        latch(alice, name).trySetCount((long) rounds * Race.THREADS * instances().size() + 1);
        try (Worker worker = new Worker()) {
            Future<?> opened = worker.startStep(() -> latch(bob, name).await());
            Race.run(instances(), rounds, instance -> latch(instance, name)::countDown);
            assertEquals(1, latch(alice, name).getCount());
            assertFalse(opened.isDone());
            latch(alice, name).countDown();
            Worker.result(opened);
        }
    }
}
