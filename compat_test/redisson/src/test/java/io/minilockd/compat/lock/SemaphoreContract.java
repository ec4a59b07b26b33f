package io.minilockd.compat.lock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.minilockd.compat.support.Eventually;
import io.minilockd.compat.support.Party;
import io.minilockd.compat.support.Race;
import io.minilockd.compat.support.ServerTest;
import io.minilockd.compat.support.Stopwatch;
import io.minilockd.compat.support.Worker;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What both kinds of semaphore promise. Their waiters look again for no other reason than a message. */
abstract class SemaphoreContract extends ServerTest {
    private static final long SHORT_WAIT_MILLIS = 200;
    private static final int LAPS = 8;

    protected abstract Permits permits(Party party, String name);

    protected final boolean hasWaiter(String name) {
        return isHeard("redisson_sc:", name);
    }

    @Test
    void givesAsManyPermitsAsItHasAndTakesThemBack() throws Exception {
        String name = newName();
        Permits atAlice = permits(alice, name);
        Permits atBob = permits(bob, name);
        assertTrue(atAlice.trySet(2));
        assertFalse(atBob.trySet(5), "set only once");
        String first = atAlice.acquire();
        String second = atBob.tryAcquire();
        assertNotNull(second);
        assertNull(atAlice.tryAcquire());
        assertEquals(0, atBob.available());
        atAlice.release(first);
        atBob.release(second);
        assertEquals(2, atAlice.available());
    }

    @Test
    void wakesAWaiterByARelease() throws Exception {
        String name = newName();
        Permits held = permits(alice, name);
        held.trySet(1);
        String permit = held.acquire();
        try (Worker worker = new Worker()) {
            Future<String> entered = worker.start(() -> permits(bob, name).acquire());
            Eventually.until("Bob waits", () -> hasWaiter(name));
            assertFalse(entered.isDone());
            held.release(permit);
            assertNotNull(Worker.result(entered));
        }
    }

    @Test
    void wakesAsManyWaitersAsPermitsComeBack() throws Exception {
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
    void tryAcquireWaitsAsLongAsItIsTold() throws Exception {
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
            Future<String> entered = worker.start(() -> wanted.tryAcquire(60_000));
            Eventually.until("Bob waits", () -> hasWaiter(name));
            held.release(permit);
            assertNotNull(Worker.result(entered));
        }
    }

    @Test
    void anInterruptedWaiterTakesNoPermit() throws Exception {
        String name = newName();
        Permits held = permits(alice, name);
        held.trySet(1);
        String permit = held.acquire();
        try (Worker worker = new Worker()) {
            Future<String> entered = worker.start(() -> permits(bob, name).acquire());
            Eventually.until("Bob waits", () -> hasWaiter(name) && worker.waitsForMessage());
            worker.interrupt();
            assertThrows(Exception.class, () -> Worker.result(entered));
        }
        held.release(permit);
        assertEquals(1, held.available());
    }

    @Test
    void withOnePermitLosesNoStepOfACounter() throws Exception {
        String name = newName();
        permits(alice, name).trySet(1);
        Race.count(parties(), name + ":counter", LAPS, party -> {
            Permits permits = permits(party, name);
            return () -> {
                String permit = permits.acquire();
                return () -> permits.release(permit);
            };
        });
        assertEquals(1, permits(alice, name).available());
    }

    @Test
    void letsNoMoreThreadsInThanItHasPermits() throws Exception {
        String name = newName();
        int size = 3;
        permits(alice, name).trySet(size);
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        Race.run(parties(), LAPS, party -> {
            Permits permits = permits(party, name);
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
