package io.minilockd.compat.object;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.minilockd.compat.support.NewestServerTest;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.redisson.api.RBucket;
import org.redisson.api.bucket.CompareAndDeleteArgs;
import org.redisson.api.bucket.CompareAndSetArgs;

/** A bucket that is set or deleted by the digest of its value, or by the value: DIGEST, SET IFDEQ, DELEX. */
class BucketConditionsTest extends NewestServerTest {
    private RBucket<String> bucketOf(String value) {
        RBucket<String> bucket = alice.client().getBucket(newName());
        bucket.set(value);
        return bucket;
    }

    @Test
    void equalValuesHaveEqualDigests() {
        RBucket<String> bucket = bucketOf("one");
        String digest = bucket.getDigest();
        assertEquals(16, digest.length());
        assertEquals(digest, bucketOf("one").getDigest());
        assertNotEquals(digest, bucketOf("two").getDigest());
        bucket.delete();
        assertNull(bucket.getDigest());
    }

    @Test
    void setsByDigest() {
        RBucket<String> bucket = bucketOf("one");
        String digest = bucket.getDigest();
        assertTrue(bucket.compareAndSet(CompareAndSetArgs.<String>expectedDigest(digest).set("two")));
        assertFalse(bucket.compareAndSet(CompareAndSetArgs.<String>expectedDigest(digest).set("three")));
        assertEquals("two", bucket.get());
        assertTrue(bucket.compareAndSet(CompareAndSetArgs.<String>unexpectedDigest(digest).set("three")
                .timeToLive(Duration.ofMinutes(1))));
        assertEquals("three", bucket.get());
        assertTrue(bucket.remainTimeToLive() > 0);
        String now = bucket.getDigest();
        assertFalse(bucket.compareAndSet(CompareAndSetArgs.<String>unexpectedDigest(now).set("four")));
    }

    @Test
    void setsByValue() {
        RBucket<String> bucket = bucketOf("one");
        assertTrue(bucket.compareAndSet(CompareAndSetArgs.expected("one").set("two")));
        assertFalse(bucket.compareAndSet(CompareAndSetArgs.expected("one").set("three")));
        assertTrue(bucket.compareAndSet(CompareAndSetArgs.unexpected("one").set("three")));
        assertFalse(bucket.compareAndSet(CompareAndSetArgs.unexpected("three").set("four")));
        assertEquals("three", bucket.get());
    }

    @Test
    void deletesByDigestOrValue() {
        RBucket<String> bucket = bucketOf("one");
        String digest = bucket.getDigest();
        assertFalse(bucket.compareAndDelete(CompareAndDeleteArgs.unexpectedDigest(digest)));
        assertTrue(bucket.compareAndDelete(CompareAndDeleteArgs.expectedDigest(digest)));
        assertFalse(bucket.isExists());
        assertFalse(bucket.compareAndDelete(CompareAndDeleteArgs.expectedDigest(digest)));
        bucket.set("two");
        assertFalse(bucket.compareAndDelete(CompareAndDeleteArgs.expected("one")));
        assertTrue(bucket.compareAndDelete(CompareAndDeleteArgs.unexpected("one")));
        assertFalse(bucket.isExists());
    }
}
