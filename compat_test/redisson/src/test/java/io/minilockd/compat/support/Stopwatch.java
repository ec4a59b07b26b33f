package io.minilockd.compat.support;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.TimeUnit;

/** Lower bounds of time. Upper bounds are left to {@link Worker#PATIENCE_SECONDS}: a busy machine misses any closer one. */
public final class Stopwatch {
    /** Redisson and servers count in whole milliseconds of another clock. */
    private static final long ROUNDING_MILLIS = 10;

    private final long start = System.nanoTime();

    public void assertAtLeast(long millis) {
        long passed = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
        assertTrue(passed >= millis - ROUNDING_MILLIS, () -> "only " + passed + " ms have passed, not " + millis);
    }
}
