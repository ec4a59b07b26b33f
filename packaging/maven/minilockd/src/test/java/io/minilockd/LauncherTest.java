package io.minilockd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class LauncherTest {
    @TempDir private Path folder;

    @Test
    void allOptionsAreGivenToTheServer() throws IOException {
        Path stock = Files.writeString(folder.resolve("stock"), "SET stock 3");
        Path orders = Files.writeString(folder.resolve("orders"), "SET orders 4");
        Path faults = Files.writeString(folder.resolve("faults"), "COMMAND get NTH 100 THEN CLOSE");
        MinilockdBuilder builder =
                Minilockd.builder()
                        .emulate("valkey-9.1")
                        .password("a b+/\u00e4")
                        .databases(2)
                        .lockHistory(10)
                        .load(stock)
                        .load(orders)
                        .faults(faults)
                        .config("maxmemory", "100mb")
                        .args("--notify-keyspace-events", "KEA");
        try (Minilockd server = builder.start()) {
            assertEquals(
                    "redis://:a%20b%2B%2F%C3%A4@127.0.0.1:" + server.port(),
                    server.uri().toString());
            assertEquals("[3, 4]", server.execute("MGET", "stock", "orders").toString());
            assertEquals(1, server.faults().list().size());
            assertEquals(
                    "{maxmemory=104857600}",
                    server.execute("CONFIG", "GET", "maxmemory").toString());
            assertEquals(
                    "{emulate=valkey-9.1}", server.execute("CONFIG", "GET", "emulate").toString());
            assertEquals("{databases=2}", server.execute("CONFIG", "GET", "databases").toString());
            assertEquals(List.of(), server.locks().history("none"));
            assertTrue(
                    server.execute("CONFIG", "GET", "notify-keyspace-events")
                            .toString()
                            .contains("A"));
        }
    }

    @Test
    void aServerTellsAboutItself() {
        try (Minilockd server = Minilockd.start()) {
            assertEquals("redis://127.0.0.1:" + server.port(), server.uri().toString());
            assertEquals("minilockd on 127.0.0.1:" + server.port(), server.toString());
            assertTrue(server.redisVersion().startsWith("8.2."));
            assertFalse(server.version().isEmpty());
            assertEquals("", server.password());
        }
    }

    @Test
    void aPortThatIsTakenIsAnErrorWithTheLastLines() throws IOException {
        try (ServerSocket taken = new ServerSocket(0)) {
            MinilockdBuilder builder = Minilockd.builder().port(taken.getLocalPort());
            MinilockdException error = assertThrows(MinilockdException.class, builder::start);
            assertTrue(
                    error.getMessage().startsWith("minilockd does not start: exit status "),
                    error.getMessage());
            assertTrue(error.getMessage().contains("in use"), error.getMessage());
        }
    }

    @Test
    void anUnknownOptionIsAnErrorWithTheLastLines() {
        MinilockdBuilder builder = Minilockd.builder().config("no-such-option", "1");
        MinilockdException error = assertThrows(MinilockdException.class, builder::start);
        assertTrue(error.getMessage().contains("no-such-option"), error.getMessage());
    }

    @Test
    void aBinaryThatIsMissingIsAnError() {
        MinilockdBuilder builder = Minilockd.builder().binary(folder.resolve("none"));
        MinilockdException error = assertThrows(MinilockdException.class, builder::start);
        assertTrue(
                error.getMessage().startsWith("minilockd cannot be started: "), error.getMessage());
        assertTrue(error.getMessage().endsWith("is that of the option binary"), error.getMessage());
    }

    @Test
    @DisabledOnOs(OS.WINDOWS)
    void aBinaryThatDoesNotAnswerIsAnErrorAfterTheTimeout() {
        MinilockdBuilder builder =
                Minilockd.builder()
                        .binary(Path.of("/usr/bin/tail"))
                        .startTimeout(Duration.ofMillis(1));
        MinilockdException error = assertThrows(MinilockdException.class, builder::start);
        assertTrue(error.getMessage().startsWith("minilockd "), error.getMessage());
    }

    @Test
    void aServerThatHasCrashedIsAnErrorAtTheNextCall() {
        try (Minilockd server = Minilockd.builder().args("--log-level", "debug").start()) {
            ProcessHandle.of(server.pid()).orElseThrow().destroyForcibly();
            MinilockdException error = assertThrows(MinilockdException.class, server::dump);
            assertTrue(
                    error.getMessage().startsWith("minilockd has ended: exit status "),
                    error.getMessage());
            assertTrue(
                    error.getMessage().contains("Ready to accept connections"), error.getMessage());
            assertThrows(MinilockdException.class, server::dump);
        }
    }

    @Test
    void aClosedServerIsAnErrorAtTheNextCall() {
        Minilockd server = Minilockd.start();
        server.close();
        MinilockdException error = assertThrows(MinilockdException.class, server::dump);
        assertEquals(server + " was closed by close()", error.getMessage());
    }

    @Test
    void aServerThatHasEndedDoesNotControlALaterOneOnItsPort() {
        try (Minilockd ended = Minilockd.start()) {
            ProcessHandle.of(ended.pid()).orElseThrow().destroyForcibly();
            assertThrows(MinilockdException.class, ended::dump);
            try (Minilockd later = Minilockd.builder().port(ended.port()).start()) {
                MinilockdException error =
                        assertThrows(
                                MinilockdException.class, () -> ended.execute("SET", "key", 1));
                assertTrue(
                        error.getMessage().startsWith("minilockd has ended: "), error.getMessage());
                assertEquals(0L, later.execute("DBSIZE"));
            }
        }
    }

    @Test
    void aServerThatWasClosedDoesNotControlALaterOneOnItsPort() {
        Minilockd closed = Minilockd.start();
        closed.close();
        try (Minilockd later = Minilockd.builder().port(closed.port()).start()) {
            MinilockdException error =
                    assertThrows(MinilockdException.class, () -> closed.execute("SET", "key", 1));
            assertEquals(closed + " was closed by close()", error.getMessage());
            assertEquals(0L, later.execute("DBSIZE"));
        }
    }

    @Test
    void theParameterRequirepassIsThePassword() {
        try (Minilockd server = Minilockd.builder().config("requirepass secret").start()) {
            assertEquals("secret", server.password());
            assertEquals("PONG", server.execute("PING"));
        }
    }

    @Test
    void aPasswordThatIsNotKnownIsAnErrorOfTheStart() {
        MinilockdBuilder builder = Minilockd.builder().args("--requirepass", "secret");
        MinilockdException error = assertThrows(MinilockdException.class, builder::start);
        assertTrue(
                error.getMessage().startsWith("minilockd has started, but its first connection"),
                error.getMessage());
        assertTrue(error.getMessage().contains("NOAUTH"), error.getMessage());
    }

    @Test
    void optionsThatCannotBeAreErrors() {
        MinilockdBuilder builder = Minilockd.builder();
        for (String line : List.of("port 1234", "bind 0.0.0.0", "maxmemory", "")) {
            assertThrows(IllegalArgumentException.class, () -> builder.config(line), line);
        }
        assertThrows(IllegalArgumentException.class, () -> builder.databases(-1));
        assertThrows(IllegalArgumentException.class, () -> builder.lockHistory(-1));
        assertEquals(
                "password",
                assertThrows(NullPointerException.class, () -> builder.password(null))
                        .getMessage());
    }

    @Test
    void threadsShareTheControlConnection() throws InterruptedException, ExecutionException {
        ExecutorService threads = Executors.newFixedThreadPool(8);
        try (Minilockd server = Minilockd.start()) {
            List<Future<?>> calls =
                    IntStream.range(0, 8)
                            .<Future<?>>mapToObj(i -> threads.submit(() -> count(server, i)))
                            .toList();
            for (Future<?> call : calls) {
                call.get();
            }
        } finally {
            threads.shutdown();
        }
    }

    private static void count(Minilockd server, int thread) {
        for (long i = 1; i <= 200; i++) {
            assertEquals(i, server.execute("INCR", "counter:" + thread));
            assertEquals("echo " + i, server.execute("ECHO", "echo " + i));
        }
    }
}
