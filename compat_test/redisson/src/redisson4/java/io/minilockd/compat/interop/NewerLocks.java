package io.minilockd.compat.interop;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.redisson.api.RFencedLock;
import org.redisson.api.RLock;
import org.redisson.api.RateType;
import org.redisson.api.RedissonClient;

/** Objects that are newer than Redisson 3.13, or that store their data in another format since. */
final class NewerLocks {
    private NewerLocks() {}

    static RLock spin(RedissonClient client, String name) {
        return client.getSpinLock(name);
    }

    /** A fenced lock, with its fencing tokens. */
    static LockAdapter fenced(RedissonClient client, String name) {
        RFencedLock lock = client.getFencedLock(name);
        return new LockAdapter() {
            @Override
            public String acquire() {
                return lock.lockAndGetToken(LEASE_SECONDS, TimeUnit.SECONDS).toString();
            }

            @Override
            public String tryAcquire() {
                Long token = lock.tryLockAndGetToken(0, LEASE_SECONDS, TimeUnit.SECONDS);
                return token == null ? null : token.toString();
            }

            @Override
            public void release(String token) {
                lock.unlock();
            }
        };
    }

    /** Sets the number of permits in an interval, for all clients together. */
    static boolean setRate(RedissonClient client, String name, long permits, long seconds) {
        return client.getRateLimiter(name).trySetRate(RateType.OVERALL, permits, Duration.ofSeconds(seconds));
    }
}
