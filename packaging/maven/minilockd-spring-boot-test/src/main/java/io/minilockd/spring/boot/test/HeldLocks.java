package io.minilockd.spring.boot.test;

import io.minilockd.LockHolder;
import io.minilockd.LockInfo;
import io.minilockd.Minilockd;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The locks that were held before a test, which it is not to blame for.
 *
 * @param pattern a pattern of the locks that count
 * @param holds who holds which lock
 */
record HeldLocks(String pattern, Set<Hold> holds) {
    /** An owner that holds a lock. */
    private record Hold(int database, String name, String owner) {}

    /** Looks at the locks before a test, and turns the history on. */
    static HeldLocks of(Minilockd server, String pattern) {
        server.locks().track();
        return new HeldLocks(
                pattern,
                server.locks().held(pattern).stream()
                        .flatMap(HeldLocks::holds)
                        .collect(Collectors.toSet()));
    }

    private static Stream<Hold> holds(LockInfo lock) {
        return lock.holders().stream()
                .map(LockHolder::owner)
                .map(owner -> new Hold(lock.database(), lock.name(), owner));
    }

    /** Returns the locks that the test has left held. */
    List<LockInfo> leftBy(Minilockd server) {
        return server.locks().held(pattern).stream()
                .filter(lock -> !holds(lock).allMatch(holds::contains))
                .toList();
    }
}
