package io.minilockd;

import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * What the server knows when a test ends, for extensions of test frameworks: the locks and the last
 * commands of clients, without PING; long arguments are cut. It is among the suppressed exceptions
 * of a failed test.
 */
public final class TestReport extends Exception {
    private static final long serialVersionUID = 1L;

    private TestReport(String message) {
        super(message, null, false, false);
    }

    /**
     * Ends a test. If it has failed, its locks and the last commands are printed to the standard
     * error, and added to the exception. If it has left locks held, it fails; one that has failed
     * already gets that as a suppressed exception.
     *
     * @param server the server of the test, whose journal is on
     * @param test the name of the test, for the report
     * @param failure the exception with which the test has failed, empty if it has passed
     * @param held the locks that the test should not have left
     * @throws AssertionError if the test has passed, and has left locks held
     */
    public static void endTest(
            Minilockd server, String test, Optional<Throwable> failure, List<LockInfo> held) {
        failure.ifPresent(thrown -> attach(server, test, thrown));
        if (held.isEmpty()) {
            return;
        }
        AssertionError left = new AssertionError(message(server, held));
        if (failure.isPresent()) {
            failure.get().addSuppressed(left);
            return;
        }
        attach(server, test, left);
        throw left;
    }

    private static String message(Minilockd server, List<LockInfo> held) {
        String locks = held.stream().map(LockInfo::toString).collect(Collectors.joining("\n  "));
        boolean one = held.size() == 1;
        return "%s of %s %s still held at the end of the test:\n  %s"
                .formatted(
                        one ? "a lock" : held.size() + " locks", server, one ? "is" : "are", locks);
    }

    private static void attach(Minilockd server, String test, Throwable failure) {
        String text = test + ":\n" + text(server);
        System.err.println(text);
        failure.addSuppressed(new TestReport(text));
    }

    private static String text(Minilockd server) {
        try {
            return lines("locks of " + server, server.locks().list())
                    + "\n"
                    + lines(
                            "last commands of clients of " + server,
                            JournalLines.of(server.journal().entries()));
        } catch (MinilockdException e) {
            return e.getMessage();
        }
    }

    private static String lines(String title, List<?> entries) {
        String lines = entries.stream().map(entry -> "\n  " + entry).collect(Collectors.joining());
        return title + ":" + (entries.isEmpty() ? " none" : lines);
    }

    /**
     * Returns the report.
     *
     * @return its text, without the name of this class
     */
    @Override
    public String toString() {
        return getMessage();
    }
}
