package io.minilockd.compat.support;

import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/** How long an absent waiter keeps its place in a fair lock's queue; in Redisson 4 part of the configuration. */
public final class FairWait {
    private FairWait() {}

    public static void configure(Config config, long millis) {
        config.setFairLockWaitTimeout(millis);
    }

    public static RLock fairLock(RedissonClient client, String name, long millis) {
        return client.getFairLock(name);
    }
}
