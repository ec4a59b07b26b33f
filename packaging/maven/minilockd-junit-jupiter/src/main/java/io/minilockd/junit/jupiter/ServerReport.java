package io.minilockd.junit.jupiter;

import io.minilockd.JournalFilter;
import io.minilockd.Minilockd;
import io.minilockd.MinilockdException;
import java.util.List;
import java.util.stream.Collectors;

/** What the server knows when a test fails: its locks and the last commands. */
final class ServerReport extends Exception {
    private static final long serialVersionUID = 1L;
    private static final int COMMANDS = 50;

    private ServerReport(String message) {
        super(message, null, false, false);
    }

    /**
     * Prints the report, and adds it to the exception of the test, for reports without the output.
     */
    static void attach(Minilockd server, Throwable failure) {
        String text = text(server);
        System.err.println(text);
        failure.addSuppressed(new ServerReport(text));
    }

    private static String text(Minilockd server) {
        try {
            return lines("locks", server.locks().list())
                    + "\n"
                    + lines(
                            "last commands",
                            server.journal().entries(JournalFilter.all().last(COMMANDS)));
        } catch (MinilockdException e) {
            return e.getMessage();
        }
    }

    private static String lines(String title, List<?> entries) {
        String lines = entries.stream().map(entry -> "\n  " + entry).collect(Collectors.joining());
        return title + " of minilockd:" + (entries.isEmpty() ? " none" : lines);
    }

    @Override
    public String toString() {
        return getMessage();
    }
}
