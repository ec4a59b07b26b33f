package io.minilockd;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The locks on a server: who holds them, since when, and who waits. Since when and by which
 * connection is known only while the history is on ({@link #track()} or {@link
 * MinilockdBuilder#lockHistory}). Patterns are those of KEYS.
 */
public final class Locks {
    private final ControlConnection connection;
    private final Optional<Integer>
            database; // absent: all, and 0 for those methods that look at one

    Locks(ControlConnection connection, Optional<Integer> database) {
        this.connection = connection;
        this.database = database;
    }

    /**
     * Returns the view of one database. Without it, lists are of all databases, and {@link #get}
     * and {@link #history} are of database 0.
     *
     * @param number the number of the database. If the server has no such database, the calls of
     *     the view throw a RedisErrorException
     * @return its locks
     */
    public Locks inDatabase(int number) {
        return new Locks(connection, Optional.of(number));
    }

    /**
     * Lists all locks.
     *
     * @return the locks, sorted by database and name
     */
    public List<LockInfo> list() {
        return list("*");
    }

    /**
     * Lists locks.
     *
     * @param pattern a pattern that their names fit
     * @return the locks, sorted by database and name
     */
    public List<LockInfo> list(String pattern) {
        return ask("LOCK.LIST", pattern);
    }

    /**
     * Lists the locks that have holders. None should be left at the end of a test.
     *
     * @return the locks, sorted by database and name
     */
    public List<LockInfo> held() {
        return held("*");
    }

    /**
     * Lists the locks that have holders.
     *
     * @param pattern a pattern that their names fit
     * @return the locks, sorted by database and name
     */
    public List<LockInfo> held(String pattern) {
        return ask("LOCK.HELD", pattern);
    }

    private List<LockInfo> ask(String command, String pattern) {
        List<?> list =
                database.isPresent()
                        ? List.of(command, pattern)
                        : List.of(command, pattern, "ALLDBS");
        List<Object> replies = inDatabase(list, List.of("CLOCK.NOW"));
        Instant now = Instant.ofEpochMilli((Long) replies.get(1));
        return Reply.list(replies.get(0), lock -> LockInfo.of(lock, database.orElse(0), now));
    }

    /**
     * Returns a lock: of database 0, unless this is the view {@linkplain #inDatabase of another
     * one}.
     *
     * @param name its name
     * @return the lock, if there is one of that name
     */
    public Optional<LockInfo> get(String name) {
        List<Object> replies = inDatabase(List.of("LOCK.INFO", name), List.of("CLOCK.NOW"));
        Instant now = Instant.ofEpochMilli((Long) replies.get(1));
        return Optional.ofNullable(replies.get(0))
                .map(lock -> LockInfo.of(Reply.of(lock), database.orElse(0), now));
    }

    /**
     * Returns the cycles of owners that wait for each other, over all databases. For other locks
     * than fair ones this needs the history.
     *
     * @return the cycles
     */
    public List<Deadlock> deadlocks() {
        List<?> cycles = (List<?>) connection.call("LOCK.DEADLOCKS");
        return cycles.stream()
                .map(cycle -> new Deadlock(Reply.list(cycle, Deadlock.Wait::of)))
                .toList();
    }

    /**
     * Returns what has happened to a lock while the history was on: of database 0, unless this is
     * the view {@linkplain #inDatabase of another one}.
     *
     * @param name its name
     * @return the events, the oldest first
     * @throws RedisErrorException if the history is off
     */
    public List<LockEvent> history(String name) {
        return events(name, List.of("LOCK.HISTORY", name));
    }

    /**
     * Returns the last events of a lock, of the database as {@link #history(String)}.
     *
     * @param name its name
     * @param count how many events at most
     * @return the events, the oldest first
     * @throws RedisErrorException if the history is off
     */
    public List<LockEvent> history(String name, int count) {
        return events(name, List.of("LOCK.HISTORY", name, "COUNT", count));
    }

    private List<LockEvent> events(String name, List<?> command) {
        return Reply.list(inDatabase(command).get(0), event -> LockEvent.of(event, name));
    }

    /** Turns the history on, with room for 10,000 events. If it is on, it goes on. */
    public void track() {
        connection.call("LOCK.TRACK", "ON");
    }

    /**
     * Turns the history on. If it is on, it begins anew.
     *
     * @param count how many events are kept
     */
    public void track(int count) {
        connection.call("LOCK.TRACK", "ON", "COUNT", count);
    }

    /** Turns the history off. */
    public void untrack() {
        connection.call("LOCK.TRACK", "OFF");
    }

    /** Calls commands while the database is selected, and selects database 0 again, all at once. */
    private List<Object> inDatabase(List<?>... commands) {
        if (database.isEmpty()) {
            return connection.callAll(List.of(commands));
        }
        List<List<?>> all = new ArrayList<>(List.of(commands));
        all.add(0, List.of("SELECT", database.get()));
        all.add(List.of("SELECT", 0));
        return connection.callAll(all).subList(1, commands.length + 1);
    }
}
