package io.minilockd.compat.interop;

import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;

/** What came after Redisson 3.13, or changed since: it has none of it. */
final class NewerLocks {
    private NewerLocks() {}

    static RLock spin(RedissonClient client, String name) {
        throw new UnsupportedOperationException("spin lock");
    }

    static Gate fenced(RedissonClient client, String name) {
        throw new UnsupportedOperationException("fenced lock");
    }

    static boolean setRate(RedissonClient client, String name, long permits, long seconds) {
        throw new UnsupportedOperationException("the rate limiter's records are of another format");
    }
}
