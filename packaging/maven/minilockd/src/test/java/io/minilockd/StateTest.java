package io.minilockd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The clock, snapshots, resets, the journal, and commands of any kind. */
class StateTest {
    private static final Minilockd SERVER = Minilockd.start();

    @AfterAll
    static void close() {
        SERVER.close();
    }

    @BeforeEach
    void reset() {
        SERVER.reset();
    }

    @Test
    void theClockIsMovedAndStopped() {
        ServerClock clock = SERVER.clock();
        Instant frozen = clock.freeze();
        assertEquals(frozen, clock.now());
        assertEquals(frozen.plusMillis(2), clock.advance(Duration.ofNanos(1_000_001)));
        Instant time = Instant.ofEpochMilli(1_800_000_000_000L);
        assertEquals(time, clock.set(time));
        assertFalse(clock.resume().isBefore(time));
        assertFalse(clock.speed(10_000).isBefore(time));
        assertThrows(RedisErrorException.class, () -> clock.speed(0));
    }

    @Test
    void aSnapshotPutsKeysAndTimeBack() {
        SERVER.clock().freeze();
        SERVER.execute("SET", "lock", "me", "PX", 30_000);
        Snapshot locked = SERVER.snapshot();
        SERVER.clock().advance(Duration.ofSeconds(30));
        assertNull(SERVER.execute("GET", "lock"));
        SERVER.restore(locked);
        assertEquals(30_000L, SERVER.execute("PTTL", "lock"));
        SERVER.reset();
        locked.restore();
        assertEquals("me", SERVER.execute("GET", "lock"));
        assertEquals(30_000L, SERVER.execute("PTTL", "lock"));
    }

    @Test
    void aResetMayCloseClients() throws IOException {
        try (Socket client = new Socket(SERVER.host(), SERVER.port())) {
            client.getOutputStream().write("PING\r\n".getBytes(StandardCharsets.UTF_8));
            assertEquals(
                    "+PONG",
                    new String(client.getInputStream().readNBytes(5), StandardCharsets.UTF_8));
            SERVER.resetAndCloseClients();
            client.getInputStream().readNBytes(2); // the end of the line
            assertEquals(-1, client.getInputStream().read());
        }
        assertEquals("PONG", SERVER.execute("PING"));
    }

    @Test
    void theDumpHasAllKeys() {
        SERVER.execute("SET", "a b", "\u00e4\n");
        assertEquals("# database 0\n\n\"a b\" string\n  \"\\xc3\\xa4\\n\"", SERVER.dump().strip());
        SERVER.check();
    }

    @Test
    void theJournalHasCommandsAndErrors() {
        SERVER.journal().on();
        SERVER.execute("SET", "a", 1);
        assertThrows(RedisErrorException.class, () -> SERVER.execute("LPUSH", "a", 1));
        SERVER.execute("EVAL", "return redis.call('get', KEYS[1])", 1, "a");
        List<JournalEntry> entries = SERVER.journal().entries();
        assertEquals(4, entries.size());
        assertEquals("SET a 1", entries.get(0).command());
        assertTrue(entries.get(1).error().orElse("").startsWith("WRONGTYPE "));
        assertTrue(entries.stream().anyMatch(JournalEntry::scripted));
        JournalFilter filter =
                JournalFilter.all().last(1).ofClient(entries.get(0).clientId()).matching("set *");
        JournalEntry found = SERVER.journal().entries(filter).get(0);
        assertEquals(entries.get(0), found);
        assertTrue(
                found.toString()
                        .endsWith(
                                "[client %d %s minilockd-control] SET a 1"
                                        .formatted(found.clientId(), found.clientAddress())),
                found::toString);
    }

    @Test
    void theJournalIsTurnedOffAndCleared() {
        SERVER.journal().on(10);
        SERVER.execute("PING");
        SERVER.journal().off();
        SERVER.execute("PING");
        assertEquals(1, SERVER.journal().entries().size());
        assertEquals(Optional.empty(), SERVER.journal().entries().get(0).error());
        SERVER.journal().clear();
        assertEquals(List.of(), SERVER.journal().entries());
    }

    @Test
    void anyCommandCanBeSent() {
        assertEquals(1L, SERVER.execute("HSET", "h", "f", new byte[] {'v'}));
        assertEquals(Map.of("f", "v"), SERVER.execute("HGETALL", "h"));
        RedisErrorException error =
                assertThrows(RedisErrorException.class, () -> SERVER.execute("NONE"));
        assertEquals("ERR", error.code());
        assertEquals(
                getClass().getName(),
                error.getStackTrace()[3].getClassName().replaceAll("\\$.*", ""));
    }

    @Test
    void commandsThatChangeTheConnectionAreNotSent() {
        for (String line :
                List.of("SUBSCRIBE a", "MONITOR", "lock.watch", "Select 2", "MULTI", "QUIT")) {
            Object[] command = line.split(" ");
            assertThrows(IllegalArgumentException.class, () -> SERVER.execute(command), line);
        }
        byte[] reply = {'r', 'e', 'p', 'l', 'y'};
        assertThrows(IllegalArgumentException.class, () -> SERVER.execute("CLIENT", reply, "OFF"));
        assertEquals("PONG", SERVER.execute("PING"));
        assertEquals(
                "no command is given",
                assertThrows(IllegalArgumentException.class, SERVER::execute).getMessage());
    }

    @Test
    void aSnapshotOfAnotherServerIsAnError() {
        try (Minilockd other = Minilockd.start()) {
            Snapshot empty = other.snapshot();
            assertEquals("snapshot " + empty.name() + " of " + other, empty.toString());
            other.execute("SET", "key", 1);
            assertThrows(IllegalArgumentException.class, () -> SERVER.restore(empty));
            assertEquals("1", other.execute("GET", "key"));
        }
    }
}
