package io.minilockd;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a server prints when it listens: one line of JSON, with numbers and strings without escapes.
 */
record ReadyLine(int port, long pid, String version, String redisVersion) {
    static ReadyLine parse(String line) {
        return new ReadyLine(
                Integer.parseInt(field(line, "port")),
                Long.parseLong(field(line, "pid")),
                field(line, "version"),
                field(line, "redis_version"));
    }

    private static String field(String line, String name) {
        Matcher field = Pattern.compile('"' + name + "\":\\s*\"?([^\",}]*)").matcher(line);
        if (!field.find()) {
            throw new MinilockdException("minilockd has printed no " + name + ": " + line);
        }
        return field.group(1);
    }
}
