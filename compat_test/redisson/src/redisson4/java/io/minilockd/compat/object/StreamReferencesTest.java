package io.minilockd.compat.object;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.redisson.client.protocol.StreamEntryStatus.HAS_PENDING_REFERENCES;
import static org.redisson.client.protocol.StreamEntryStatus.ID_NOT_FOUND;
import static org.redisson.client.protocol.StreamEntryStatus.SUCCESS;

import io.minilockd.compat.support.NewestServerTest;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.redisson.api.RStream;
import org.redisson.api.stream.StreamAckArgs;
import org.redisson.api.stream.StreamAddArgs;
import org.redisson.api.stream.StreamCreateGroupArgs;
import org.redisson.api.stream.StreamMessageId;
import org.redisson.api.stream.StreamReadGroupArgs;
import org.redisson.api.stream.StreamRemoveArgs;
import org.redisson.api.stream.StreamTrimArgs;

/** What becomes of the pending entries of groups when entries go: XACKDEL, XDELEX, XTRIM; and XREADGROUP CLAIM. */
class StreamReferencesTest extends NewestServerTest {
    private static final StreamMessageId FIRST = new StreamMessageId(1, 1);
    private static final StreamMessageId SECOND = new StreamMessageId(1, 2);
    private static final StreamMessageId MISSING = new StreamMessageId(9, 9);

    /** A stream of two entries, which the groups "g" and "h" have read. */
    private RStream<String, String> newStream() {
        RStream<String, String> stream = alice.client().getStream(newName());
        stream.add(FIRST, StreamAddArgs.entry("a", "1"));
        stream.add(SECOND, StreamAddArgs.entry("a", "2"));
        for (String group : List.of("g", "h")) {
            stream.createGroup(StreamCreateGroupArgs.name(group).id(StreamMessageId.ALL));
            stream.readGroup(group, "alice", StreamReadGroupArgs.neverDelivered());
        }
        return stream;
    }

    private static long pending(RStream<String, String> stream, String group) {
        return stream.getPendingInfo(group).getTotal();
    }

    @Test
    void acknowledgesAndRemovesAtOnce() {
        RStream<String, String> stream = newStream();
        assertEquals(Map.of(FIRST, HAS_PENDING_REFERENCES),
                stream.ack(StreamAckArgs.group("g").ids(FIRST).removeAcknowledgedOnly()));
        assertEquals(2, stream.size());
        assertEquals(Map.of(FIRST, SUCCESS, MISSING, ID_NOT_FOUND),
                stream.ack(StreamAckArgs.group("h").ids(FIRST, MISSING).removeAcknowledgedOnly()));
        assertEquals(1, stream.size());
        assertEquals(Map.of(SECOND, SUCCESS), stream.ack(StreamAckArgs.group("g").ids(SECOND).removeReferences()));
        assertEquals(0, stream.size());
        assertEquals(0, pending(stream, "h"));
    }

    @Test
    void removesWithAndWithoutReferences() {
        RStream<String, String> stream = newStream();
        assertEquals(Map.of(FIRST, HAS_PENDING_REFERENCES),
                stream.remove(StreamRemoveArgs.ids(FIRST).removeAcknowledgedOnly()));
        assertEquals(Map.of(FIRST, SUCCESS, MISSING, ID_NOT_FOUND),
                stream.remove(StreamRemoveArgs.ids(FIRST, MISSING).keepReferences()));
        assertEquals(2, pending(stream, "g"));
        assertEquals(Map.of(SECOND, SUCCESS), stream.remove(StreamRemoveArgs.ids(SECOND).removeReferences()));
        assertEquals(1, pending(stream, "g"));
        assertEquals(0, stream.size());
    }

    @Test
    void trimsWithReferences() {
        RStream<String, String> stream = newStream();
        assertEquals(0, stream.trim(StreamTrimArgs.maxLen(0).removeAcknowledgedOnly().noLimit()));
        assertEquals(1, stream.trim(StreamTrimArgs.maxLen(1).removeReferences().noLimit()));
        assertEquals(1, pending(stream, "g"));
        assertEquals(1, stream.trim(StreamTrimArgs.maxLen(0).keepReferences().noLimit()));
        assertEquals(1, pending(stream, "h"));
    }

    @Test
    void aConsumerReadsWhatOthersLeftPending() {
        RStream<String, String> stream = newStream();
        StreamMessageId third = new StreamMessageId(1, 3);
        stream.add(third, StreamAddArgs.entry("a", "3"));
        assertEquals(Map.of(FIRST, Map.of("a", "1"), SECOND, Map.of("a", "2"), third, Map.of("a", "3")),
                stream.readGroup("g", "bob", StreamReadGroupArgs.neverDelivered().claim(Duration.ZERO)));
        assertEquals(Map.of("bob", 3L), stream.getPendingInfo("g").getConsumerNames());
        assertTrue(stream.readGroup("g", "carol",
                StreamReadGroupArgs.neverDelivered().claim(Duration.ofHours(1))).isEmpty());
    }
}
