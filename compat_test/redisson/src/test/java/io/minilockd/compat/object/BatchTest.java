package io.minilockd.compat.object;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.minilockd.compat.support.Eventually;
import io.minilockd.compat.support.Race;
import io.minilockd.compat.support.ServerTest;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.redisson.api.BatchOptions;
import org.redisson.api.BatchOptions.ExecutionMode;
import org.redisson.api.RBatch;
import org.redisson.api.RFuture;
import org.redisson.client.RedisException;
import org.redisson.client.codec.LongCodec;

class BatchTest extends ServerTest {
    private RBatch newBatch(ExecutionMode mode) {
        return alice.client().createBatch(BatchOptions.defaults().executionMode(mode));
    }

    @ParameterizedTest
    @EnumSource(names = {"IN_MEMORY", "IN_MEMORY_ATOMIC", "REDIS_WRITE_ATOMIC"})
    void repliesAreInTheOrderOfTheCommands(ExecutionMode mode) throws Exception {
        String name = newName();
        RBatch batch = newBatch(mode);
        batch.getBucket(name).setAsync("text");
        batch.getMap(name + ":map").fastPutAsync("field", "value");
        RFuture<Long> counted = batch.getAtomicLong(name + ":number").incrementAndGetAsync();
        RFuture<Object> read = batch.getBucket(name).getAsync();
        batch.getBucket(name + ":absent").getAsync();
        List<?> responses = batch.execute().getResponses();
        assertEquals(5, responses.size());
        assertEquals(true, responses.get(1));
        assertEquals(1L, responses.get(2));
        assertEquals("text", responses.get(3));
        assertNull(responses.get(4));
        assertEquals(1L, counted.get());
        assertEquals("text", read.get());
    }

    @Test
    void thousandsOfCommandsGoInOnePipeline() {
        String name = newName();
        RBatch batch = newBatch(ExecutionMode.IN_MEMORY);
        for (int i = 0; i < 5000; i++) {
            batch.getAtomicLong(name).incrementAndGetAsync();
        }
        List<?> responses = batch.execute().getResponses();
        for (int i = 0; i < 5000; i++) {
            assertEquals(i + 1L, responses.get(i));
        }
    }

    @Test
    void scriptsRunInAnAtomicBatch() {
        String name = newName();
        RBatch batch = newBatch(ExecutionMode.IN_MEMORY_ATOMIC);
        batch.getBucket(name, LongCodec.INSTANCE).compareAndSetAsync(null, 1L);
        batch.getBucket(name, LongCodec.INSTANCE).compareAndSetAsync(1L, 2L);
        batch.getBucket(name, LongCodec.INSTANCE).compareAndSetAsync(1L, 3L);
        assertEquals(List.of(true, true, false), batch.execute().getResponses());
    }

    @Test
    void anAtomicBatchIsSeenWholeOrNotAtAll() throws Exception {
        String name = newName();
        Race.run(instances(), 5, instance -> () -> {
            RBatch batch = instance.client()
                    .createBatch(BatchOptions.defaults().executionMode(ExecutionMode.IN_MEMORY_ATOMIC));
            batch.getAtomicLong(name + ":first").incrementAndGetAsync();
            batch.getAtomicLong(name + ":second").incrementAndGetAsync();
            List<?> responses = batch.execute().getResponses();
            assertEquals(responses.get(0), responses.get(1));
        });
    }

    @Test
    void aCommandThatFailsDoesNotHideTheOthers() {
        String name = newName();
        alice.client().getBucket(name).set("text");
        RBatch batch = newBatch(ExecutionMode.IN_MEMORY);
        batch.getAtomicLong(name).incrementAndGetAsync();
        batch.getBucket(name + ":other").setAsync("written");
        assertThrows(RedisException.class, batch::execute);
        assertEquals("written", bob.client().getBucket(name + ":other").get());
    }

    @Test
    void resultsCanBeSkipped() throws Exception {
        String name = newName();
        RBatch batch = alice.client().createBatch(BatchOptions.defaults().skipResult());
        for (int i = 0; i < 10; i++) {
            batch.getAtomicLong(name).incrementAndGetAsync();
        }
        batch.execute();
        Eventually.until("all have run", () -> bob.client().getAtomicLong(name).get() == 10);
        assertTrue(alice.client().getKeys().countExists(name) == 1, "replies are on again");
    }
}
