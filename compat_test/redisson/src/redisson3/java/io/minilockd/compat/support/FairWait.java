package io.minilockd.compat.support;

import org.redisson.Redisson;
import org.redisson.RedissonFairLock;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/** How long an absent waiter keeps its place in a fair lock's queue; in Redisson 3.13 an argument of the lock's constructor. */
public final class FairWait {
    private FairWait() {}

    public static void configure(Config config, long millis) {
        // Not part of this version's configuration.
    }

    public static RLock fairLock(RedissonClient client, String name, long millis) {
        return new RedissonFairLock(((Redisson) client).getCommandExecutor(), name, millis);
    }
}
