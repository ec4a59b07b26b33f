package orders;

import io.minilockd.Minilockd;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.Collections;

/** Prints how long servers take: {@code mvn test-compile exec:java} with the properties of the pom. */
public final class Bench {
    private Bench() {}

    public static void main(String[] args) throws Exception {
        System.out.printf("the first start in this JVM: %.0f ms%n", millis(Bench::startAndPing));
        double[] starts = new double[30];
        for (int i = 0; i < starts.length; i++) {
            starts[i] = millis(Bench::startAndPing);
        }
        Arrays.sort(starts);
        System.out.printf("start, first PING and close, median of 30: %.1f ms%n", starts[starts.length / 2]);
        System.out.printf("200 servers in a row: %.2f s%n", millis(Bench::startInARow) / 1000);
        System.out.printf("50 servers in parallel: %.2f s%n", millis(Bench::startInParallel) / 1000);
        System.out.printf("a lease of 30 s lapses in %.2f ms%n", lapse());
        System.exit(0);
    }

    private static double millis(Callable<?> call) throws Exception {
        long start = System.nanoTime();
        call.call();
        return (System.nanoTime() - start) / 1e6;
    }

    private static Object startAndPing() {
        try (Minilockd server = Minilockd.start()) {
            return server.execute("PING");
        }
    }

    private static Object startInARow() {
        for (int i = 0; i < 200; i++) {
            Minilockd.start().close();
        }
        return null;
    }

    private static Object startInParallel() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(50);
        Callable<Minilockd> start = Minilockd::start;
        List<Future<Minilockd>> servers = threads.invokeAll(Collections.nCopies(50, start));
        for (Future<Minilockd> server : servers) {
            server.get().close();
        }
        threads.shutdown();
        return null;
    }

    private static double lapse() throws Exception {
        try (Minilockd server = Minilockd.start()) {
            server.execute("SET", "lock", "me", "NX", "PX", 30_000);
            return millis(() -> server.clock().advance(Duration.ofSeconds(30)));
        }
    }
}
