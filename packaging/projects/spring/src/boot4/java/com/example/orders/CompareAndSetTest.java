package com.example.orders;

import static org.assertj.core.api.Assertions.assertThat;

import io.minilockd.Minilockd;
import io.minilockd.spring.boot.test.AutoConfigureMinilockd;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.integration.redis.util.RedisLockRegistry;

/**
 * Spring Integration renews and releases a lock by SET IFEQ and DELEX, and once it reads in an error that the server
 * does not know these, by scripts.
 */
class CompareAndSetTest {
    abstract static class LockTest {
        @Autowired Minilockd server;
        @Autowired RedisLockRegistry registry;

        /** The names of the commands by which a lock is renewed and released, those of scripts apart. */
        List<String> renewAndRelease() {
            assertThat(registry.obtain("42").tryLock()).isTrue();
            server.journal().clear();
            registry.renewLock("42");
            assertThat(server.locks().held()).hasSize(1);
            registry.obtain("42").unlock();
            assertThat(server.locks().held()).isEmpty();
            return server.journal().entries().stream()
                    .filter(entry -> !entry.scripted())
                    .map(entry -> entry.command().split(" ")[0])
                    .toList();
        }
    }

    @Nested
    @SpringBootTest(properties = Clients.LETTUCE)
    @AutoConfigureMinilockd(emulate = "8.4", reset = true)
    class Redis84 extends LockTest {
        @Test
        void comparesByItself() {
            assertThat(renewAndRelease()).containsExactly("SET", "DELEX");
        }
    }

    @Nested
    @SpringBootTest(properties = Clients.LETTUCE)
    @AutoConfigureMinilockd(emulate = "8.2", reset = true)
    class Redis82 extends LockTest {
        @Test
        void runsScripts() {
            assertThat(renewAndRelease()).containsExactly("SET", "EVALSHA", "EVAL", "EVALSHA", "EVAL");
        }
    }

    @Nested
    @SpringBootTest(properties = Clients.LETTUCE)
    @AutoConfigureMinilockd(emulate = "valkey-9.1", reset = true)
    class Valkey91 extends LockTest {
        @Test
        void comparesToRenewAndRunsAScriptToRelease() {
            assertThat(renewAndRelease()).containsExactly("SET", "DELEX", "EVALSHA", "EVAL");
        }
    }
}
