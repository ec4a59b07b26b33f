package orders;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.minilockd.LockInfo;
import io.minilockd.LockKind;
import io.minilockd.Minilockd;
import io.minilockd.junit.jupiter.MinilockdServer;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.redisson.Redisson;
import org.redisson.api.RateType;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/** The view of locks of every kind, which Redisson takes. */
@MinilockdServer
class LocksTest {
    @Test
    void eachKindIsShown(Minilockd server) throws InterruptedException {
        RedissonClient redisson = connect(server);
        try {
            redisson.getLock("lock").lock();
            redisson.getFairLock("fair").lock(10, TimeUnit.SECONDS);
            redisson.getReadWriteLock("read-write").readLock().lock();
            long token = redisson.getFencedLock("fenced").lockAndGetToken();
            redisson.getSemaphore("semaphore").trySetPermits(3);
            redisson.getSemaphore("semaphore").acquire();
            redisson.getPermitExpirableSemaphore("permits").trySetPermits(2);
            redisson.getPermitExpirableSemaphore("permits").acquire(10, TimeUnit.SECONDS);
            redisson.getCountDownLatch("latch").trySetCount(4);
            redisson.getRateLimiter("rate-limiter").trySetRate(RateType.OVERALL, 5, Duration.ofSeconds(1));

            Map<String, LockInfo> locks =
                    server.locks().list().stream().collect(Collectors.toMap(LockInfo::name, lock -> lock));
            for (LockKind kind : LockKind.values()) {
                if (kind != LockKind.FASTER_MULTI && kind != LockKind.TOKEN && kind != LockKind.OTHER) {
                    assertEquals(kind, locks.get(kind.toString()).kind(), locks::toString);
                }
            }
            assertEquals(Optional.of("read"), locks.get("read-write").mode());
            assertEquals(Optional.of(token), locks.get("fenced").token());
            assertEquals(Optional.of(2L), locks.get("semaphore").permits());
            assertEquals(Optional.of(1L), locks.get("permits").permits());
            assertEquals(1, locks.get("permits").holders().size());
            assertEquals(Optional.of(4L), locks.get("latch").count());
            assertTrue(locks.get("lock").holders().get(0).connection().isPresent());
        } finally {
            redisson.shutdown();
        }
    }

    private static RedissonClient connect(Minilockd server) {
        Config config = new Config();
        config.useSingleServer().setAddress(server.uri().toString());
        return Redisson.create(config);
    }
}
