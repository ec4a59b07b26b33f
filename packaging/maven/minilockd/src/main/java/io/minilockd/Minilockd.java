package io.minilockd;

import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;

/**
 * A running server. It is a process of its own, which ends with {@link #close} or with this JVM,
 * however that ends.
 *
 * <pre>{@code
 * try (Minilockd server = Minilockd.start()) {
 *     config.useSingleServer().setAddress(server.uri().toString());
 *     // … a client takes a lock with a lease of 30 s …
 *     server.clock().advance(Duration.ofSeconds(30)); // it has lapsed
 * }
 * }</pre>
 *
 * <p>The methods of this class, and of those that it returns, send commands over a connection of
 * their own, on database 0, which no fault rule, no partition and no CLIENT PAUSE hits. All are
 * safe for concurrent use; calls of several threads wait for each other, except for {@link #close}.
 * They throw {@link RedisErrorException} if the server replies with an error, and {@link
 * MinilockdException} if it has been closed, or if it has ended, then with the last lines of its
 * log.
 */
public final class Minilockd implements AutoCloseable {
    private final ServerProcess process;
    private final ControlConnection connection;
    private final String password;
    private final ServerClock clock;
    private final Faults faults;
    private final Locks locks;
    private final Journal journal;

    Minilockd(ServerProcess process, String password, Deadline start) {
        this.process = process;
        this.password = password;
        connection = new ControlConnection(process, password, start);
        clock = new ServerClock(connection);
        faults = new Faults(connection);
        locks = new Locks(connection, Optional.empty());
        journal = new Journal(connection);
    }

    /**
     * Starts a server on a free port of 127.0.0.1.
     *
     * @return the server, which accepts connections
     */
    public static Minilockd start() {
        return builder().start();
    }

    /**
     * Returns a builder for a server with options.
     *
     * @return a new builder
     */
    public static MinilockdBuilder builder() {
        return new MinilockdBuilder();
    }

    /**
     * Returns the host on which the server listens.
     *
     * @return 127.0.0.1
     */
    public String host() {
        return MinilockdBuilder.HOST;
    }

    /**
     * Returns the port on which the server listens.
     *
     * @return the port
     */
    public int port() {
        return process.ready().port();
    }

    /**
     * Returns the address for clients that take an URI, with the password if there is one.
     *
     * @return {@code redis://127.0.0.1:port} or {@code redis://:password@127.0.0.1:port}
     */
    public URI uri() {
        return uri("redis", port());
    }

    private URI uri(String scheme, int port) {
        String user = password.isEmpty() ? "" : ":" + percentEncoded(password) + "@";
        return URI.create(scheme + "://" + user + host() + ":" + port);
    }

    /**
     * Returns where the server listens for TLS, and what clients need for it.
     *
     * @return the port, the address and the files
     * @throws IllegalStateException if it was started without {@link MinilockdBuilder#tls}
     */
    public TlsAddress tls() {
        ReadyLine.Tls tls =
                process.ready()
                        .tls()
                        .orElseThrow(
                                () ->
                                        new IllegalStateException(
                                                "the server was started without the option tls"));
        return new TlsAddress(
                tls.port(), uri("rediss", tls.port()), tls.ca(), tls.certificate(), tls.key());
    }

    private static String percentEncoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    /**
     * Returns the password that clients need.
     *
     * @return the password, empty if there is none
     */
    public String password() {
        return password;
    }

    /**
     * Returns the id of the server's process.
     *
     * @return the process id
     */
    public long pid() {
        return process.ready().pid();
    }

    /**
     * Returns the version of minilockd.
     *
     * @return the version of the binary
     */
    public String version() {
        return process.ready().version();
    }

    /**
     * Returns the version of Redis as which the server behaves.
     *
     * @return the version, such as {@code "7.0.15"}
     */
    public String redisVersion() {
        return process.ready().redisVersion();
    }

    /**
     * Returns the server's clock.
     *
     * @return the clock
     */
    public ServerClock clock() {
        return clock;
    }

    /**
     * Returns what makes calls, messages and connections go wrong.
     *
     * @return the faults
     */
    public Faults faults() {
        return faults;
    }

    /**
     * Returns the view of the locks on the server.
     *
     * @return the locks
     */
    public Locks locks() {
        return locks;
    }

    /**
     * Returns the journal of the commands that the server has received. It is off until it is
     * turned on.
     *
     * @return the journal
     */
    public Journal journal() {
        return journal;
    }

    /**
     * Saves the state: keys of all databases, the clock, fault rules, parameters and more, see <a
     * href="https://github.com/minilockd/minilockd/blob/main/docs/state.md">state.md</a>.
     *
     * @return a snapshot of this server
     */
    public Snapshot snapshot() {
        String name = UUID.randomUUID().toString();
        connection.call("TEST.SNAPSHOT", name);
        return new Snapshot(connection, name);
    }

    /**
     * Puts the state of a snapshot back, the clock included. Connections stay open.
     *
     * @param snapshot a snapshot of this server
     * @throws IllegalArgumentException if it is one of another server; nothing is put back then
     */
    public void restore(Snapshot snapshot) {
        connection.call("TEST.RESTORE", snapshot.nameOn(connection));
    }

    /**
     * Makes the state that of a server that has just started, without keys and fault rules.
     * Connections stay open.
     */
    public void reset() {
        connection.call("TEST.RESET");
    }

    /** Does what {@link #reset} does, and closes all connections of clients. */
    public void resetAndCloseClients() {
        connection.call("TEST.RESET", "CLIENTS");
    }

    /**
     * Prints all keys of all databases with their values, sorted by name.
     *
     * @return the text, of several lines
     */
    public String dump() {
        return (String) connection.call("TEST.DUMP");
    }

    /**
     * Looks for inconsistencies within the server. One is a bug of minilockd, and throws a
     * RedisErrorException.
     */
    public void check() {
        connection.call("TEST.CHECK");
    }

    /**
     * Sends any command on database 0; for another one, use a client library. No fault rule, no
     * partition and no CLIENT PAUSE hits it. While it waits, as BLPOP does, other calls of this
     * server wait for it; {@link #close} ends it.
     *
     * @param command the name and the arguments: a {@code byte[]} as it is, anything else as its
     *     text in UTF-8
     * @return the reply: a String, Long, Double, Boolean, {@link java.math.BigInteger}, {@link
     *     List}, {@link java.util.Set}, {@link java.util.Map} or {@code null}. Within an array, an
     *     error is a RedisErrorException
     * @throws IllegalArgumentException for commands that change the connection itself: those that
     *     subscribe or unsubscribe, MONITOR, LOCK.WATCH, HELLO, AUTH, SELECT, MULTI, EXEC, DISCARD,
     *     WATCH, UNWATCH, QUIT, RESET, CLIENT REPLY, SYNC and PSYNC. They are not sent
     */
    public Object execute(Object... command) {
        for (Object word : command) {
            Objects.requireNonNull(word, "a word of the command is null");
        }
        ConnectionCommands.refuse(command);
        return connection.call(command);
    }

    /** Ends the server, waits for that, and leaves nothing behind. May be called several times. */
    @Override
    public void close() {
        process.markClosed();
        connection.close();
        process.close();
    }

    /**
     * Describes the server.
     *
     * @return its address, without the password
     */
    @Override
    public String toString() {
        return process.toString();
    }
}
