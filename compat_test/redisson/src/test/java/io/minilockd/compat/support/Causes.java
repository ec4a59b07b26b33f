package io.minilockd.compat.support;

import static org.junit.jupiter.api.Assertions.assertThrows;

/** Failures by their first cause: what Redisson wraps around it differs from version to version, and from lock to lock. */
public final class Causes {
    private Causes() {}

    /** Expects a failure, and returns what caused it in the first place. */
    public static Throwable ofFailure(Worker.Step step) {
        Throwable cause = assertThrows(Exception.class, step::run);
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause;
    }
}
