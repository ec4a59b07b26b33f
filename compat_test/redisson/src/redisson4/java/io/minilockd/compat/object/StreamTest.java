package io.minilockd.compat.object;

import static java.util.concurrent.TimeUnit.HOURS;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.minilockd.compat.support.Instance;
import io.minilockd.compat.support.ServerTest;
import io.minilockd.compat.support.Worker;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.redisson.api.RStream;
import org.redisson.api.stream.AutoClaimResult;
import org.redisson.api.stream.PendingEntry;
import org.redisson.api.stream.PendingResult;
import org.redisson.api.stream.StreamAddArgs;
import org.redisson.api.stream.StreamCreateGroupArgs;
import org.redisson.api.stream.StreamGroup;
import org.redisson.api.stream.StreamInfo;
import org.redisson.api.stream.StreamMessageId;
import org.redisson.api.stream.StreamReadGroupArgs;
import org.redisson.client.RedisException;

class StreamTest extends ServerTest {
    private static final StreamMessageId FIRST = new StreamMessageId(1, 1);
    private static final StreamMessageId SECOND = new StreamMessageId(1, 2);

    private RStream<String, String> stream(Instance instance, String name) {
        return instance.client().getStream(name);
    }

    /** A stream of two entries, and a group "g" that has read nothing. */
    private RStream<String, String> newStream() {
        RStream<String, String> stream = stream(alice, newName());
        stream.add(FIRST, StreamAddArgs.entry("a", "1"));
        stream.add(SECOND, StreamAddArgs.entry("a", "2"));
        stream.createGroup(StreamCreateGroupArgs.name("g").id(StreamMessageId.ALL));
        return stream;
    }

    @Test
    void deliversEachEntryToOneConsumer() {
        RStream<String, String> stream = newStream();
        RStream<String, String> other = stream(bob, stream.getName());
        assertEquals(Map.of(FIRST, Map.of("a", "1")),
                stream.readGroup("g", "alice", StreamReadGroupArgs.neverDelivered().count(1)));
        assertEquals(Map.of(SECOND, Map.of("a", "2")),
                other.readGroup("g", "bob", StreamReadGroupArgs.neverDelivered()));
        assertTrue(stream.readGroup("g", "alice", StreamReadGroupArgs.neverDelivered()).isEmpty());
        assertEquals(Map.of(FIRST, Map.of("a", "1")),
                stream.readGroup("g", "alice", StreamReadGroupArgs.greaterThan(StreamMessageId.ALL)));
        PendingResult pending = stream.getPendingInfo("g");
        assertEquals(2, pending.getTotal());
        assertEquals(FIRST, pending.getLowestId());
        assertEquals(SECOND, pending.getHighestId());
        assertEquals(Map.of("alice", 1L, "bob", 1L), pending.getConsumerNames());
        assertEquals(1, stream.ack("g", FIRST));
        assertEquals(0, stream.ack("g", FIRST));
        PendingEntry left = stream.listPending("g", StreamMessageId.MIN, StreamMessageId.MAX, 10).get(0);
        assertEquals("bob", left.getConsumerName());
        assertEquals(1, left.getDeliveryCount());
    }

    @Test
    void consumersClaimPendingEntries() {
        RStream<String, String> stream = newStream();
        stream.readGroup("g", "alice", StreamReadGroupArgs.neverDelivered());
        assertTrue(stream.claim("g", "bob", 1, HOURS, FIRST).isEmpty());
        assertEquals(Map.of(FIRST, Map.of("a", "1")), stream.claim("g", "bob", 0, MILLISECONDS, FIRST));
        assertEquals(List.of(SECOND), stream.fastClaim("g", "bob", 0, MILLISECONDS, SECOND));
        assertEquals(1, stream.remove(FIRST));
        AutoClaimResult<String, String> claimed =
                stream.autoClaim("g", "carol", 0, MILLISECONDS, StreamMessageId.MIN, 10);
        assertEquals(Map.of(SECOND, Map.of("a", "2")), claimed.getMessages());
        assertEquals(List.of(FIRST), claimed.getDeletedIds());
        assertEquals(new StreamMessageId(0, 0), claimed.getNextId());
        assertEquals(1, stream.removeConsumer("g", "carol"));
    }

    @Test
    void describesItself() {
        RStream<String, String> stream = newStream();
        stream.readGroup("g", "alice", StreamReadGroupArgs.neverDelivered().count(1));
        StreamInfo<String, String> info = stream.getInfo();
        assertEquals(2, info.getLength());
        assertEquals(1, info.getRadixTreeKeys());
        assertEquals(1, info.getGroups());
        assertEquals(SECOND, info.getLastGeneratedId());
        assertEquals(Map.of("a", "1"), info.getFirstEntry().getData());
        StreamGroup group = stream.listGroups().get(0);
        assertEquals("g", group.getName());
        assertEquals(FIRST, group.getLastDeliveredId());
        assertEquals(1, group.getEntriesRead());
        assertEquals(1, group.getLag());
        assertEquals("alice", stream.listConsumers("g").get(0).getName());
    }

    @Test
    void wakesAConsumerThatWaits() throws Exception {
        RStream<String, String> stream = stream(alice, newName());
        stream.createGroup(StreamCreateGroupArgs.name("g").makeStream());
        try (Worker worker = new Worker()) {
            var read = worker.start(() -> stream(bob, stream.getName()).readGroup("g", "bob",
                    StreamReadGroupArgs.neverDelivered().timeout(Duration.ofSeconds(Worker.TIMEOUT_SECONDS))));
            stream.add(FIRST, StreamAddArgs.entry("a", "1"));
            assertEquals(Map.of(FIRST, Map.of("a", "1")), Worker.result(read));
        }
    }

    @Test
    void reportsMissingAndExistingGroups() {
        RStream<String, String> stream = newStream();
        assertThrows(RedisException.class, () -> stream.createGroup(StreamCreateGroupArgs.name("g")));
        stream.removeGroup("g");
        assertThrows(RedisException.class, () -> stream.readGroup("g", "alice", StreamReadGroupArgs.neverDelivered()));
        assertNull(stream.getInfo().getFirstEntry().getData().get("b"));
    }
}
