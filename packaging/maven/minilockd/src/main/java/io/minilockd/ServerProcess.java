package io.minilockd;

import java.io.BufferedReader;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A server's process. Its standard input is a pipe that this process holds open and never writes
 * to: the server ends when it is closed, by {@link #close} or by the system when this process ends,
 * however it ends.
 */
final class ServerProcess implements AutoCloseable {
    private static final int SECONDS_TO_END = 5;

    private final Binary binary;
    private final boolean hasFaults;
    private final Process process;
    private final LogTail log;
    private final ReadyLine ready;
    private volatile boolean closed;

    /** Starts a server and waits until it listens. */
    ServerProcess(Binary binary, List<String> arguments, Deadline deadline) {
        this.binary = binary;
        hasFaults = arguments.contains("--faults");
        process = Execution.start(binary, arguments);
        log = new LogTail(process);
        try {
            ready = ReadyLine.parse(awaitLine(deadline));
        } catch (RuntimeException e) {
            process.destroyForcibly();
            throw e;
        }
    }

    ReadyLine ready() {
        return ready;
    }

    private String awaitLine(Deadline deadline) {
        BufferedReader output = process.inputReader();
        CompletableFuture<String> line = new CompletableFuture<>();
        Thread reader =
                new Thread(() -> readLine(output, line), "minilockd-start-" + process.pid());
        reader.setDaemon(true);
        reader.start();
        try {
            String text = line.get(deadline.millisLeft(), TimeUnit.MILLISECONDS);
            if (text == null) {
                throw new MinilockdException("minilockd does not start: " + end() + "\n" + binary);
            }
            return text;
        } catch (TimeoutException e) {
            throw new MinilockdException(
                    "minilockd has not started within " + deadline + lastLines(log.text()), e);
        } catch (ExecutionException e) {
            throw new MinilockdException("the output of minilockd cannot be read", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new MinilockdException("interrupted while minilockd starts", e);
        }
    }

    private static void readLine(BufferedReader output, CompletableFuture<String> line) {
        try {
            line.complete(output.readLine());
        } catch (IOException e) {
            line.completeExceptionally(e);
        }
    }

    /**
     * Returns the exception for a connection that has failed: that the server has ended, with its
     * last lines, or else the failure itself.
     */
    MinilockdException failure(IOException cause) {
        checkOpen();
        if (waitFor(1)) {
            return new MinilockdException("minilockd has ended: " + end(), cause);
        }
        return new MinilockdException(
                "the connection to minilockd has failed: " + cause.getMessage(), cause);
    }

    /**
     * Returns the exception for a first connection that has failed: with the rules of a file of
     * faults as what may be the cause, if the server has some and is alive.
     */
    MinilockdException refusal(Exception cause) {
        if (waitFor(1)) {
            return new MinilockdException("minilockd does not start: " + end(), cause);
        }
        String text =
                "minilockd has started, but its first connection, which controls it, has failed: "
                        + cause.getMessage();
        if (hasFaults && cause instanceof IOException) {
            text += "; a rule of the file of faults may concern it";
        }
        return new MinilockdException(text + lastLines(log.text()), cause);
    }

    /** Throws an exception if the server was closed or has ended. */
    void checkRuns() {
        checkOpen();
        if (!process.isAlive()) {
            throw new MinilockdException("minilockd has ended: " + end());
        }
    }

    /** Throws an exception if the server was closed. */
    void checkOpen() {
        if (closed) {
            throw new MinilockdException(this + " was closed by close()");
        }
    }

    /** Says that calls which fail from now on do so because the server is closed. */
    void markClosed() {
        closed = true;
    }

    @Override
    public String toString() {
        return "minilockd on " + MinilockdBuilder.HOST + ":" + ready.port();
    }

    private String end() {
        String status =
                waitFor(SECONDS_TO_END)
                        ? "exit status " + process.exitValue()
                        : "it has closed its output";
        return status + lastLines(log.afterEnd());
    }

    private static String lastLines(String text) {
        return text.isEmpty() ? "" : "; its last lines are:\n" + text;
    }

    private boolean waitFor(int seconds) {
        try {
            return process.waitFor(seconds, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Ends the server and waits for it. May be called several times. */
    @Override
    public void close() {
        try {
            process.getOutputStream().close();
        } catch (IOException e) {
            process.destroy();
        }
        if (!waitFor(SECONDS_TO_END)) {
            process.destroyForcibly();
            waitFor(SECONDS_TO_END);
        }
    }
}
