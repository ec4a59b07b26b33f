package io.minilockd.compat.lock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.minilockd.compat.support.Eventually;
import io.minilockd.compat.support.Instance;
import io.minilockd.compat.support.Race;
import io.minilockd.compat.support.ServerTest;
import io.minilockd.compat.support.Stopwatch;
import io.minilockd.compat.support.Worker;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What both kinds of semaphore guarantee. Only a message wakes their waiters. */
abstract class SemaphoreContract extends ServerTest {
    private static final long SHORT_WAIT_MILLIS = 200;
    private static final int ROUNDS = 8;

    protected abstract Permits permits(Instance instance, String name);

    protected final boolean hasWaiter(String name) {
        return hasSubscriber("redisson_sc:", name);
    }

    @Test
    void grantsAsManyPermitsAsItHas() throws Exception {
        String name = newName();
        Permits ofAlice = permits(alice, name);
        Permits ofBob = permits(bob, name);
        assertTrue(ofAlice.trySet(2));
        assertFalse(ofBob.trySet(5), "set only once");
        String first = ofAlice.acquire();
        String second = ofBob.tryAcquire();
        assertNotNull(second);
        assertNull(ofAlice.tryAcquire());
        assertEquals(0, ofBob.available());
        ofAlice.release(first);
        ofBob.release(second);
        assertEquals(2, ofAlice.available());
    }

    @Test
    void aReleaseWakesAWaiter() throws Exception {
        String name = newName();
        Permits held = permits(alice, name);
        held.trySet(1);
        String permit = held.acquire();
        try (Worker worker = new Worker()) {
            Future<String> acquired = worker.start(() -> permits(bob, name).acquire());
            Eventually.until("Bob waits", () -> hasWaiter(name));
            assertFalse(acquired.isDone());
            held.release(permit);
            assertNotNull(Worker.result(acquired));
        }
    }

    @Test
    void wakesAsManyWaitersAsPermitsAreReleased() throws Exception {
        String name = newName();
        Permits held = permits(alice, name);
        held.trySet(2);
        List<String> taken = List.of(held.acquire(), held.acquire());
        try (Worker one = new Worker(); Worker other = new Worker()) {
            Future<String> first = one.start(() -> permits(bob, name).acquire());
            Future<String> second = other.start(() -> permits(bob, name).acquire());
            Eventually.until("Bob waits", () -> hasWaiter(name));
            taken.forEach(held::release);
            assertNotNull(Worker.result(first));
            assertNotNull(Worker.result(second));
        }
        assertEquals(0, held.available());
    }

    @Test
    void tryAcquireWaitsForTheGivenTime() throws Exception {
        String name = newName();
        Permits held = permits(alice, name);
        held.trySet(1);
        String permit = held.acquire();
        try (Worker worker = new Worker()) {
            Permits wanted = permits(bob, name);
            assertNull(worker.call(() -> wanted.tryAcquire(0)));
            Stopwatch sinceAsked = new Stopwatch();
            assertNull(worker.call(() -> wanted.tryAcquire(SHORT_WAIT_MILLIS)));
            sinceAsked.assertAtLeast(SHORT_WAIT_MILLIS);
            Future<String> acquired = worker.start(() -> wanted.tryAcquire(60_000));
            Eventually.until("Bob waits", () -> hasWaiter(name));
            held.release(permit);
            assertNotNull(Worker.result(acquired));
        }
    }

    @Test
    void anInterruptedWaiterTakesNoPermit() throws Exception {
        String name = newName();
        Permits held = permits(alice, name);
        held.trySet(1);
        String permit = held.acquire();
        try (Worker worker = new Worker()) {
            Future<String> acquired = worker.start(() -> permits(bob, name).acquire());
            Eventually.until("Bob waits", () -> hasWaiter(name) && worker.waitsForMessage());
            worker.interrupt();
            assertThrows(Exception.class, () -> Worker.result(acquired));
        }
        held.release(permit);
        assertEquals(1, held.available());
    }

    @Test
    void withOnePermitProtectsACounter() throws Exception {
        String name = newName();
        permits(alice, name).trySet(1);
        Race.count(instances(), name + ":counter", ROUNDS, instance -> {
            Permits permits = permits(instance, name);
            return () -> {
                String permit = permits.acquire();
                return () -> permits.release(permit);
            };
        });
        assertEquals(1, permits(alice, name).available());
    }

    @Test
    void grantsNoMorePermitsThanItHas() throws Exception {
        String name = newName();
        int size = 3;
        permits(alice, name).trySet(size);
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        Race.run(instances(), ROUNDS, instance -> {
            Permits permits = permits(instance, name);
            return () -> {
                String permit = permits.acquire();
                most.accumulateAndGet(inside.incrementAndGet(), Math::max);
                inside.decrementAndGet();
                permits.release(permit);
            };
        });
        assertTrue(most.get() <= size, () -> most + " threads inside");
        assertEquals(size, permits(alice, name).available());
    }
}
