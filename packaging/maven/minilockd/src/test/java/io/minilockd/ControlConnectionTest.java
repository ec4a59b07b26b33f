package io.minilockd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Nothing that a test does to its clients hits the connection that controls the server. */
class ControlConnectionTest {
    @TempDir private Path folder;

    @Test
    void noFaultNoPartitionAndNoPauseHitsIt() {
        try (Minilockd server = Minilockd.start()) {
            Object id = server.execute("CLIENT", "ID");
            Fault hang = server.faults().add("COMMAND get THEN HANG");
            server.faults().add("THEN LOSEREPLY");
            server.execute("CLIENT", "PAUSE", 1_000_000);
            server.faults().partition();
            assertEquals("OK", server.execute("SET", "key", 1));
            assertEquals("1", server.execute("GET", "key"));
            assertEquals(0, hang.matches());
            server.faults().heal();
            server.faults().clear();
            assertEquals(id, server.execute("CLIENT", "ID"));
        }
    }

    @Test
    void itIsExemptWhenItIsOpenedAgain() {
        try (Minilockd server = Minilockd.start()) {
            Object id = server.execute("CLIENT", "ID");
            server.faults().add("THEN CLOSE");
            kill(server);
            assertThrows(MinilockdException.class, () -> server.execute("PING"));
            assertTrue((Long) server.execute("CLIENT", "ID") > (Long) id);
        }
    }

    private static void kill(Minilockd server) {
        server.execute("CLIENT", "KILL", "ID", server.execute("CLIENT", "ID"), "SKIPME", "no");
    }

    @Test
    void aFileOfFaultsCanRefuseIt() throws IOException {
        MinilockdBuilder builder = builderWith("CONNECT NTH 1 THEN REFUSE");
        MinilockdException error = assertThrows(MinilockdException.class, builder::start);
        assertTrue(error.getMessage().contains("a rule of the file of faults"), error.getMessage());
        try (Minilockd server = builderWith("CONNECT NTH 2 THEN REFUSE").start();
                RawClient client = new RawClient(server)) {
            assertThrows(IOException.class, () -> client.call("PING"));
        }
    }

    @Test
    void aFileOfFaultsCanKeepItFromAnAnswer() throws IOException {
        Path faults = Files.writeString(folder.resolve("faults"), "CONNECT THEN STOPREADING");
        List<String> arguments =
                List.of(
                        "--addr",
                        "127.0.0.1:0",
                        "--ready-json",
                        "--exit-with-stdin",
                        "--faults",
                        faults.toString());
        Deadline start = Deadline.in(Duration.ofMinutes(1));
        Deadline isOver = Deadline.in(Duration.ofMillis(1));
        try (ServerProcess process = new ServerProcess(Binary.find(null), arguments, start)) {
            MinilockdException error =
                    assertThrows(
                            MinilockdException.class,
                            () -> new ControlConnection(process, "", isOver));
            assertTrue(
                    error.getMessage().contains("nothing was answered within 0.001 s"),
                    error.getMessage());
            assertTrue(
                    error.getMessage().contains("a rule of the file of faults may concern it"),
                    error.getMessage());
        }
    }

    private MinilockdBuilder builderWith(String rule) throws IOException {
        return Minilockd.builder().faults(Files.writeString(folder.resolve("faults"), rule));
    }

    @Test
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void closeEndsACallThatWaits() throws InterruptedException {
        ExecutorService thread = Executors.newSingleThreadExecutor();
        Minilockd server = Minilockd.start();
        Future<?> call = thread.submit(() -> server.execute("BLPOP", "queue", 0));
        awaitBlockedClient(server);
        server.close();
        ExecutionException error = assertThrows(ExecutionException.class, call::get);
        assertEquals(server + " was closed by close()", error.getCause().getMessage());
        thread.shutdown();
    }

    private static void awaitBlockedClient(Minilockd server) {
        try (RawClient client = new RawClient(server)) {
            while (!client.call("INFO", "clients").toString().contains("blocked_clients:1")) {
                Thread.onSpinWait();
            }
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
