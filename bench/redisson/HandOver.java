import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.util.HashMap;
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
 * Two clients hand a lock over to each other. Each line of the input is a run: an address, the name of the lock, and the
 * microseconds for which it is held each time. Each line of the output is its result: nanoseconds of CPU time that this
 * process used, then for each hand-over the nanoseconds from before the unlock to the end of the other's lock.
 */
public final class HandOver {
    private final Map<String, RedissonClient[]> clients = new HashMap<>();
    private final ExecutorService[] threads = {Executors.newSingleThreadExecutor(), Executors.newSingleThreadExecutor()};

    public static void main(String[] args) throws Exception {
        HandOver load = new HandOver();
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            System.out.println(load.run(line.split(" ")));
        }
        System.exit(0);
    }

    private String run(String[] words) throws Exception {
        RedissonClient[] two = clients.computeIfAbsent(words[0], HandOver::connect);
        RLock[] locks = {two[0].getLock(words[1]), two[1].getLock(words[1])};
        long cpu = cpuNanos();
        StringBuilder times = new StringBuilder();
        threads[0].submit((Runnable) locks[0]::lock).get();
        for (int i = 2; i < words.length; i++) {
            int from = i % 2;
            int to = 1 - from;
            Future<Long> got = threads[to].submit(() -> {
                locks[to].lock();
                return System.nanoTime();
            });
            Thread.sleep(Long.parseLong(words[i]) / 1000);
            Future<Long> gave = threads[from].submit(() -> release(locks[from]));
            times.append(' ').append(got.get() - gave.get());
        }
        int last = words.length % 2;
        threads[last].submit((Runnable) locks[last]::unlock).get();
        return (cpuNanos() - cpu) + times.toString();
    }

    /** Unlocks, and tells when that began. */
    private static long release(RLock lock) {
        long start = System.nanoTime();
        lock.unlock();
        return start;
    }

    private static RedissonClient[] connect(String address) {
        Config config = new Config();
        config.useSingleServer().setAddress(address);
        return new RedissonClient[] {Redisson.create(config), Redisson.create(config)};
    }

    private static long cpuNanos() {
        return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getProcessCpuTime();
    }
}
