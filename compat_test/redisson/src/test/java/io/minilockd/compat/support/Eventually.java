package io.minilockd.compat.support;

import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;

/** Waiting for a state that a server reaches by itself. */
public final class Eventually {
    private Eventually() {}

    /** Asks until the answer is yes; gives up after {@link Worker#PATIENCE_SECONDS}. */
    public static void until(String what, Callable<Boolean> question) throws Exception {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(Worker.PATIENCE_SECONDS);
        while (!question.call()) {
            if (System.nanoTime() > deadline) {
                throw new AssertionError("never happened: " + what);
            }
            Thread.sleep(5);
        }
    }
}
