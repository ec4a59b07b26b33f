package io.minilockd;

import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * What the server knows when a test ends, for extensions of test frameworks: the locks and the last
 * commands. It is among the suppressed exceptions of a failed test.
 */
public final class TestReport extends Exception {
    private static final long serialVersionUID = 1L;
    private static final int COMMANDS = 50;

    private TestReport(String message) {
        super(message, null, false, false);
    }

    /**
     * Ends a test. If it has failed, its locks and the last commands are printed to the standard
     * error, and added to the exception. If it has left locks held, it fails; one that has failed
     * already gets that as a suppressed exception.
     *
     * @param server the server of the test, whose journal is on
     * @param failure the exception with which the test has failed, empty if it has passed
     * @param held the locks that the test should not have left
     * @throws AssertionError if the test has passed, and has left locks held
     */
    public static void endTest(Minilockd server, Optional<Throwable> failure, List<LockInfo> held) {
        failure.ifPresent(thrown -> attach(server, thrown));
        if (held.isEmpty()) {
            return;
        }
        AssertionError left = new AssertionError(message(held));
        if (failure.isPresent()) {
            failure.get().addSuppressed(left);
            return;
        }
        attach(server, left);
        throw left;
    }

    private static String message(List<LockInfo> held) {
        String locks = held.stream().map(LockInfo::toString).collect(Collectors.joining("\n  "));
        return (held.size() == 1 ? "a lock is" : held.size() + " locks are")
                + " still held at the end of the test:\n  "
                + locks;
    }

    private static void attach(Minilockd server, Throwable failure) {
        String text = text(server);
        System.err.println(text);
        failure.addSuppressed(new TestReport(text));
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
