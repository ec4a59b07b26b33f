package io.minilockd.compat.support;

import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;

/** Waits for a state of a server. */
public final class Eventually {
    private Eventually() {}

    /** Waits until a condition is true, up to {@link Worker#TIMEOUT_SECONDS}. */
    public static void until(String what, Callable<Boolean> condition) throws Exception {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(Worker.TIMEOUT_SECONDS);
        while (!condition.call()) {
            if (System.nanoTime() > deadline) {
                throw new AssertionError("never happened: " + what);
            }
            Thread.sleep(5);
        }
    }
}
