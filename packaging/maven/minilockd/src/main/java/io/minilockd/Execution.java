package io.minilockd;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Starts processes. */
final class Execution {
    /**
     * The system refuses to run a file that a process has open for writing (ETXTBSY). A JVM that
     * starts a process while another thread writes the binary to the cache passes the open file to
     * its child for a moment.
     */
    private static final String BUSY = "error=26,";

    private static final int TRIES = 100;
    private static final int MILLIS_BETWEEN_TRIES = 10;

    private Execution() {}

    static Process start(Binary binary, List<String> arguments) {
        List<String> command = new ArrayList<>(List.of(binary.path().toString()));
        command.addAll(arguments);
        IOException failure = null;
        for (int i = 0; i < TRIES; i++) {
            try {
                return new ProcessBuilder(command).start();
            } catch (IOException e) {
                failure = e;
                if (!e.getMessage().contains(BUSY) || !pause()) {
                    break;
                }
            }
        }
        throw new MinilockdException(
                "minilockd cannot be started: " + failure.getMessage() + "; " + binary, failure);
    }

    private static boolean pause() {
        try {
            TimeUnit.MILLISECONDS.sleep(MILLIS_BETWEEN_TRIES);
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
