package io.minilockd.compat.object;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.minilockd.compat.support.Eventually;
import io.minilockd.compat.support.ServerTest;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;
import org.redisson.api.RPatternTopic;
import org.redisson.api.RTopic;

class TopicTest extends ServerTest {
    @Test
    void deliversMessagesInOrderUntilTheListenerIsRemoved() throws Exception {
        RTopic topic = alice.client().getTopic(newName());
        RTopic observed = bob.client().getTopic(topic.getChannelNames().get(0));
        BlockingQueue<String> messages = new LinkedBlockingQueue<>();
        assertEquals(0, topic.publish("no subscriber"));
        int listener = observed.addListener(String.class, (channel, message) -> messages.add(channel + " " + message));
        assertEquals(1, topic.countSubscribers());
        for (int i = 0; i < 100; i++) {
            assertEquals(1, topic.publish("message " + i));
        }
        for (int i = 0; i < 100; i++) {
            assertEquals(topic.getChannelNames().get(0) + " message " + i, messages.poll(30, SECONDS));
        }
        observed.removeListener(listener);
        Eventually.until("the listener is removed", () -> topic.countSubscribers() == 0);
        assertEquals(0, topic.publish("no subscriber"));
        assertNull(messages.poll(50, MILLISECONDS));
    }

    @Test
    void deliversMessagesOfAllChannelsOfAPattern() throws Exception {
        String prefix = newName();
        BlockingQueue<String> messages = new LinkedBlockingQueue<>();
        RPatternTopic pattern = bob.client().getPatternTopic(prefix + ":?");
        int listener = pattern.addListener(String.class,
                (matched, channel, message) -> messages.add(matched + " " + channel + " " + message));
        assertEquals(1, alice.client().getTopic(prefix + ":a").publish("1"));
        assertEquals(0, alice.client().getTopic(prefix + ":ab").publish("2"));
        assertEquals(1, alice.client().getTopic(prefix + ":b").publish("3"));
        assertEquals(prefix + ":? " + prefix + ":a 1", messages.poll(30, SECONDS));
        assertEquals(prefix + ":? " + prefix + ":b 3", messages.poll(30, SECONDS));
        pattern.removeListener(listener);
        Eventually.until("the listener is removed", () -> alice.client().getTopic(prefix + ":a").publish("4") == 0);
    }

    @Test
    void deliversOnceByNameAndOnceByPattern() throws Exception {
        String name = newName();
        BlockingQueue<String> messages = new LinkedBlockingQueue<>();
        bob.client().getTopic(name).addListener(String.class, (channel, message) -> messages.add(message));
        bob.client().getPatternTopic(name + "*")
                .addListener(String.class, (pattern, channel, message) -> messages.add(message));
        assertEquals(2, alice.client().getTopic(name).publish("twice"));
        assertEquals("twice", messages.poll(30, SECONDS));
        assertEquals("twice", messages.poll(30, SECONDS));
    }
}
