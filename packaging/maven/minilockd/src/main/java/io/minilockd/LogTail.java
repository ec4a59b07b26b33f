package io.minilockd;

import java.io.BufferedReader;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Keeps the last lines that a server has written to its standard error. They are always read, since
 * a process stops when nobody reads what it writes.
 */
final class LogTail {
    private static final int LINES = 50;

    private final Deque<String> lines = new ArrayDeque<>(); // guarded by itself
    private final Thread reader;

    /** The thread keeps it reachable: its input is closed when the garbage collector removes it. */
    private final Process process;

    LogTail(Process process) {
        this.process = process;
        reader = new Thread(this::readAll, "minilockd-log-" + process.pid());
        reader.setDaemon(true);
        reader.start();
    }

    private void readAll() {
        try (BufferedReader log = process.errorReader()) {
            for (String line = log.readLine(); line != null; line = log.readLine()) {
                add(line);
            }
        } catch (IOException e) {
            add("the log cannot be read: " + e);
        }
    }

    private void add(String line) {
        synchronized (lines) {
            if (lines.size() == LINES) {
                lines.removeFirst();
            }
            lines.addLast(line);
        }
    }

    /**
     * Returns the last lines of a process that has ended, after waiting shortly for those that are
     * still to be read.
     */
    String afterEnd() {
        try {
            reader.join(1000);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return text();
    }

    String text() {
        synchronized (lines) {
            return String.join("\n", lines);
        }
    }
}
