package io.minilockd.spring.boot.test;

import io.minilockd.LockInfo;
import io.minilockd.Minilockd;
import io.minilockd.TestReport;
import java.util.List;
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
            List<LockInfo> held = heldBefore == null ? List.of() : heldBefore.leftBy(server);
            TestReport.endTest(server, failure, held);
        } finally {
            giveBack.run();
        }
    }
}
