package io.minilockd.compat.support;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;
import org.redisson.api.RBucket;
import org.redisson.client.codec.LongCodec;

/** Runs many threads of several instances at once. */
public final class Race {
    /** Threads of each instance. */
    public static final int THREADS = 32;

    /** How long a race may take; on an idle machine it takes seconds. */
    private static final long LIMIT_SECONDS = 75;

    private Race() {}

    /**
     * Runs a step {@code rounds} times in each of {@link #THREADS} threads of each instance; throws the first failure.
     */
    public static void run(List<Instance> instances, int rounds, Function<Instance, Worker.Step> steps)
            throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(THREADS * instances.size());
        CountDownLatch go = new CountDownLatch(1);
        try {
            List<Future<?>> runners = new ArrayList<>();
            for (int i = 0; i < THREADS * instances.size(); i++) {
                Worker.Step step = steps.apply(instances.get(i % instances.size()));
                runners.add(threads.submit(() -> runRounds(go, rounds, step)));
            }
            go.countDown();
            for (Future<?> runner : runners) {
                Worker.result(runner, LIMIT_SECONDS);
            }
        } finally {
            threads.shutdownNow();
        }
    }

    /**
     * Increments a counter by a read and a write, which needs mutual exclusion, and expects that no increment is lost.
     *
     * @param locking acquires the lock and returns how to release it
     */
    public static void count(List<Instance> instances, String counter, int rounds, Function<Instance, Acquire> locking)
            throws Exception {
        bucket(instances.get(0), counter).set(0L);
        run(instances, rounds, instance -> {
            RBucket<Long> bucket = bucket(instance, counter);
            Acquire lock = locking.apply(instance);
            return () -> {
                Worker.Step release = lock.acquire();
                try {
                    bucket.set(bucket.get() + 1);
                } finally {
                    release.run();
                }
            };
        });
        assertEquals((long) rounds * THREADS * instances.size(), bucket(instances.get(0), counter).get(), "increments");
    }

    /** Acquires a lock and returns how to release it. */
    public interface Acquire {
        Worker.Step acquire() throws Exception;
    }

    private static Void runRounds(CountDownLatch go, int rounds, Worker.Step step) throws Exception {
        go.await();
        for (int i = 0; i < rounds; i++) {
            step.run();
        }
        return null;
    }

    private static RBucket<Long> bucket(Instance instance, String name) {
        return instance.client().getBucket(name, LongCodec.INSTANCE);
    }
}
