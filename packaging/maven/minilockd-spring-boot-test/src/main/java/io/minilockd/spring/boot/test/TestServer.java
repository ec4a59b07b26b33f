package io.minilockd.spring.boot.test;

import io.minilockd.Minilockd;
import io.minilockd.Snapshot;
import java.util.Optional;

/** The server of a context, as the tests that run with this context have it. It is thread-safe. */
final class TestServer {
    private final Minilockd server;
    private final TestTurns turns = new TestTurns();
    private Snapshot beginning; // guarded by this
    private boolean hasBegun; // guarded by this

    TestServer(Minilockd server) {
        this.server = server;
    }

    /**
     * Saves the state that the application has made when it started, instead of one that was saved
     * before. Calls after the beginning of the first test do nothing.
     */
    synchronized void saveBeginning() {
        if (!hasBegun) {
            beginning = server.snapshot();
        }
    }

    /**
     * Gives the server to a test. One that resets it, or that looks for locks, waits until no other
     * one has the server.
     */
    RunningTest begin(String test, boolean reset, Optional<String> heldLocks) {
        boolean alone = reset || heldLocks.isPresent();
        turns.begin(alone);
        try {
            prepare(reset);
            return new RunningTest(
                    server,
                    test,
                    heldLocks.map(pattern -> HeldLocks.of(server, pattern)),
                    () -> turns.end(alone));
        } catch (RuntimeException e) {
            turns.end(alone);
            throw e;
        }
    }

    /** Synchronized, so that the journal is not cleared while another test begins to use it. */
    private synchronized void prepare(boolean reset) {
        hasBegun = true;
        if (reset) {
            reset();
        }
        server.journal().on();
        if (turns.hasOne()) {
            server.journal().clear();
        }
    }

    /**
     * Unlike TEST.RESET this is one step for the application's other threads, which do not see an
     * empty server in between.
     */
    private void reset() {
        server.faults().heal();
        server.execute("CLIENT", "UNPAUSE");
        beginning.restore();
    }
}
