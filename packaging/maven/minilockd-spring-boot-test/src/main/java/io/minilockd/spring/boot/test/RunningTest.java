package io.minilockd.spring.boot.test;

import io.minilockd.LockInfo;
import io.minilockd.Minilockd;
import io.minilockd.TestReport;
import java.util.List;
import java.util.Optional;

/** A test that has a server until it ends. */
final class RunningTest {
    private final Minilockd server;
    private final String test;
    private final Optional<HeldLocks> heldBefore; // empty if the test may leave locks held
    private final Runnable giveBack;

    RunningTest(Minilockd server, String test, Optional<HeldLocks> heldBefore, Runnable giveBack) {
        this.server = server;
        this.test = test;
        this.heldBefore = heldBefore;
        this.giveBack = giveBack;
    }

    /** Ends the test since an assumption does not hold. */
    void abort() {
        giveBack.run();
    }

    /** Ends the test, which has failed with an exception or not. */
    void end(Optional<Throwable> failure) {
        try {
            List<LockInfo> held = heldBefore.map(before -> before.leftBy(server)).orElse(List.of());
            TestReport.endTest(server, test, failure, held);
        } finally {
            giveBack.run();
        }
    }
}
