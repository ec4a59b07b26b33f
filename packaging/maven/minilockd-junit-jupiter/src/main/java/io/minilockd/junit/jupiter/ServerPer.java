package io.minilockd.junit.jupiter;

/** How many tests a server serves. */
public enum ServerPer {
    /**
     * The tests of a class share a server, which is reset before each. Those that JUnit runs at the
     * same time wait for each other.
     */
    CLASS,
    /** Each test has a server of its own. They may run at the same time. */
    METHOD
}
