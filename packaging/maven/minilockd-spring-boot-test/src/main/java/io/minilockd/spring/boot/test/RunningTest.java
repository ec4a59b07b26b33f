package io.minilockd.spring.boot.test;

import io.minilockd.Minilockd;
import java.util.Optional;

/** A test that has a server until it ends. */
final class RunningTest {
    private final Minilockd server;
    private final HeldLocks heldBefore; // null if the test may leave locks held
    private final Runnable giveBack;

    RunningTest(Minilockd server, HeldLocks heldBefore, Runnable giveBack) {
        this.server = server;
        this.heldBefore = heldBefore;
        this.giveBack = giveBack;
    }

    /** Ends the test, which has failed with an exception or not. */
    void end(Optional<Throwable> failure) {
        try {
            failure.ifPresent(thrown -> ServerReport.attach(server, thrown));
            if (heldBefore != null) {
                heldBefore.failure(server).ifPresent(held -> fail(held, failure));
            }
        } finally {
            giveBack.run();
        }
    }

    private void fail(AssertionError held, Optional<Throwable> failure) {
        if (failure.isPresent()) {
            failure.get().addSuppressed(held);
            return;
        }
        ServerReport.attach(server, held);
        throw held;
    }
}
