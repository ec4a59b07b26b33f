package io.minilockd;

import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a server prints when it listens: one line of JSON, with numbers and strings. Only in paths
 * there are escapes.
 */
record ReadyLine(int port, long pid, String version, String redisVersion, Optional<Tls> tls) {
    /** Where a server listens for TLS, and the files for its clients. */
    record Tls(int port, Path ca, Path certificate, Path key) {}

    static ReadyLine parse(String line) {
        return new ReadyLine(
                Integer.parseInt(field(line, "port")),
                Long.parseLong(field(line, "pid")),
                field(line, "version"),
                field(line, "redis_version"),
                tls(line));
    }

    private static Optional<Tls> tls(String line) {
        if (!line.contains("\"tls_ca\":")) {
            return Optional.empty();
        }
        int port = Integer.parseInt(field(line, "tls_port"));
        return Optional.of(
                new Tls(port, file(line, "tls_ca"), file(line, "tls_cert"), file(line, "tls_key")));
    }

    /** Returns the path of a file; backslashes are escaped. */
    private static Path file(String line, String name) {
        Matcher field = Pattern.compile('"' + name + "\":\"((?:[^\"\\\\]|\\\\.)*)").matcher(line);
        if (!field.find()) {
            throw new MinilockdException("minilockd has printed no " + name + ": " + line);
        }
        return Path.of(field.group(1).replaceAll("\\\\(.)", "$1"));
    }

    private static String field(String line, String name) {
        Matcher field = Pattern.compile('"' + name + "\":\\s*\"?([^\",}]*)").matcher(line);
        if (!field.find()) {
            throw new MinilockdException("minilockd has printed no " + name + ": " + line);
        }
        return field.group(1);
    }
}
