package io.minilockd;

import java.util.ArrayList;
import java.util.List;

/**
 * The last commands that the server has received: those of clients, and those that scripts have
 * called. The commands by which a test controls the server are left out. It is off until it is
 * turned on.
 */
public final class Journal {
    private final ControlConnection connection;

    Journal(ControlConnection connection) {
        this.connection = connection;
    }

    /** Turns the journal on; it keeps the last 1000 commands. */
    public void on() {
        connection.call("TEST.JOURNAL", "ON");
    }

    /**
     * Turns the journal on.
     *
     * @param count how many commands are kept
     */
    public void on(int count) {
        connection.call("TEST.JOURNAL", "ON", "COUNT", count);
    }

    /** Turns the journal off; what it has is kept. */
    public void off() {
        connection.call("TEST.JOURNAL", "OFF");
    }

    /** Removes what the journal has. */
    public void clear() {
        connection.call("TEST.JOURNAL", "CLEAR");
    }

    /**
     * Returns all entries.
     *
     * @return the entries, the oldest first
     */
    public List<JournalEntry> entries() {
        return entries(JournalFilter.all());
    }

    /**
     * Returns some entries.
     *
     * @param filter which
     * @return the entries, the oldest first
     */
    public List<JournalEntry> entries(JournalFilter filter) {
        List<Object> command = new ArrayList<>(List.of("TEST.JOURNAL"));
        command.addAll(filter.words());
        return Reply.list(connection.call(command.toArray()), JournalEntry::of);
    }
}
