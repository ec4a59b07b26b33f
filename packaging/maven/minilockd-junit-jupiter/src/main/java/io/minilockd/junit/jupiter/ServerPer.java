package io.minilockd.junit.jupiter;

/** How many tests a server serves. */
public enum ServerPer {
    /**
     * The tests of a class share a server, which is reset before each. They must not run at the
     * same time.
     */
    CLASS,
    /** Each test has a server of its own. They may run at the same time. */
    METHOD
}
