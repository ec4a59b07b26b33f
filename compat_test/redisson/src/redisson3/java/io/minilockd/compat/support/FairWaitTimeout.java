package io.minilockd.compat.support;

import org.redisson.Redisson;
import org.redisson.RedissonFairLock;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/**
 * A fair lock's wait timeout, after which a waiter that is gone leaves the queue: an argument of the lock's
 * constructor.
 */
public final class FairWaitTimeout {
    private FairWaitTimeout() {}

    public static void configure(Config config, long millis) {
        // Not part of this version's configuration.
    }

    public static RLock fairLock(RedissonClient client, String name, long millis) {
        return new RedissonFairLock(((Redisson) client).getCommandExecutor(), name, millis);
    }
}
