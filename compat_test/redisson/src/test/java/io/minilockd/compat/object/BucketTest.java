package io.minilockd.compat.object;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.minilockd.compat.support.Eventually;
import io.minilockd.compat.support.Race;
import io.minilockd.compat.support.ServerTest;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.redisson.api.RBucket;
import org.redisson.client.codec.LongCodec;

class BucketTest extends ServerTest {
    private RBucket<String> newBucket() {
        return alice.client().getBucket(newName());
    }

    @Test
    void holdsOneValue() {
        RBucket<String> bucket = newBucket();
        assertNull(bucket.get());
        assertTrue(bucket.trySet("one"));
        assertFalse(bucket.trySet("two"));
        assertEquals("one", bucket.getAndSet("three"));
        assertTrue(bucket.setIfExists("four"));
        assertEquals(4, bucket.size());
        assertEquals("four", bucket.getAndDelete());
        assertFalse(bucket.setIfExists("five"));
        assertFalse(bucket.delete());
    }

    @Test
    void itsValueExpires() throws Exception {
        RBucket<String> bucket = newBucket();
        bucket.set("gone soon", 200, MILLISECONDS);
        Eventually.until("the value expires", () -> bucket.get() == null);
        assertTrue(bucket.trySet("stays", 60, SECONDS));
        long left = bucket.remainTimeToLive();
        assertTrue(left > 0 && left <= 60_000, () -> "time to live " + left);
        assertTrue(bucket.clearExpire());
        assertEquals(-1, bucket.remainTimeToLive());
        assertTrue(bucket.expire(100, MILLISECONDS));
        Eventually.until("the value expires again", () -> !bucket.isExists());
        assertEquals(-2, bucket.remainTimeToLive());
    }

    @Test
    void comparesAndSetsAtomically() throws Exception {
        RBucket<String> bucket = newBucket();
        assertTrue(bucket.compareAndSet(null, "a"));
        assertFalse(bucket.compareAndSet("b", "c"));
        assertTrue(bucket.compareAndSet("a", "b"));
        assertEquals("b", bucket.get());

        String name = newName();
        alice.client().getBucket(name, LongCodec.INSTANCE).set(0L);
        int rounds = 3;
        Race.run(instances(), rounds, instance -> () -> {
            RBucket<Long> number = instance.client().getBucket(name, LongCodec.INSTANCE);
            long seen = number.get();
            while (!number.compareAndSet(seen, seen + 1)) {
                seen = number.get();
            }
        });
        long expected = (long) rounds * Race.THREADS * instances().size();
        assertEquals(expected, bob.client().<Long>getBucket(name, LongCodec.INSTANCE).get());
    }

    @Test
    void readsAndWritesSeveralAtOnce() {
        String first = newName();
        String second = newName();
        alice.client().getBuckets().set(Map.of(first, "1", second, "2"));
        assertEquals(Map.of(first, "1", second, "2"), bob.client().getBuckets().get(first, second, newName()));
        assertFalse(bob.client().getBuckets().trySet(Map.of(first, "3", newName(), "4")), "one exists");
    }
}
