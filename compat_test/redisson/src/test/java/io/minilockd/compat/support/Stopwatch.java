package io.minilockd.compat.support;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.TimeUnit;

/** Checks that at least some time has passed. A busy machine would miss any upper bound. */
public final class Stopwatch {
    /** Redisson and servers use milliseconds of another clock. */
    private static final long ROUNDING_MILLIS = 10;

    private final long start = System.nanoTime();

    public void assertAtLeast(long millis) {
        long passed = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
        assertTrue(passed >= millis - ROUNDING_MILLIS, () -> "only " + passed + " ms have passed, not " + millis);
    }
}
