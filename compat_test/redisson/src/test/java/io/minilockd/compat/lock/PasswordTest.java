package io.minilockd.compat.lock;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.minilockd.compat.support.RootCause;
import io.minilockd.compat.support.ClientConfig;
import io.minilockd.compat.support.Instance;
import io.minilockd.compat.support.Servers;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.redisson.client.RedisException;
import org.redisson.config.Config;

/** The plain lock on a server with a password, in database 2, and clients with a wrong password or none. */
class PasswordTest extends PlainLockTest {
    @Override
    protected List<Config> configs() {
        Config config = ClientConfig.single(Servers.secured());
        config.useSingleServer().setPassword(Servers.password()).setDatabase(2).setClientName("compat");
        return List.of(config);
    }

    @Test
    void isRefusedWithTheWrongPassword() {
        Config config = ClientConfig.single(Servers.secured());
        config.useSingleServer().setPassword(Servers.password() + "?").setRetryAttempts(0);
        assertThrows(RedisException.class, () -> Instance.open(config).close());
    }

    @Test
    void isRefusedWithoutAPassword() {
        Config config = ClientConfig.single(Servers.secured());
        config.useSingleServer().setRetryAttempts(0);
        Throwable error = RootCause.ofFailure(() -> {
            try (Instance instance = Instance.open(config)) {
                lock(instance, newName()).lock(LONG_LEASE_SECONDS, SECONDS);
            }
        });
        assertTrue(error.toString().contains("NOAUTH"), error::toString);
    }
}
