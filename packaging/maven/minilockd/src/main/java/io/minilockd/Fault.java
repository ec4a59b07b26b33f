package io.minilockd;

/** A rule on the server, by which calls, messages or connections go wrong. */
public final class Fault {
    private final ControlConnection connection;
    private final long id;
    private final String rule;

    Fault(ControlConnection connection, long id, String rule) {
        this.connection = connection;
        this.id = id;
        this.rule = rule;
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
     * Returns the rule as it was added.
     *
     * @return its text
     */
    public String rule() {
        return rule;
    }

    /**
     * Returns how many calls, messages or connections fit the conditions of the rule, whether it
     * has hit them or not.
     *
     * @return the number of matches
     * @throws MinilockdException if the rule has been removed
     */
    public long matches() {
        return listed().matches();
    }

    /**
     * Returns how often the fault has happened.
     *
     * @return the number of hits
     * @throws RedisErrorException if the rule has been removed
     */
    public long hits() {
        return (Long) connection.call("FAULT.HITS", id);
    }

    /** Removes the rule. A fault that lasts ends; a delay goes on. */
    public void remove() {
        connection.call("FAULT.REMOVE", id);
    }

    private ListedFault listed() {
        return Faults.list(connection).stream()
                .filter(fault -> fault.id() == id)
                .findFirst()
                .orElseThrow(
                        () ->
                                new MinilockdException(
                                        "there is no fault rule #" + id + " any more"));
    }

    /**
     * Describes the rule for messages of assertions: {@code #1 COMMAND get NTH 2 THEN CLOSE: 1
     * match, 0 hits}. It asks the server.
     *
     * @return its number, its text and, unless it has been removed or the server has ended, how
     *     many calls fit it and how many it has hit
     */
    @Override
    public String toString() {
        try {
            return listed().toString();
        } catch (MinilockdException e) {
            return "#" + id + " " + Quotes.escaped(rule);
        }
    }
}
