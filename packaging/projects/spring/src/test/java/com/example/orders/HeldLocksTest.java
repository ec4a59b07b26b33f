package com.example.orders;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.fail;

import io.minilockd.spring.boot.test.AutoConfigureMinilockd;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.testkit.engine.Event;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.integration.redis.util.RedisLockRegistry;

/** Tests that leave locks held: the classes within are run by this test. */
class HeldLocksTest {
    @SpringBootTest
    @AutoConfigureMinilockd(reset = true, failOnHeldLocks = true)
    static class Locks {
        @Autowired RedissonClient redisson;
        @Autowired RedisLockRegistry registry;

        /** Holds a lock as long as the application runs. */
        @TestConfiguration
        static class Leader {
            @Bean
            RLock leader(RedissonClient client) {
                RLock lock = client.getLock("leader");
                lock.lock(1, TimeUnit.HOURS);
                return lock;
            }
        }

        @Test
        void leavesALockOfRedisson() {
            redisson.getLock("order:42").lock(30, TimeUnit.SECONDS);
        }

        @Test
        void leavesALockOfSpringIntegration() throws InterruptedException {
            registry.obtain("43").tryLock(1, TimeUnit.SECONDS);
        }

        @Test
        void leavesALockAndFailsOtherwise() {
            redisson.getLock("order:44").lock(30, TimeUnit.SECONDS);
            fail("expected");
        }

        @Test
        void leavesALockAndIsAborted() {
            redisson.getLock("order:46").lock(30, TimeUnit.SECONDS);
            Assumptions.abort();
        }

        @Test
        void leavesNone() {
            RLock lock = redisson.getLock("order:45");
            lock.lock(30, TimeUnit.SECONDS);
            lock.unlock();
        }
    }

    @Test
    void aTestThatLeavesALockHeldFails() {
        var tests = Engine.run(Locks.class);
        tests.assertStatistics(all -> all.succeeded(1).failed(3).aborted(1));
        List<Throwable> failures = tests.failed().stream().map(HeldLocksTest::failure).toList();
        assertThat(failures)
                .filteredOn(thrown -> thrown.getMessage().contains("order:42"))
                .singleElement()
                .satisfies(HeldLocksTest::namesTheLockOfRedisson);
        assertThat(failures)
                .filteredOn(thrown -> thrown.getMessage().contains("\"orders:43\" (token) of database 3"))
                .hasSize(1);
        assertThat(failures)
                .filteredOn(thrown -> thrown.getMessage().equals("expected"))
                .singleElement()
                .satisfies(
                        thrown ->
                                assertThat(thrown.getSuppressed())
                                        .anyMatch(held -> held.getMessage().contains("order:44")));
    }

    private static void namesTheLockOfRedisson(Throwable failure) {
        assertThat(failure).isInstanceOf(AssertionError.class);
        assertThat(failure.getMessage())
                .containsPattern(
                        "(?s)^a lock of minilockd on 127.0.0.1:\\d+ is still held at the end of the test:\n"
                                + "  \"order:42\" \\(lock\\) of database 3 is held by [0-9a-f-]{36}:\\d+ since"
                                + " .*\\(for .*\\), which took it by connection \\d+ ")
                .doesNotContain("leader");
        assertThat(failure.getSuppressed())
                .singleElement()
                .satisfies(
                        report ->
                                assertThat(report.getMessage())
                                        .startsWith("Locks > leavesALockOfRedisson:\n")
                                        .contains("locks of minilockd on ", "last commands", "EVAL")
                                        .doesNotContain("minilockd-control"));
    }

    private static Throwable failure(Event event) {
        return event.getRequiredPayload(TestExecutionResult.class).getThrowable().orElseThrow();
    }
}
