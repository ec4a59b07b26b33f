package io.minilockd.compat.lock;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.minilockd.compat.support.Instance;
import io.minilockd.compat.support.Race;
import io.minilockd.compat.support.ServerTest;
import io.minilockd.compat.support.Stopwatch;
import io.minilockd.compat.support.Worker;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.redisson.api.RRateLimiter;
import org.redisson.api.RateIntervalUnit;
import org.redisson.api.RateType;
import org.redisson.client.RedisException;

class RateLimiterTest extends ServerTest {
    private static final long INTERVAL_MILLIS = 500;

    private static RRateLimiter limiter(Instance instance, String name) {
        return instance.client().getRateLimiter(name);
    }

    @Test
    void grantsNoMoreThanItsRateInAnInterval() {
        String name = newName();
        RRateLimiter limiter = limiter(alice, name);
        assertTrue(limiter.trySetRate(RateType.OVERALL, 3, INTERVAL_MILLIS, RateIntervalUnit.MILLISECONDS));
        assertFalse(limiter(bob, name).trySetRate(RateType.OVERALL, 9, 1, RateIntervalUnit.SECONDS), "set only once");
        Stopwatch sinceAcquired = new Stopwatch();
        limiter.acquire(3);
        limiter(bob, name).acquire();
        sinceAcquired.assertAtLeast(INTERVAL_MILLIS);
    }

    @Test
    void tryAcquireWaitsOnlyIfTheTimeSuffices() {
        RRateLimiter limiter = limiter(alice, newName());
        limiter.trySetRate(RateType.OVERALL, 1, 60, RateIntervalUnit.SECONDS);
        assertTrue(limiter.tryAcquire());
        assertFalse(limiter.tryAcquire());
        assertFalse(limiter.tryAcquire(200, MILLISECONDS));
        assertEquals(0, limiter.availablePermits());
        assertTrue(limiter.delete());

        limiter.trySetRate(RateType.OVERALL, 1, INTERVAL_MILLIS, RateIntervalUnit.MILLISECONDS);
        assertTrue(limiter.tryAcquire());
        assertTrue(limiter.tryAcquire(Worker.TIMEOUT_SECONDS, SECONDS));
    }

    @Test
    void grantsManyThreadsExactlyItsRate() throws Exception {
        String name = newName();
        int rate = 50;
        limiter(alice, name).trySetRate(RateType.OVERALL, rate, 300, RateIntervalUnit.SECONDS);
        AtomicInteger granted = new AtomicInteger();
        Race.run(instances(), 3, instance -> () -> {
            if (limiter(instance, name).tryAcquire()) {
                granted.incrementAndGet();
            }
        });
        assertEquals(rate, granted.get());
        assertEquals(0, limiter(bob, name).availablePermits());
    }

    @Test
    void canCountEachClientSeparately() {
        String name = newName();
        limiter(alice, name).trySetRate(RateType.PER_CLIENT, 1, 60, RateIntervalUnit.SECONDS);
        assertTrue(limiter(alice, name).tryAcquire());
        assertFalse(limiter(alice, name).tryAcquire());
        assertTrue(limiter(bob, name).tryAcquire(), "each client has a rate");
        assertEquals(RateType.PER_CLIENT, limiter(bob, name).getConfig().getRateType());
    }

    @Test
    void throwsTheErrorsOfItsScripts() {
        RRateLimiter limiter = limiter(alice, newName());
        RedisException unset = assertThrows(RedisException.class, limiter::tryAcquire);
        assertTrue(unset.getMessage().contains("RateLimiter is not initialized"), unset::getMessage);
        limiter.trySetRate(RateType.OVERALL, 2, 60, RateIntervalUnit.SECONDS);
        RedisException tooMany = assertThrows(RedisException.class, () -> limiter.tryAcquire(3));
        assertTrue(tooMany.getMessage().contains("could not exceed") || tooMany.getMessage().contains("cannot exceed"),
                tooMany::getMessage);
    }
}
