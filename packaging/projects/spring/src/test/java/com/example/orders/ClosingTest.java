package com.example.orders;

import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.sync.RedisCommands;
import io.minilockd.Minilockd;
import io.minilockd.spring.boot.test.AutoConfigureMinilockd;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.test.annotation.DirtiesContext;

/** When servers end: the classes within are run by this test. */
class ClosingTest {
    private static final List<Long> SERVERS = new ArrayList<>();
    private static final List<String> GOODBYES = new ArrayList<>();

    /** Uses the template of Spring Data when the application ends. */
    record Sender(StringRedisTemplate redis) {
        @EventListener
        void end(ContextClosedEvent event) {
            redis.opsForValue().set("goodbye", "by Spring Data");
            GOODBYES.add(redis.opsForValue().get("goodbye"));
        }
    }

    /** Uses a client of its own, by the properties, when it is destroyed. */
    static final class OwnClient implements AutoCloseable {
        private final RedisClient client;

        OwnClient(String host, int port, String password) {
            client =
                    RedisClient.create(
                            RedisURI.builder()
                                    .withHost(host)
                                    .withPort(port)
                                    .withPassword(password.toCharArray())
                                    .build());
        }

        @Override
        public void close() {
            RedisCommands<String, String> redis = client.connect().sync();
            redis.set("goodbye", "by a client");
            GOODBYES.add(redis.get("goodbye"));
            client.shutdown();
        }
    }

    @SpringBootTest(properties = Clients.LETTUCE)
    @AutoConfigureMinilockd
    @DirtiesContext
    static class ClosesItsContext {
        @TestConfiguration
        static class Beans {
            @Bean
            OwnClient ownClient(
                    @Value("${spring.data.redis.host}") String host,
                    @Value("${spring.data.redis.port}") int port,
                    @Value("${spring.data.redis.password}") String password) {
                return new OwnClient(host, port, password);
            }

            @Bean
            Sender sender(StringRedisTemplate redis) {
                return new Sender(redis);
            }
        }

        @Test
        void hasAServer(@Autowired Minilockd server) {
            SERVERS.add(server.pid());
        }
    }

    @SpringBootTest(properties = Clients.LETTUCE)
    @AutoConfigureMinilockd
    static class DoesNotStart {
        @TestConfiguration
        static class Beans {
            @Bean
            Sender sender(Minilockd server) {
                SERVERS.add(server.pid());
                throw new IllegalStateException("expected");
            }
        }

        @Test
        void doesNotRun() {}
    }

    @Test
    void aServerEndsWithItsContextAfterTheBeansThatUseIt() {
        Engine.run(ClosesItsContext.class).assertStatistics(tests -> tests.succeeded(1));
        assertThat(GOODBYES).containsExactlyInAnyOrder("by Spring Data", "by a client");
        assertThat(SERVERS).isNotEmpty().allMatch(ClosingTest::hasEnded);
    }

    @Test
    void aServerEndsWithAContextThatDoesNotStart() {
        Engine.run(DoesNotStart.class).assertStatistics(tests -> tests.failed(1));
        assertThat(SERVERS).isNotEmpty().allMatch(ClosingTest::hasEnded);
    }

    private static boolean hasEnded(long pid) {
        return ProcessHandle.of(pid).isEmpty();
    }
}
