package io.minilockd.junit.jupiter;

import io.minilockd.LockInfo;
import io.minilockd.Minilockd;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** The check that a test has left no lock held. */
final class HeldLocks {
    private HeldLocks() {}

    /** Returns the failure of a test that has left locks held. */
    static Optional<AssertionError> failure(Minilockd server) {
        List<LockInfo> held = server.locks().held();
        return held.isEmpty() ? Optional.empty() : Optional.of(new AssertionError(message(held)));
    }

    private static String message(List<LockInfo> held) {
        String locks = held.stream().map(LockInfo::toString).collect(Collectors.joining("\n  "));
        return (held.size() == 1 ? "a lock is" : held.size() + " locks are")
                + " still held at the end of the test:\n  "
                + locks;
    }
}
