package io.minilockd;

/** A rule on the server, by which calls, messages or connections go wrong. */
public final class Fault {
    private final ControlConnection connection;
    private final long id;

    Fault(ControlConnection connection, long id) {
        this.connection = connection;
        this.id = id;
    }

    /**
     * Returns the number of the rule.
     *
     * @return the id
     */
    public long id() {
        return id;
    }

    /**
     * Returns how often the fault has happened.
     *
     * @return the number of hits
     */
    public long hits() {
        return (Long) connection.call("FAULT.HITS", id);
    }

    /** Removes the rule. A fault that lasts ends; a delay goes on. */
    public void remove() {
        connection.call("FAULT.REMOVE", id);
    }
}
