package io.minilockd;

import java.util.List;

/** The last commands of a test's clients, in lines that are short enough to be read. */
final class JournalLines {
    private static final int ENTRIES = 50;
    private static final int CHARACTERS = 80;

    private JournalLines() {}

    /** Returns the last entries, without those of the control connection and without PING. */
    static List<String> of(List<JournalEntry> entries) {
        List<JournalEntry> clients = entries.stream().filter(JournalLines::isOfTest).toList();
        return clients.subList(Math.max(0, clients.size() - ENTRIES), clients.size()).stream()
                .map(entry -> shortened(entry.toString()))
                .toList();
    }

    private static boolean isOfTest(JournalEntry entry) {
        return !entry.clientName().equals(ControlConnection.NAME)
                && !entry.command().split(" ", 2)[0].equalsIgnoreCase("PING");
    }

    /** Cuts the words that are too long; quoted ones may have spaces. */
    static String shortened(String line) {
        StringBuilder text = new StringBuilder();
        boolean quoted = false;
        int length = 0; // of the word
        for (int i = 0, end; i < line.length(); i = end) {
            end = endOfCharacter(line, i);
            char c = line.charAt(i);
            if (c == '"' || c == ' ' && !quoted) {
                quoted ^= c == '"';
                length = 0;
                text.append(c);
            } else if (++length <= CHARACTERS) {
                text.append(line, i, end);
            } else if (length == CHARACTERS + 1) {
                text.append('…');
            }
        }
        return text.toString();
    }

    /** Returns where a character ends, which may be one that the server has escaped. */
    private static int endOfCharacter(String line, int start) {
        int length = line.charAt(start) != '\\' ? 1 : line.startsWith("x", start + 1) ? 4 : 2;
        return Math.min(start + length, line.length());
    }
}
