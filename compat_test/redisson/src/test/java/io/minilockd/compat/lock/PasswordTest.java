package io.minilockd.compat.lock;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.minilockd.compat.support.Causes;
import io.minilockd.compat.support.ClientConfig;
import io.minilockd.compat.support.Party;
import io.minilockd.compat.support.Servers;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.redisson.client.RedisException;
import org.redisson.config.Config;

/** The plain lock on a server that wants a password, database 2, by a client with a name; and clients that do not know it. */
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
        assertThrows(RedisException.class, () -> Party.open(config).close());
    }

    @Test
    void isRefusedWithoutAPassword() {
        Config config = ClientConfig.single(Servers.secured());
        config.useSingleServer().setRetryAttempts(0);
        Throwable refusal = Causes.ofFailure(() -> {
            try (Party party = Party.open(config)) {
                lock(party, newName()).lock(LONG_LEASE_SECONDS, SECONDS);
            }
        });
        assertTrue(refusal.toString().contains("NOAUTH"), refusal::toString);
    }
}
