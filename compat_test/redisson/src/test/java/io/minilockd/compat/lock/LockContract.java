package io.minilockd.compat.lock;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.minilockd.compat.support.ClientConfig;
import io.minilockd.compat.support.Eventually;
import io.minilockd.compat.support.Party;
import io.minilockd.compat.support.Race;
import io.minilockd.compat.support.ServerTest;
import io.minilockd.compat.support.Stopwatch;
import io.minilockd.compat.support.Worker;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.redisson.api.RLock;

/**
 * What every kind of {@link RLock} promises. Alice holds a lock in the test's own thread; Bob, in a {@link Worker}, wants it.
 * Leases are 60 s where the lock must change hands by other means.
 */
abstract class LockContract extends ServerTest {
    protected static final long LONG_LEASE_SECONDS = 60;

    private static final long SHORT_LEASE_MILLIS = 500;
    private static final long SHORT_WAIT_MILLIS = 200;

    /** The kind of lock under test, as a party sees it. */
    protected abstract RLock lock(Party party, String name);

    /** The lock that cannot be had while another party holds {@link #lock}; for most kinds the same. */
    protected RLock rival(Party party, String name) {
        return lock(party, name);
    }

    /** Whether the server knows of someone who waits for the lock. */
    protected boolean hasWaiter(String name) throws Exception {
        return isHeard("redisson_lock__channel:", name);
    }

    /** Tries to unlock what another party holds, and expects the kind's refusal. */
    protected void unlockAsStranger(RLock lock) {
        assertThrows(IllegalMonitorStateException.class, lock::unlock);
    }

    /**
     * Waits for a lock that nobody releases. It asks anew every few seconds, because a fair lock of Redisson 3 whose last
     * question came a moment too early sleeps through the end of the lease.
     */
    protected static void enterAfterLapse(Worker worker, RLock wanted) throws Exception {
        Eventually.until("the lease lapses",
                () -> worker.call(() -> wanted.tryLock(2, LONG_LEASE_SECONDS, SECONDS)));
    }

    /** How often each thread of the race takes the lock: sized for a few seconds. */
    protected int laps() {
        return 10;
    }

    @Test
    void isFreeAgainOnlyAfterAsManyReleasesAsEntries() throws Exception {
        String name = newName();
        RLock held = lock(alice, name);
        try (Worker worker = new Worker()) {
            RLock wanted = rival(bob, name);
            held.lock(LONG_LEASE_SECONDS, SECONDS);
            held.lock(LONG_LEASE_SECONDS, SECONDS);
            assertTrue(held.tryLock(), "re-entry by tryLock");
            held.unlock();
            held.unlock();
            assertFalse(worker.call(() -> wanted.tryLock()), "one entry is left");
            held.unlock();
            assertTrue(worker.call(() -> wanted.tryLock()), "none is left");
            worker.run(wanted::unlock);
        }
    }

    @Test
    void wakesAWaiterByItsReleaseLongBeforeTheLeaseEnds() throws Exception {
        assertReleaseWakesAWaiter(newName());
    }

    protected final void assertReleaseWakesAWaiter(String name) throws Exception {
        RLock held = lock(alice, name);
        held.lock(LONG_LEASE_SECONDS, SECONDS);
        try (Worker worker = new Worker()) {
            RLock wanted = rival(bob, name);
            Future<?> entered = worker.startStep(() -> wanted.lock(LONG_LEASE_SECONDS, SECONDS));
            Eventually.until("Bob waits", () -> hasWaiter(name));
            assertFalse(entered.isDone());
            held.unlock();
            Worker.result(entered);
            worker.run(wanted::unlock);
        }
    }

    @Test
    void letsAWaiterInWhenTheLeaseLapses() throws Exception {
        String name = newName();
        RLock held = lock(alice, name);
        Stopwatch sinceTaken = new Stopwatch();
        held.lock(SHORT_LEASE_MILLIS, MILLISECONDS);
        try (Worker worker = new Worker()) {
            RLock wanted = rival(bob, name);
            enterAfterLapse(worker, wanted);
            sinceTaken.assertAtLeast(SHORT_LEASE_MILLIS);
            unlockAsStranger(held);
            worker.run(wanted::unlock);
        }
    }

    @Test
    void isKeptByTheWatchdogUntilItsClientIsGone() throws Exception {
        String name = newName();
        try (Party mortal = open(); Worker worker = new Worker()) {
            lock(mortal, name).lock();
            RLock wanted = rival(bob, name);
            long beyondTheLease = ClientConfig.WATCHDOG_MILLIS * 3 / 2;
            assertFalse(worker.call(() -> wanted.tryLock(beyondTheLease, MILLISECONDS)), "the lease is renewed");
            mortal.close();
            enterAfterLapse(worker, wanted);
            worker.run(wanted::unlock);
        }
    }

    @Test
    void cannotBeReleasedByAStranger() throws Exception {
        String name = newName();
        RLock held = lock(alice, name);
        held.lock(LONG_LEASE_SECONDS, SECONDS);
        unlockAsStranger(lock(bob, name));
        try (Worker sameClient = new Worker()) {
            sameClient.run(() -> unlockAsStranger(lock(alice, name)));
            assertFalse(sameClient.call(() -> rival(bob, name).tryLock()), "still held");
        }
        held.unlock();
    }

    @Test
    void tryLockWithoutAWaitAnswersAtOnce() throws Exception {
        String name = newName();
        RLock held = rival(alice, name);
        assertTrue(held.tryLock());
        try (Worker worker = new Worker()) {
            RLock wanted = lock(bob, name);
            assertFalse(worker.call(() -> wanted.tryLock()));
            assertFalse(worker.call(() -> wanted.tryLock(0, SECONDS)));
            held.unlock();
            assertTrue(worker.call(() -> wanted.tryLock()));
            worker.run(wanted::unlock);
        }
    }

    @Test
    void tryLockWithAShortWaitGivesUpAfterIt() throws Exception {
        String name = newName();
        RLock held = rival(alice, name);
        held.lock(LONG_LEASE_SECONDS, SECONDS);
        Stopwatch sinceAsked = new Stopwatch();
        try (Worker worker = new Worker()) {
            RLock wanted = lock(bob, name);
            assertFalse(worker.call(() -> wanted.tryLock(SHORT_WAIT_MILLIS, LONG_LEASE_SECONDS * 1000, MILLISECONDS)));
        }
        sinceAsked.assertAtLeast(SHORT_WAIT_MILLIS);
        held.unlock();
    }

    @Test
    void tryLockWithALongWaitEntersOnRelease() throws Exception {
        String name = newName();
        RLock held = rival(alice, name);
        held.lock(LONG_LEASE_SECONDS, SECONDS);
        try (Worker worker = new Worker()) {
            RLock wanted = lock(bob, name);
            Future<Boolean> entered =
                    worker.start(() -> wanted.tryLock(LONG_LEASE_SECONDS, LONG_LEASE_SECONDS, SECONDS));
            Eventually.until("Bob waits", () -> hasWaiter(name));
            held.unlock();
            assertTrue(Worker.result(entered));
            worker.run(wanted::unlock);
        }
    }

    /** Without a waiter: one that waits asynchronously can miss a message that comes just before it listens. */
    @Test
    void belongsToTheThreadIdThatAnAsynchronousCallerNames() throws Exception {
        String name = newName();
        long ownerId = 1_000_001;
        long otherId = 1_000_002;
        RLock held = lock(alice, name);
        RLock wanted = rival(bob, name);
        Worker.result(held.lockAsync(LONG_LEASE_SECONDS, SECONDS, ownerId));
        Worker.result(held.lockAsync(LONG_LEASE_SECONDS, SECONDS, ownerId));
        Worker.result(held.unlockAsync(ownerId));
        assertFalse(Worker.result(wanted.tryLockAsync(otherId)), "one entry is left");
        assertThrows(IllegalMonitorStateException.class, () -> Worker.result(held.unlockAsync(otherId)));
        Worker.result(held.unlockAsync(ownerId));
        assertTrue(Worker.result(wanted.tryLockAsync(Worker.PATIENCE_SECONDS, LONG_LEASE_SECONDS, SECONDS, otherId)));
        Worker.result(wanted.unlockAsync(otherId));
    }

    @Test
    void losesNoStepOfACounterThatManyThreadsShare() throws Exception {
        String name = newName();
        Race.count(parties(), name + ":counter", laps(), party -> {
            RLock lock = lock(party, name);
            return () -> {
                lock.lock();
                return lock::unlock;
            };
        });
    }
}
