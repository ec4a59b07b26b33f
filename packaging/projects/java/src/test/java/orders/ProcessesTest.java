package orders;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.minilockd.Minilockd;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Many servers, and what is left of them: no process, no file. */
class ProcessesTest {
    private static void awaitEnd(long pid) throws Exception {
        ProcessHandle process = ProcessHandle.of(pid).orElse(null);
        if (process != null) {
            process.onExit().get(30, TimeUnit.SECONDS); // at the latest
        }
    }

    @Test
    void manyServersInARow() {
        for (int i = 0; i < 50; i++) {
            try (Minilockd server = Minilockd.start()) {
                assertEquals("PONG", server.execute("PING"));
            }
        }
    }

    @Test
    void fiftyServersInParallelHavePortsOfTheirOwn() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(50);
        Set<Minilockd> servers = ConcurrentHashMap.newKeySet();
        try {
            List<Future<?>> starts = IntStream.range(0, 50)
                    .<Future<?>>mapToObj(i -> threads.submit(() -> servers.add(Minilockd.start()))).toList();
            for (Future<?> start : starts) {
                start.get();
            }
            assertEquals(50, servers.stream().map(Minilockd::port).distinct().count());
            for (Minilockd server : servers) {
                assertEquals(1L, server.execute("INCR", "counter"));
            }
        } finally {
            servers.forEach(Minilockd::close);
            threads.shutdown();
        }
    }

    /** A JVM of its own, with a cache and a temporary folder of its own, which prints the ids of two servers and waits. */
    private static Process startJvm(Path temporary, Path cache) throws IOException {
        ProcessBuilder jvm = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Djava.io.tmpdir=" + temporary,
                "-XX:-UsePerfData", // else the JVM leaves a file when it is killed
                "-cp", System.getProperty("java.class.path"),
                "orders.Waits");
        jvm.environment().putAll(Map.of("XDG_CACHE_HOME", cache.toString(), "TMPDIR", temporary.toString()));
        jvm.environment().remove("MINILOCKD_BINARY");
        return jvm.redirectError(ProcessBuilder.Redirect.INHERIT).start();
    }

    private static List<Path> files(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(Files::isRegularFile).toList();
        }
    }

    @Test
    void serversEndWithAJvmThatIsKilled(@TempDir Path temporary, @TempDir Path cache) throws Exception {
        Process jvm = startJvm(temporary, cache);
        BufferedReader output = jvm.inputReader();
        List<Long> servers = List.of(Long.valueOf(output.readLine()), Long.valueOf(output.readLine()));
        List<ProcessHandle> others = jvm.descendants().filter(child -> !servers.contains(child.pid())).toList();
        assertEquals(1, others.size(), "programs that the JVM has started after the first server");
        jvm.destroyForcibly();
        for (long server : servers) {
            awaitEnd(server);
        }
        assertTrue(others.get(0).isAlive()); // and does not hold the pipe of a server open
        others.forEach(ProcessHandle::destroyForcibly);
        assertEquals(List.of(), files(temporary));
        assertEquals(1, files(cache).size());
    }

    @Test
    void serversEndWithAJvmThatEnds(@TempDir Path temporary, @TempDir Path folder) throws Exception {
        Path noCache = Files.createFile(folder.resolve("file")); // so that the binary goes to the temporary folder
        Process jvm = startJvm(temporary, noCache);
        BufferedReader output = jvm.inputReader();
        List<Long> servers = List.of(Long.valueOf(output.readLine()), Long.valueOf(output.readLine()));
        assertEquals(1, files(temporary).size());
        jvm.getOutputStream().close(); // which it waits for
        for (long server : servers) {
            awaitEnd(server);
        }
        assertTrue(jvm.waitFor(30, TimeUnit.SECONDS));
        assertEquals(0, jvm.exitValue());
        assertEquals(List.of(), files(temporary));
    }
}
