package orders;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import io.minilockd.Minilockd;
import io.minilockd.junit.jupiter.MinilockdServer;
import org.junit.jupiter.api.Test;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.Events;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/** A test that leaves a lock held fails: the class within is run by this test. */
class LeakTest {
    @MinilockdServer(failOnHeldLocks = true)
    static class Leaks {
        @Test
        void leavesALockHeld(Minilockd server) {
            Config config = new Config();
            config.useSingleServer().setAddress(server.uri().toString()).setClientName("orders");
            RedissonClient redisson = Redisson.create(config);
            redisson.getLock("order:42").lock();
            redisson.shutdown();
        }

        @Test
        void leavesNone(Minilockd server) {
            server.execute("PING");
        }
    }

    @Test
    void itsMessageNamesOwnerAgeAndConnection() {
        Events tests = EngineTestKit.engine("junit-jupiter").selectors(selectClass(Leaks.class)).execute().testEvents();
        tests.assertStatistics(counts -> counts.succeeded(1).failed(1));
        Throwable failure = tests.failed().stream().findFirst().orElseThrow()
                .getRequiredPayload(TestExecutionResult.class).getThrowable().orElseThrow();
        assertTrue(
                failure.getMessage().matches(
                        "(?s)a lock of minilockd on 127.0.0.1:[0-9]+ is still held at the end of the test:\\s+\"order:42\" \\(lock\\) is held by"
                                + " [-0-9a-f]{36}:[0-9]+ since [0-9:.]+ \\(for [0-9.]+ s\\), which took it by"
                                + " connection [0-9]+ \\(127.0.0.1:[0-9]+, name orders[^)]*\\), [0-9.]+ s left"),
                failure::getMessage);
        assertTrue(failure.getSuppressed()[0].getMessage().contains("EVAL"), failure.getSuppressed()[0]::getMessage);
    }
}
