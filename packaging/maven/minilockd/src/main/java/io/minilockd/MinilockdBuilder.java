package io.minilockd;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;

/**
 * The options of a server that is to be started. A builder may start several servers. It is not
 * thread-safe.
 */
public final class MinilockdBuilder {
    static final String HOST = "127.0.0.1";

    private int port;
    private String emulate = "";
    private boolean tls;
    private String password = "";
    private int databases;
    private int lockHistory;
    private Path faults;
    private final List<Path> load = new ArrayList<>();
    private final Map<String, String> config = new LinkedHashMap<>();
    private final List<String> arguments = new ArrayList<>();
    private Path binary;
    private Duration startTimeout = Duration.ofSeconds(30);

    MinilockdBuilder() {}

    /**
     * Sets the port. A free one is taken if it is not set.
     *
     * @param number the port; 0 is a free one
     * @return this builder
     */
    public MinilockdBuilder port(int number) {
        port = number;
        return this;
    }

    /**
     * Sets the server to stand for, which decides which commands there are and how they behave.
     *
     * @param server a version of Redis ({@code "7.0"}, {@code "7.2"}, {@code "7.4"}, {@code "8.0"},
     *     {@code "8.2"}, {@code "8.4"}) or of Valkey ({@code "valkey-8.1"}, {@code "valkey-9.1"});
     *     {@code "8.2"} if not set or empty
     * @return this builder
     */
    public MinilockdBuilder emulate(String server) {
        emulate = Objects.requireNonNull(server, "emulate");
        return this;
    }

    /**
     * Makes the server listen for TLS as well, on a free port, with certificates that it makes; see
     * {@link Minilockd#tls}.
     *
     * @param on whether it does; not, if not set
     * @return this builder
     */
    public MinilockdBuilder tls(boolean on) {
        tls = on;
        return this;
    }

    /**
     * Sets the password that clients need.
     *
     * @param text the password; empty for none, as it is if not set
     * @return this builder
     */
    public MinilockdBuilder password(String text) {
        password = Objects.requireNonNull(text, "password");
        return this;
    }

    /**
     * Sets the number of databases.
     *
     * @param number how many; 16 if not set or 0
     * @return this builder
     */
    public MinilockdBuilder databases(int number) {
        databases = notNegative(number, "databases");
        return this;
    }

    /**
     * Turns the history of locks on from the start, which tells since when a lock is held, and by
     * which connection.
     *
     * @param events how many events are kept; 0, as it is if not set, for none
     * @return this builder
     */
    public MinilockdBuilder lockHistory(int events) {
        lockHistory = notNegative(events, "lockHistory");
        return this;
    }

    /**
     * Adds the fault rules of a file, which are there before the first client connects.
     *
     * @param file the file: a rule on each line, as {@link Faults#add(String)} takes it
     * @return this builder
     */
    public MinilockdBuilder faults(Path file) {
        faults = Objects.requireNonNull(file, "faults");
        return this;
    }

    /**
     * Fills the server from a file before it accepts connections. May be called for several files.
     *
     * @param file commands, one a line, or an RDB file
     * @return this builder
     */
    public MinilockdBuilder load(Path file) {
        load.add(Objects.requireNonNull(file, "load"));
        return this;
    }

    /**
     * Sets a parameter of redis.conf. May be called for several. {@code requirepass} is the same as
     * {@link #password}.
     *
     * @param name the name, such as {@code "maxmemory"}
     * @param value the value, such as {@code "100mb"}
     * @return this builder
     * @throws IllegalArgumentException for {@code port}, which is {@link #port(int)}, and for
     *     {@code bind}: the server listens on 127.0.0.1
     */
    public MinilockdBuilder config(String name, String value) {
        Objects.requireNonNull(value, "value");
        switch (name.toLowerCase(Locale.ROOT)) {
            case "requirepass" -> password(value);
            case "port" -> throw new IllegalArgumentException("config: use the option port");
            case "bind" ->
                    throw new IllegalArgumentException(
                            "config: bind cannot be set; the server listens on " + HOST);
            default -> config.put(name, value);
        }
        return this;
    }

    /**
     * Sets a parameter of redis.conf as a line of it.
     *
     * @param line the name and the value, such as {@code "maxmemory 100mb"}
     * @return this builder
     * @throws IllegalArgumentException if it has no value
     */
    public MinilockdBuilder config(String line) {
        String[] words = line.strip().split("\\s+", 2);
        if (words.length < 2) {
            throw new IllegalArgumentException("config: a name and a value are needed: " + line);
        }
        return config(words[0], words[1]);
    }

    /**
     * Adds arguments of the command line as they are.
     *
     * @param args the arguments, see <a
     *     href="https://github.com/minilockd/minilockd/blob/main/docs/binary.md">binary.md</a>
     * @return this builder
     */
    public MinilockdBuilder args(String... args) {
        arguments.addAll(List.of(args));
        return this;
    }

    /**
     * Sets the binary that is started. Without it, that is the one of the system property {@code
     * minilockd.binary}, else of the environment variable {@code MINILOCKD_BINARY}, else of the
     * artifact for this platform.
     *
     * @param file the binary
     * @return this builder
     */
    public MinilockdBuilder binary(Path file) {
        binary = Objects.requireNonNull(file, "binary");
        return this;
    }

    /**
     * Sets how long {@link #start} waits for the server and its first replies at most.
     *
     * @param timeout the duration; 30 s if not set
     * @return this builder
     */
    public MinilockdBuilder startTimeout(Duration timeout) {
        startTimeout = Objects.requireNonNull(timeout, "startTimeout");
        return this;
    }

    /**
     * Reports whether servers have keys or fault rules from the start, which {@link
     * Minilockd#reset} removes.
     *
     * @return whether files were given to {@link #load} or {@link #faults}
     */
    public boolean fills() {
        return faults != null || !load.isEmpty();
    }

    /**
     * Starts a server with these options.
     *
     * @return the server, which accepts connections
     * @throws MinilockdException if it does not start, with its last lines, or if there is no
     *     binary for this platform
     */
    public Minilockd start() {
        Binary program = Binary.find(binary);
        Deadline deadline = Deadline.in(startTimeout);
        ServerProcess process = new ServerProcess(program, commandLine(), deadline);
        try {
            return new Minilockd(process, password, deadline);
        } catch (RuntimeException e) {
            process.close();
            throw e;
        }
    }

    private List<String> commandLine() {
        List<String> list = new ArrayList<>();
        list.addAll(List.of("--addr", HOST + ":" + port, "--ready-json", "--exit-with-stdin"));
        option(list, "--tls-addr", HOST + ":0", tls);
        option(list, "--tls-out", tlsFolder(), tls);
        option(list, "--emulate", emulate, !emulate.isEmpty());
        option(list, "--requirepass", password, !password.isEmpty());
        option(list, "--databases", databases, databases > 0);
        option(list, "--lock-history", lockHistory, lockHistory > 0);
        option(list, "--faults", faults, faults != null);
        load.forEach(file -> option(list, "--load", file, true));
        config.forEach((name, value) -> option(list, "--" + name, value, true));
        list.addAll(arguments);
        return list;
    }

    /** Returns the name of a new folder, which the server makes, and removes when it ends. */
    private static Path tlsFolder() {
        return Path.of(System.getProperty("java.io.tmpdir"), "minilockd-tls-" + UUID.randomUUID());
    }

    private static int notNegative(int number, String name) {
        if (number < 0) {
            throw new IllegalArgumentException(name + " is negative: " + number);
        }
        return number;
    }

    private static void option(List<String> list, String name, Object value, boolean isSet) {
        if (isSet) {
            list.addAll(List.of(name, value.toString()));
        }
    }
}
