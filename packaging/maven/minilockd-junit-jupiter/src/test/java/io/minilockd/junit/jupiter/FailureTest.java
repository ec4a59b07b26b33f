package io.minilockd.junit.jupiter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import io.minilockd.Minilockd;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.Events;

/** What happens when a test fails: the classes within are run by this test. */
class FailureTest {
    @MinilockdServer(failOnHeldLocks = true)
    static class Leaks {
        @Test
        void leavesALockHeld(Minilockd server) throws IOException {
            takeByClient(server, "order:42");
        }

        @Test
        void leavesNone(Minilockd server) throws IOException {
            takeByClient(server, "order:43");
            server.execute("DEL", "order:43");
        }

        private static void takeByClient(Minilockd server, String name) throws IOException {
            try (Socket client = new Socket(server.host(), server.port())) {
                String line = "SET " + name + " 5c0cb5a3-2f6b:37 NX PX 30000\r\n";
                client.getOutputStream().write(line.getBytes(StandardCharsets.UTF_8));
                client.getInputStream().read();
            }
        }
    }

    @ExtendWith(MinilockdExtension.class)
    static class Fails {
        @Test
        void fails(Minilockd server) {
            server.execute("SET", "lock", "5c0cb5a3-2f6b:37", "NX", "PX", 30_000);
            fail("expected");
        }

        @Test
        void isAborted(Minilockd server) {
            server.execute("PING");
            Assumptions.abort();
        }
    }

    @MinilockdServer
    static class Concurrent {
        @Test
        void one() {}

        @Test
        void other() {}
    }

    @MinilockdServer(per = ServerPer.METHOD)
    static class ConcurrentWithServers {
        @Test
        void one(Minilockd server) {
            server.execute("PING");
        }

        @Test
        void other(Minilockd server) {
            server.execute("PING");
        }
    }

    @Test
    void aTestThatLeavesALockHeldFails() {
        Events tests = run(Leaks.class, Map.of());
        tests.assertStatistics(counts -> counts.succeeded(1).failed(1));
        String message = failure(tests).getMessage();
        assertTrue(
                message.matches(
                        "(?s)a lock is still held at the end of the test:.*\"order:42\" \\(token\\) is held by"
                                + " 5c0cb5a3-2f6b:37 since [0-9:.]+ \\(for [0-9.]+ s\\), which took it by"
                                + " connection [0-9]+ \\(127.0.0.1:[0-9]+\\), [0-9.]+ s left"),
                message);
    }

    @Test
    void aFailedTestShowsLocksAndCommands() {
        PrintStream original = System.err;
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        System.setErr(new PrintStream(printed, true, StandardCharsets.UTF_8));
        try {
            Events tests = run(Fails.class, Map.of());
            tests.assertStatistics(counts -> counts.failed(1).aborted(1));
            String report = failure(tests).getSuppressed()[0].toString();
            assertEquals(report + System.lineSeparator(), printed.toString(StandardCharsets.UTF_8));
            assertTrue(report.contains("\"lock\" (token) is held by 5c0cb5a3-2f6b:37"), report);
            assertTrue(report.contains("SET lock 5c0cb5a3-2f6b:37 NX PX 30000"), report);
        } finally {
            System.setErr(original);
        }
    }

    @Test
    void testsThatRunAtTheSameTimeCannotShareAServer() {
        Events tests = run(Concurrent.class, parallel());
        tests.assertStatistics(counts -> counts.failed(2));
        assertTrue(
                failure(tests).getMessage().contains("ServerPer.METHOD"),
                failure(tests)::getMessage);
    }

    @Test
    void testsThatRunAtTheSameTimeMayHaveServersOfTheirOwn() {
        run(ConcurrentWithServers.class, parallel())
                .assertStatistics(counts -> counts.succeeded(2));
    }

    private static Map<String, String> parallel() {
        return Map.of(
                "junit.jupiter.execution.parallel.enabled", "true",
                "junit.jupiter.execution.parallel.mode.default", "concurrent");
    }

    private static Events run(Class<?> tests, Map<String, String> configuration) {
        return EngineTestKit.engine("junit-jupiter")
                .configurationParameters(configuration)
                .selectors(selectClass(tests))
                .execute()
                .testEvents();
    }

    private static Throwable failure(Events tests) {
        List<Throwable> failures =
                tests.failed().stream()
                        .map(event -> event.getRequiredPayload(TestExecutionResult.class))
                        .map(result -> result.getThrowable().orElseThrow())
                        .toList();
        return failures.get(0);
    }
}
