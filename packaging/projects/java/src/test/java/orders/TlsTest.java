package orders;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.minilockd.Minilockd;
import io.minilockd.junit.jupiter.MinilockdServer;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.redisson.Redisson;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;
import org.redisson.client.codec.StringCodec;
import org.redisson.config.Config;

/** Redisson over TLS: it trusts the server, which demands a certificate of it. */
@MinilockdServer(tls = true, config = "tls-auth-clients yes")
class TlsTest {
    @Test
    void aLockAndAMessage(Minilockd server) throws InterruptedException {
        Config config = new Config();
        config.setCodec(StringCodec.INSTANCE);
        config.setSslTrustManagerFactory(server.tls().trustManagerFactory());
        config.setSslKeyManagerFactory(server.tls().keyManagerFactory());
        config.useSingleServer().setAddress(server.tls().uri().toString());
        RedissonClient redisson = Redisson.create(config);
        try {
            RLock lock = redisson.getLock("lock");
            assertTrue(lock.tryLock(1, 30, TimeUnit.SECONDS));
            assertEquals(1, server.locks().held().size());
            lock.unlock();
            redisson.getBucket("k").set("v");
            assertEquals("v", server.execute("GET", "k"));
        } finally {
            redisson.shutdown();
        }
    }
}
