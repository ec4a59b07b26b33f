package com.example.orders;

import static org.assertj.core.api.Assertions.assertThat;

import io.minilockd.Minilockd;
import io.minilockd.spring.boot.test.AutoConfigureMinilockd;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.data.redis.core.StringRedisTemplate;

/** Tests that JUnit runs at the same time: the classes within are run by this test. */
class ParallelTest {
    private static final Set<Long> SERVERS = ConcurrentHashMap.newKeySet();

    abstract static class Application {
        @Autowired Minilockd server;
        @Autowired StringRedisTemplate redis;

        @RepeatedTest(5)
        void isAlone() {
            SERVERS.add(server.pid());
            assertThat(redis.opsForValue().increment("tests")).isEqualTo(1);
            assertThat(redis.opsForValue().decrement("tests")).isEqualTo(0);
        }
    }

    @SpringBootTest(properties = Clients.LETTUCE)
    @AutoConfigureMinilockd(databases = 17, reset = true)
    static class First extends Application {}

    @SpringBootTest(properties = Clients.LETTUCE)
    @AutoConfigureMinilockd(databases = 17, reset = true)
    static class OfTheSameContext extends Application {}

    @SpringBootTest(properties = Clients.LETTUCE)
    @AutoConfigureMinilockd(databases = 18, reset = true)
    static class OfAnotherContext extends Application {}

    @Test
    void contextsStartAtTheSameTimeAndTestsThatResetAServerWaitForEachOther() {
        Engine.runInParallel(First.class, OfTheSameContext.class, OfAnotherContext.class)
                .assertStatistics(tests -> tests.succeeded(15));
        assertThat(SERVERS).hasSize(2);
    }
}
