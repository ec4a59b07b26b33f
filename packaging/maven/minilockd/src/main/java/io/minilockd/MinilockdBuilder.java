package io.minilockd;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The options of a server that is to be started. A builder may start several servers. It is not
 * thread-safe.
 */
public final class MinilockdBuilder {
    static final String HOST = "127.0.0.1";

    private int port;
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
     * Sets the password that clients need.
     *
     * @param text the password; empty for none, as it is if not set
     * @return this builder
     */
    public MinilockdBuilder password(String text) {
        password = text;
        return this;
    }

    /**
     * Sets the number of databases.
     *
     * @param number how many; 16 if not set
     * @return this builder
     */
    public MinilockdBuilder databases(int number) {
        databases = number;
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
        lockHistory = events;
        return this;
    }

    /**
     * Adds the fault rules of a file, which are there before the first client connects.
     *
     * @param file the file: a rule on each line, as {@link Faults#add(String)} takes it
     * @return this builder
     */
    public MinilockdBuilder faults(Path file) {
        faults = file;
        return this;
    }

    /**
     * Fills the server from a file before it accepts connections. May be called for several files.
     *
     * @param file commands, one a line, or an RDB file
     * @return this builder
     */
    public MinilockdBuilder load(Path file) {
        load.add(file);
        return this;
    }

    /**
     * Sets a parameter of redis.conf. May be called for several.
     *
     * @param name the name, such as {@code "maxmemory"}
     * @param value the value, such as {@code "100mb"}
     * @return this builder
     */
    public MinilockdBuilder config(String name, String value) {
        config.put(name, value);
        return this;
    }

    /**
     * Sets a parameter of redis.conf as a line of it.
     *
     * @param line the name and the value, such as {@code "maxmemory 100mb"}
     * @return this builder
     */
    public MinilockdBuilder config(String line) {
        String[] words = line.split(" ", 2);
        return config(words[0], words.length > 1 ? words[1] : "");
    }

    /**
     * Adds arguments of the command line as they are.
     *
     * @param args the arguments, as docs/binary.md has them
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
        binary = file;
        return this;
    }

    /**
     * Sets how long {@link #start} waits for the server at most.
     *
     * @param timeout the duration; 30 s if not set
     * @return this builder
     */
    public MinilockdBuilder startTimeout(Duration timeout) {
        startTimeout = timeout;
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
        ServerProcess process = new ServerProcess(command(), startTimeout);
        try {
            return new Minilockd(process, password);
        } catch (RuntimeException e) {
            process.close();
            throw e;
        }
    }

    private List<String> command() {
        List<String> command = new ArrayList<>();
        command.add(Binary.path(binary).toString());
        command.addAll(List.of("--addr", HOST + ":" + port, "--ready-json", "--exit-with-stdin"));
        option(command, "--requirepass", password, !password.isEmpty());
        option(command, "--databases", databases, databases > 0);
        option(command, "--lock-history", lockHistory, lockHistory > 0);
        option(command, "--faults", faults, faults != null);
        load.forEach(file -> option(command, "--load", file, true));
        config.forEach((name, value) -> option(command, "--" + name, value, true));
        command.addAll(arguments);
        return command;
    }

    private static void option(List<String> command, String name, Object value, boolean isSet) {
        if (isSet) {
            command.addAll(List.of(name, value.toString()));
        }
    }
}
