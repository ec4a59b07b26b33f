package io.minilockd;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** The end of the time that a server has for its start. */
final class Deadline {
    private final Duration timeout;
    private final long begin = System.nanoTime();

    private Deadline(Duration timeout) {
        this.timeout = timeout;
    }

    static Deadline in(Duration timeout) {
        return new Deadline(timeout);
    }

    /**
     * Returns how long to wait at most: 1 if the time is over, since sockets take 0 as for ever.
     */
    int millisLeft() {
        long past = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin);
        return (int) Math.min(Math.max(1, timeout.toMillis() - past), Integer.MAX_VALUE);
    }

    /** Returns the whole time. */
    @Override
    public String toString() {
        return Texts.duration(timeout);
    }
}
