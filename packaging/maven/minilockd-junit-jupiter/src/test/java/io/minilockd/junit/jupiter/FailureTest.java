package io.minilockd.junit.jupiter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
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
        void isAborted(Minilockd server) throws IOException {
            takeByClient(server, "order:44");
            Assumptions.abort();
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

    @MinilockdServer(failOnHeldLocks = true, heldLocks = "stock:*")
    static class LeaksWhatDoesNotCount {
        @Test
        void leavesALockHeld(Minilockd server) throws IOException {
            Leaks.takeByClient(server, "order:42");
        }

        @Test
        void leavesOneThatCounts(Minilockd server) throws IOException {
            Leaks.takeByClient(server, "stock:42");
        }
    }

    @MinilockdServer
    static class ClosesItsServer {
        @Test
        void closes(Minilockd server) {
            server.close();
        }

        @Test
        void closesToo(Minilockd server) {
            server.close();
        }
    }

    @ExtendWith(MinilockdExtension.class)
    static class Fails {
        private static String address;

        @Test
        void fails(Minilockd server) throws IOException {
            address = server.toString();
            Leaks.takeByClient(server, "lock");
            server.execute("ECHO", "of the test");
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
        void one(Minilockd server) {
            useAlone(server);
        }

        @Test
        void other(Minilockd server) {
            useAlone(server);
        }

        private static void useAlone(Minilockd server) {
            for (long i = 1; i <= 100; i++) {
                assertEquals(i, server.execute("INCR", "counter"));
            }
        }
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
        tests.assertStatistics(counts -> counts.succeeded(1).failed(1).aborted(1));
        String message = failure(tests).getMessage();
        assertTrue(
                message.matches(
                        "(?s)a lock of minilockd on 127.0.0.1:[0-9]+ is still held at the end of the test:.*\"order:42\" \\(token\\) is held by"
                                + " 5c0cb5a3-2f6b:37 since [0-9:.]+ \\(for [0-9.]+ s\\), which took it by"
                                + " connection [0-9]+ \\(127.0.0.1:[0-9]+\\), [0-9.]+ s left"),
                message);
    }

    @Test
    void onlyLocksThatFitThePatternCount() {
        Events tests = run(LeaksWhatDoesNotCount.class, Map.of());
        tests.assertStatistics(counts -> counts.succeeded(1).failed(1));
        assertTrue(
                failure(tests).getMessage().contains("\"stock:42\""), failure(tests)::getMessage);
    }

    @Test
    void aServerThatATestHasClosedIsAnErrorOfTheNext() {
        Events tests = run(ClosesItsServer.class, Map.of());
        tests.assertStatistics(counts -> counts.succeeded(1).failed(1));
        assertTrue(
                failure(tests).getMessage().endsWith(" was closed by close()"),
                failure(tests)::getMessage);
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
            assertTrue(
                    report.startsWith(
                            "Fails > fails(Minilockd):\nlocks of " + Fails.address + ":\n"),
                    report);
            assertTrue(report.contains("\"lock\" (token) is held by 5c0cb5a3-2f6b:37"), report);
            assertTrue(report.contains("SET lock 5c0cb5a3-2f6b:37 NX PX 30000"), report);
            assertFalse(report.contains("ECHO"), report);
        } finally {
            System.setErr(original);
        }
    }

    @Test
    void testsThatShareAServerWaitForEachOther() {
        run(Concurrent.class, parallel()).assertStatistics(counts -> counts.succeeded(2));
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
