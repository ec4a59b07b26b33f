package com.example.orders;

import static org.assertj.core.api.Assertions.assertThat;

import io.minilockd.Minilockd;
import io.minilockd.spring.boot.test.AutoConfigureMinilockd;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.data.redis.core.StringRedisTemplate;

/** Which tests share a server: the classes within are run by this test. */
class ContextsTest {
    private static final Map<Class<?>, Long> SERVERS = new HashMap<>();

    abstract static class Application {
        @Autowired Minilockd server;
        @Autowired StringRedisTemplate redis;

        @Test
        void isConnectedToItsServer() {
            redis.opsForValue().set("class", getClass().getSimpleName());
            assertThat(server.dump()).contains("\"class\" string", getClass().getSimpleName());
            SERVERS.put(getClass(), server.pid());
        }
    }

    @SpringBootTest(properties = Clients.LETTUCE)
    @AutoConfigureMinilockd(lockHistory = 100)
    static class First extends Application {
        @Nested
        class Inner {
            @Test
            void hasTheContextOfTheClassAround(@Autowired Minilockd server) {
                SERVERS.put(getClass(), server.pid());
            }
        }
    }

    @SpringBootTest(properties = Clients.LETTUCE)
    @AutoConfigureMinilockd(lockHistory = 100, failOnHeldLocks = true, reset = true)
    static class OfTheSameContext extends Application {}

    @SpringBootTest(properties = Clients.LETTUCE)
    @AutoConfigureMinilockd(lockHistory = 200)
    static class WithOtherOptions extends Application {}

    @SpringBootTest(properties = {Clients.LETTUCE, "orders.other=true"})
    @AutoConfigureMinilockd(lockHistory = 100)
    static class OfAnotherContext extends Application {}

    @Test
    void eachContextHasAServerAndACachedOneKeepsIt() {
        Engine.run(First.class, OfTheSameContext.class, WithOtherOptions.class, OfAnotherContext.class)
                .assertStatistics(tests -> tests.succeeded(5));
        assertThat(SERVERS.get(OfTheSameContext.class)).isEqualTo(SERVERS.get(First.class));
        assertThat(SERVERS.get(First.Inner.class)).isEqualTo(SERVERS.get(First.class));
        assertThat(SERVERS.values()).hasSize(5);
        assertThat(SERVERS.values().stream().distinct()).hasSize(3);
    }
}
