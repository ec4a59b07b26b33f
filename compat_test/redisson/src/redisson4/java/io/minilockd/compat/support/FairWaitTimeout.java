package io.minilockd.compat.support;

import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/** A fair lock's wait timeout, after which a waiter that is gone leaves the queue: a part of the configuration. */
public final class FairWaitTimeout {
    private FairWaitTimeout() {}

    public static void configure(Config config, long millis) {
        config.setFairLockWaitTimeout(millis);
    }

    public static RLock fairLock(RedissonClient client, String name, long millis) {
        return client.getFairLock(name);
    }
}
