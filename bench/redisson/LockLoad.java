import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.redisson.Redisson;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/**
 * Locks and unlocks from 8 threads. Each line of the input is a run: an address, the number of locks that the threads share
 * (0: each has its own) and the milliseconds to go on for. Each line of the output is its result: lock and unlock calls,
 * nanoseconds that passed, nanoseconds of CPU time that this process used.
 */
public final class LockLoad {
    private static final int THREADS = 8;

    private final Map<String, RedissonClient> clients = new HashMap<>();
    private final ExecutorService pool = Executors.newFixedThreadPool(THREADS);

    public static void main(String[] args) throws Exception {
        LockLoad load = new LockLoad();
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            String[] words = line.split(" ");
            System.out.println(load.run(words[0], Integer.parseInt(words[1]), Long.parseLong(words[2])));
        }
        System.exit(0);
    }

    private String run(String address, int shared, long millis) throws Exception {
        RedissonClient client = clients.computeIfAbsent(address, LockLoad::connect);
        long cpu = cpuNanos();
        long start = System.nanoTime();
        long deadline = start + millis * 1_000_000;
        List<Callable<Long>> threads = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            RLock lock = client.getLock("bench:redisson:" + (shared > 0 ? "shared:" + i % shared : "own:" + i));
            threads.add(() -> lockUntil(lock, deadline));
        }
        long calls = 0;
        for (Future<Long> result : pool.invokeAll(threads)) {
            calls += result.get();
        }
        return calls + " " + (System.nanoTime() - start) + " " + (cpuNanos() - cpu);
    }

    private static long lockUntil(RLock lock, long deadline) {
        long calls = 0;
        while (System.nanoTime() < deadline) {
            lock.lock();
            lock.unlock();
            calls += 2;
        }
        return calls;
    }

    private static RedissonClient connect(String address) {
        Config config = new Config();
        config.useSingleServer().setAddress(address);
        return Redisson.create(config);
    }

    private static long cpuNanos() {
        return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getProcessCpuTime();
    }
}
