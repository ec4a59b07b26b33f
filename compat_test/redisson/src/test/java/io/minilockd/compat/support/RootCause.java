package io.minilockd.compat.support;

import static org.junit.jupiter.api.Assertions.assertThrows;

/** Finds the first cause of a failure: the exceptions that Redisson wraps around it differ between versions. */
public final class RootCause {
    private RootCause() {}

    /** Expects a failure, and returns its first cause. */
    public static Throwable ofFailure(Worker.Step step) {
        Throwable cause = assertThrows(Exception.class, step::run);
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause;
    }
}
