package io.minilockd;

import java.io.BufferedReader;
import java.io.IOException;
import java.time.Duration;
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

    private final Process process;
    private final LogTail log;
    private final ReadyLine ready;

    /** Starts a server and waits until it listens. */
    ServerProcess(List<String> command, Duration timeout) {
        process = Execution.start(command);
        log = new LogTail(process);
        try {
            ready = ReadyLine.parse(awaitLine(timeout));
        } catch (RuntimeException e) {
            process.destroyForcibly();
            throw e;
        }
    }

    ReadyLine ready() {
        return ready;
    }

    private String awaitLine(Duration timeout) {
        BufferedReader output = process.inputReader();
        CompletableFuture<String> line = new CompletableFuture<>();
        Thread reader =
                new Thread(() -> readLine(output, line), "minilockd-start-" + process.pid());
        reader.setDaemon(true);
        reader.start();
        try {
            String text = line.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
            if (text == null) {
                throw new MinilockdException("minilockd does not start: " + end());
            }
            return text;
        } catch (TimeoutException e) {
            throw new MinilockdException(
                    "minilockd has not started within " + timeout + lastLines(log.text()), e);
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
        if (waitFor(1)) {
            return new MinilockdException("minilockd has ended: " + end(), cause);
        }
        return new MinilockdException(
                "the connection to minilockd has failed: " + cause.getMessage(), cause);
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
