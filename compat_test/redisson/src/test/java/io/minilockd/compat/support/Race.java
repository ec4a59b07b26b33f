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

/** Many threads of several parties at once. */
public final class Race {
    /** Threads of each party. */
    public static final int THREADS = 32;

    /** How long a race may take: on an idle machine it is over in seconds. */
    private static final long LIMIT_SECONDS = 75;

    private Race() {}

    /** Lets {@link #THREADS} threads of each party run their lap {@code laps} times; the first failure is thrown. */
    public static void run(List<Party> parties, int laps, Function<Party, Worker.Step> lap) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(THREADS * parties.size());
        CountDownLatch go = new CountDownLatch(1);
        try {
            List<Future<?>> runners = new ArrayList<>();
            for (int i = 0; i < THREADS * parties.size(); i++) {
                Worker.Step step = lap.apply(parties.get(i % parties.size()));
                runners.add(threads.submit(() -> runLaps(go, laps, step)));
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
     * Counts up a number that lives in a bucket by reading and writing it, which only mutual exclusion makes safe, and
     * expects that no step is lost.
     *
     * @param enter enters the critical section and returns how to leave it
     */
    public static void count(List<Party> parties, String counter, int laps, Function<Party, Entrance> enter) throws Exception {
        bucket(parties.get(0), counter).set(0L);
        run(parties, laps, party -> {
            RBucket<Long> bucket = bucket(party, counter);
            Entrance entrance = enter.apply(party);
            return () -> {
                Worker.Step leave = entrance.enter();
                try {
                    bucket.set(bucket.get() + 1);
                } finally {
                    leave.run();
                }
            };
        });
        assertEquals((long) laps * THREADS * parties.size(), bucket(parties.get(0), counter).get(), "no step is lost");
    }

    /** The way into a critical section. */
    public interface Entrance {
        Worker.Step enter() throws Exception;
    }

    private static Void runLaps(CountDownLatch go, int laps, Worker.Step step) throws Exception {
        go.await();
        for (int i = 0; i < laps; i++) {
            step.run();
        }
        return null;
    }

    private static RBucket<Long> bucket(Party party, String name) {
        return party.client().getBucket(name, LongCodec.INSTANCE);
    }
}
