package io.minilockd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LocksTest {
    private static final Minilockd SERVER = Minilockd.builder().lockHistory(100).start();
    private static final String OWNER = "5c0cb5a3-2f6b-4f6e-9a55-0c6e1ad4d3a1:37";

    @AfterAll
    static void close() {
        SERVER.close();
    }

    @BeforeEach
    void reset() {
        SERVER.reset();
        SERVER.clock().freeze();
    }

    /** Takes a lock as Redisson does: a hash with the number of holds of its owner. */
    private static void take(String name) {
        SERVER.execute(
                "EVAL",
                "redis.call('hincrby', KEYS[1], ARGV[1], 1); redis.call('pexpire', KEYS[1], 30000)",
                1,
                name,
                OWNER);
    }

    @Test
    void aLockHasItsHolder() {
        take("order:42");
        Instant since = SERVER.clock().now();
        SERVER.clock().advance(Duration.ofMillis(1500));
        LockInfo lock = SERVER.locks().get("order:42").orElseThrow();
        assertEquals(LockKind.LOCK, lock.kind());
        assertEquals(Optional.of(Duration.ofMillis(28_500)), lock.lease());
        LockHolder holder = lock.holders().get(0);
        assertEquals(OWNER, holder.owner());
        assertEquals(Optional.of(since), holder.since());
        assertEquals(Optional.of(Duration.ofMillis(1500)), holder.age());
        LockConnection connection = holder.connection().orElseThrow();
        assertEquals("minilockd-control", connection.name());
        assertEquals(
                "\"order:42\" (lock) is held by %s since %s (for 1.5 s), which took it by connection %d (%s, name %s), 28.5 s left"
                        .formatted(
                                OWNER,
                                Texts.time(since),
                                connection.id(),
                                connection.address(),
                                connection.name()),
                lock.toString());
    }

    @Test
    void thereIsNoLockOfAnotherName() {
        assertEquals(Optional.empty(), SERVER.locks().get("order:42"));
        assertEquals(List.of(), SERVER.locks().list());
    }

    @Test
    void listsAreOfAllDatabases() throws IOException {
        take("a");
        try (RawClient client = new RawClient(SERVER)) {
            client.call("SELECT", 3);
            client.call("SET", "b", OWNER, "NX", "PX", 30_000);
        }
        assertEquals(
                List.of("a", "b"), SERVER.locks().held().stream().map(LockInfo::name).toList());
        assertEquals(List.of("b"), SERVER.locks().list("b*").stream().map(LockInfo::name).toList());
        Locks third = SERVER.locks().inDatabase(3);
        assertEquals(3, third.get("b").orElseThrow().database());
        assertTrue(
                third.get("b")
                        .orElseThrow()
                        .toString()
                        .startsWith("\"b\" (token) of database 3 is held by "));
        assertEquals(1, third.list().size());
        assertEquals(1, third.history("b").size());
        assertEquals(List.of(), SERVER.locks().inDatabase(2).list());
        Locks none = SERVER.locks().inDatabase(99);
        assertThrows(RedisErrorException.class, () -> none.get("b"));
        assertThrows(RedisErrorException.class, none::list);
        assertThrows(RedisErrorException.class, none::held);
        assertEquals(Optional.empty(), SERVER.locks().get("b"));
    }

    @Test
    void theHistoryHasItsEvents() {
        take("lock");
        take("lock");
        SERVER.clock().advance(Duration.ofSeconds(30));
        List<LockEvent> events = SERVER.locks().history("lock");
        assertEquals(
                List.of(LockEventType.TAKEN, LockEventType.RE_ENTERED, LockEventType.LAPSED),
                events.stream().map(LockEvent::type).toList());
        LockEvent lapsed = events.get(2);
        assertTrue(lapsed.lost());
        assertEquals(Optional.of(OWNER), lapsed.owner());
        assertEquals(SERVER.clock().now(), lapsed.time());
        assertTrue(lapsed.toString().endsWith(", lost"), lapsed::toString);
        assertEquals(List.of(lapsed), SERVER.locks().history("lock", 1));
    }

    @Test
    void theHistoryCanBeTurnedOff() {
        try {
            SERVER.locks().untrack();
            take("lock");
            assertTrue(SERVER.locks().get("lock").orElseThrow().holders().get(0).since().isEmpty());
            assertThrows(RedisErrorException.class, () -> SERVER.locks().history("lock"));
        } finally {
            SERVER.locks().track();
            SERVER.locks().track(100);
        }
    }

    @Test
    void aReadWriteLockHasAMode() {
        SERVER.execute("HSET", "rw", "mode", "write", OWNER + ":write", 1);
        SERVER.execute("PEXPIRE", "rw", 30_000);
        LockInfo lock = SERVER.locks().get("rw").orElseThrow();
        assertEquals(LockKind.READ_WRITE, lock.kind());
        assertEquals(Optional.of("write"), lock.mode());
        assertTrue(lock.holders().get(0).writes());
    }

    @Test
    void aLeaseMayHaveNoEnd() {
        SERVER.execute("HSET", "lock", OWNER, 2);
        LockInfo lock = SERVER.locks().get("lock").orElseThrow();
        assertEquals(Optional.empty(), lock.lease());
        assertEquals(2, lock.holders().get(0).holds());
        assertTrue(lock.toString().contains(OWNER + " 2 times since "), lock::toString);
        assertFalse(lock.toString().contains("left"), lock::toString);
    }

    @Test
    void aFairLockHasAQueueAndOwnersMayWaitForEachOther() {
        // Without history, the data alone tells the kind.
        try (Minilockd server = Minilockd.start()) {
            String other = "0d1b9a52-88a8-4cf8-93bb-2ad0f2f5a6f2:11";
            queueFor(server, "a", OWNER, other);
            queueFor(server, "b", other, OWNER);
            LockInfo lock = server.locks().get("a").orElseThrow();
            assertEquals(LockKind.FAIR, lock.kind());
            assertEquals(Optional.of(other), lock.waiters().get(0).owner());
            assertTrue(lock.waiters().get(0).deadline().isPresent());
            assertTrue(lock.toString().endsWith("; 1 waiting"), lock::toString);
            List<Deadlock> deadlocks = server.locks().deadlocks();
            assertEquals(1, deadlocks.size());
            assertEquals(2, deadlocks.get(0).waits().size());
            assertTrue(
                    deadlocks
                            .get(0)
                            .toString()
                            .contains(OWNER + " holds \"a\" and waits for \"b\""),
                    deadlocks::toString);
        }
    }

    /**
     * Makes the data of Redisson's fair lock: the hash, the queue, and the deadlines of those in
     * it.
     */
    private static void queueFor(Minilockd server, String name, String holder, String waiter) {
        server.execute("RPUSH", "redisson_lock_queue:{" + name + "}", waiter);
        long deadline = server.clock().now().plusSeconds(300).toEpochMilli();
        server.execute("ZADD", "redisson_lock_timeout:{" + name + "}", deadline, waiter);
        server.execute("HSET", name, holder, 1);
        server.execute("PEXPIRE", name, 30_000);
    }
}
