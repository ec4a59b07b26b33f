package io.minilockd;

import java.util.ArrayList;
import java.util.List;

/**
 * Makes calls, messages and connections go wrong at the moment that a test chooses.
 *
 * <pre>{@code
 * Fault fault = server.faults().add(FaultRule.calls().command("evalsha").nth(2).then(FaultAction.loseReply()));
 * // … a client calls …
 * assertEquals(1, fault.hits());
 * }</pre>
 *
 * <p>The calls of {@link Minilockd} and of what it returns, {@link Minilockd#execute} among them,
 * are never hit: by no rule, no partition and no CLIENT PAUSE. Rules that count calls do not count
 * them.
 */
public final class Faults {
    private final ControlConnection connection;

    Faults(ControlConnection connection) {
        this.connection = connection;
    }

    /**
     * Adds a rule.
     *
     * @param rule the rule
     * @return the rule on the server
     */
    public Fault add(FaultRule rule) {
        List<Object> command = new ArrayList<>(List.of("FAULT.ADD"));
        command.addAll(rule.words());
        return new Fault(connection, (Long) connection.call(command.toArray()), rule.toString());
    }

    /**
     * Adds a rule that is a line of text, as FAULT.ADD takes it.
     *
     * @param rule the line, such as {@code COMMAND evalsha KEY order:* NTH 2 THEN LOSEREPLY}; texts
     *     with spaces are quoted
     * @return the rule on the server
     * @throws IllegalArgumentException if it is empty, or has more than one line
     */
    public Fault add(String rule) {
        if (rule.isBlank()) {
            throw new IllegalArgumentException("the rule is empty");
        }
        return new Fault(connection, (Long) connection.callLine("FAULT.ADD " + rule), rule.strip());
    }

    /**
     * Lists the rules, in the order in which they were added.
     *
     * @return the rules
     */
    public List<ListedFault> list() {
        return list(connection);
    }

    static List<ListedFault> list(ControlConnection connection) {
        return Reply.list(connection.call("FAULT.LIST"), ListedFault::of);
    }

    /** Removes all rules. */
    public void clear() {
        connection.call("FAULT.CLEAR");
    }

    /**
     * Closes all connections and forgets scripts, as a restart of a Redis does that keeps its data.
     */
    public void restart() {
        restart(RestartData.KEEP);
    }

    /**
     * Does to all clients what a restart of the server does.
     *
     * @param data what happens to the data
     */
    public void restart(RestartData data) {
        connection.call("FAULT.RESTART", data);
    }

    /**
     * Does to all clients what a restart of the server does that had saved its data at an earlier
     * time.
     *
     * @param snapshot the data that the server has after it, a snapshot of this server
     * @throws IllegalArgumentException if it is one of another server
     */
    public void restart(Snapshot snapshot) {
        connection.call("FAULT.RESTART", "SNAPSHOT", snapshot.nameOn(connection));
    }

    /**
     * Cuts the server off from its clients, as a network does that loses all packets, until {@link
     * #heal}.
     */
    public void partition() {
        connection.call("FAULT.PARTITION");
    }

    /** Ends a partition: what has been waiting goes on. */
    public void heal() {
        connection.call("FAULT.HEAL");
    }
}
