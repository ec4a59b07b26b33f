package io.minilockd.spring.boot.test;

import io.minilockd.Minilockd;
import io.minilockd.Snapshot;
import java.util.concurrent.atomic.AtomicReference;

/** The server of a context, as the tests that run with this context have it. It is thread-safe. */
final class TestServer {
    private final Minilockd server;
    private final TestTurns turns = new TestTurns();
    private final AtomicReference<Snapshot> beginning = new AtomicReference<>();

    TestServer(Minilockd server) {
        this.server = server;
    }

    /** Saves the state that the application has made when it started. Later calls do nothing. */
    void saveBeginning() {
        synchronized (beginning) {
            if (beginning.get() == null) {
                beginning.set(server.snapshot());
            }
        }
    }

    /**
     * Gives the server to a test. One that resets it, or that looks for locks, waits until no other
     * one has the server.
     */
    RunningTest begin(boolean reset, boolean failOnHeldLocks) {
        boolean alone = reset || failOnHeldLocks;
        turns.begin(alone);
        try {
            if (reset) {
                reset();
            }
            server.journal().on();
            if (alone) {
                server.journal().clear();
            }
            return new RunningTest(
                    server, failOnHeldLocks ? HeldLocks.of(server) : null, () -> turns.end(alone));
        } catch (RuntimeException e) {
            turns.end(alone);
            throw e;
        }
    }

    /**
     * Unlike TEST.RESET this is one step for the application's other threads, which do not see an
     * empty server in between.
     */
    private void reset() {
        server.faults().heal();
        server.execute("CLIENT", "UNPAUSE");
        beginning.get().restore();
    }
}
