package io.minilockd;

import java.time.Duration;

/** Durations as the server takes them. */
final class Millis {
    private static final int NANOS = 1_000_000;

    private Millis() {}

    /**
     * Returns a duration in milliseconds. A part of one counts as a whole one, so that no wait is
     * too short.
     */
    static long roundUp(Duration duration) {
        return duration.plusNanos(NANOS - 1).toMillis();
    }
}
