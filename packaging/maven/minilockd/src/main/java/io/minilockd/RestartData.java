package io.minilockd;

/** What {@link Faults#restart(RestartData)} does to the data. */
public enum RestartData {
    /** Keys and functions are kept, as by a Redis that saves them. */
    KEEP,
    /** Keys and functions are lost, as by a Redis without persistence. */
    LOSE
}
