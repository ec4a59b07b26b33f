package io.minilockd.compat.interop;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.redisson.api.RFencedLock;
import org.redisson.api.RLock;
import org.redisson.api.RateType;
import org.redisson.api.RedissonClient;

/** What came after Redisson 3.13, or changed since. */
final class NewerLocks {
    private NewerLocks() {}

    static RLock spin(RedissonClient client, String name) {
        return client.getSpinLock(name);
    }

    /** A gate whose passes are the tokens. */
    static Gate fenced(RedissonClient client, String name) {
        RFencedLock lock = client.getFencedLock(name);
        return new Gate() {
            @Override
            public String enter() {
                return lock.lockAndGetToken(LEASE_SECONDS, TimeUnit.SECONDS).toString();
            }

            @Override
            public String tryEnter() {
                Long token = lock.tryLockAndGetToken(0, LEASE_SECONDS, TimeUnit.SECONDS);
                return token == null ? null : token.toString();
            }

            @Override
            public void leave(String pass) {
                lock.unlock();
            }
        };
    }

    /** Sets how many permits there are in each interval, for all clients together. */
    static boolean setRate(RedissonClient client, String name, long permits, long seconds) {
        return client.getRateLimiter(name).trySetRate(RateType.OVERALL, permits, Duration.ofSeconds(seconds));
    }
}
