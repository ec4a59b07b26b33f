package io.minilockd.compat.interop;

import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;

/** Objects that Redisson 3.13 does not have, or stores in another format than later versions. */
final class NewerLocks {
    private NewerLocks() {}

    static RLock spin(RedissonClient client, String name) {
        throw new UnsupportedOperationException("spin lock");
    }

    static LockAdapter fenced(RedissonClient client, String name) {
        throw new UnsupportedOperationException("fenced lock");
    }

    static boolean setRate(RedissonClient client, String name, long permits, long seconds) {
        throw new UnsupportedOperationException("the rate limiter stores its data in another format");
    }
}
