package io.minilockd;

import java.nio.charset.StandardCharsets;

/**
 * Quotes texts of users in messages as redis-cli does, so that nothing but printable ASCII is
 * printed of them.
 */
final class Quotes {
    private Quotes() {}

    /** Returns a text in quotes. */
    static String quoted(String text) {
        return '"' + escaped(text.replace("\\", "\\\\").replace("\"", "\\\"")) + '"';
    }

    /** Returns a text, in quotes if it needs them as a word of a line. */
    static String word(String text) {
        boolean isPlain = text.chars().allMatch(c -> c > ' ' && c <= '~' && "\"'\\".indexOf(c) < 0);
        return isPlain && !text.isEmpty() ? text : quoted(text);
    }

    /** Returns a text without quotes, with escapes for what is not printable ASCII. */
    static String escaped(String text) {
        StringBuilder escaped = new StringBuilder();
        for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
            escaped.append(printable(b));
        }
        return escaped.toString();
    }

    private static String printable(byte b) {
        return switch (b) {
            case '\n' -> "\\n";
            case '\r' -> "\\r";
            case '\t' -> "\\t";
            case '\b' -> "\\b";
            case 7 -> "\\a";
            default -> b >= ' ' && b <= '~' ? String.valueOf((char) b) : "\\x%02x".formatted(b);
        };
    }
}
