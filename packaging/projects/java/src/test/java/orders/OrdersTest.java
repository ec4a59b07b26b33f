package orders;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.minilockd.Fault;
import io.minilockd.FaultAction;
import io.minilockd.FaultRule;
import io.minilockd.Minilockd;
import io.minilockd.junit.jupiter.MinilockdServer;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.redisson.Redisson;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;
import org.redisson.client.RedisException;
import org.redisson.config.Config;

@MinilockdServer(failOnHeldLocks = true)
class OrdersTest {
    private RedissonClient redisson;

    @BeforeEach
    void connect(Minilockd server) {
        Config config = new Config();
        config.useSingleServer().setAddress(server.uri().toString());
        redisson = Redisson.create(config);
    }

    @AfterEach
    void disconnect() {
        redisson.shutdown();
    }

    @Test
    void aLeaseOf30SecondsLapsesAtOnce(Minilockd server) {
        RLock lock = redisson.getLock("order:42");
        lock.lock(30, TimeUnit.SECONDS);
        server.clock().advance(Duration.ofSeconds(30));
        assertFalse(lock.isHeldByCurrentThread());
    }

    @Test
    void theReplyOfAnUnlockGetsLost(Minilockd server) {
        RLock lock = redisson.getLock("order:42");
        lock.lock();
        Fault fault = server.faults().add(FaultRule.calls()
                .command("evalsha").key("order:*").nth(2) // the reply to the first one is NOSCRIPT
                .then(FaultAction.loseReply()));
        assertThrows(RedisException.class, lock::unlock);
        assertEquals(1, fault.hits());
        assertTrue(server.locks().held().isEmpty()); // the script has run
    }
}
