package com.example.orders;

import io.minilockd.Minilockd;
import io.minilockd.spring.boot.test.AutoConfigureMinilockd;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.test.annotation.DirtiesContext.HierarchyMode;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;
import org.springframework.test.context.TestContext;
import org.springframework.test.context.TestContextManager;

/**
 * Measures what a server of its own adds to the start of a context, up to the first reply, compared with a server that runs
 * already: {@code mvn test -Dtest=ContextStartBench}. It is no test; its name keeps it from running as one.
 */
class ContextStartBench {
    private static final int ROUNDS = 30;

    @SpringBootTest(properties = Clients.LETTUCE)
    @AutoConfigureMinilockd
    static class OwnServer {}

    @SpringBootTest(properties = Clients.LETTUCE)
    static class RunningServer {
        static final Minilockd SERVER = Minilockd.builder().password("secret").start();

        @DynamicPropertySource
        static void connect(DynamicPropertyRegistry registry) {
            registry.add("spring.data.redis.host", SERVER::host);
            registry.add("spring.data.redis.port", SERVER::port);
            registry.add("spring.data.redis.username", () -> "default");
            registry.add("spring.data.redis.ssl.enabled", () -> false);
        }
    }

    @Test
    void measure() {
        start(OwnServer.class);
        start(RunningServer.class);
        List<Long> own = new ArrayList<>();
        List<Long> running = new ArrayList<>();
        for (int i = 0; i < ROUNDS; i++) {
            own.add(start(OwnServer.class));
            running.add(start(RunningServer.class));
        }
        System.out.printf(
                "start of a context, median of %d: %d ms with a server of its own, %d ms with one that runs%n",
                ROUNDS, median(own), median(running));
        RunningServer.SERVER.close();
    }

    private static long start(Class<?> type) {
        long begin = System.nanoTime();
        TestContext context = new TestContextManager(type).getTestContext();
        context.getApplicationContext().getBean(StringRedisTemplate.class).hasKey("key");
        long millis = Duration.ofNanos(System.nanoTime() - begin).toMillis();
        context.markApplicationContextDirty(HierarchyMode.EXHAUSTIVE);
        return millis;
    }

    private static long median(List<Long> millis) {
        Collections.sort(millis);
        return millis.get(millis.size() / 2);
    }
}
