package io.minilockd.spring.boot.test;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.minilockd.LockInfo;
import io.minilockd.Minilockd;
import java.util.List;
import org.junit.jupiter.api.Test;

class HeldLocksTest {
    private static final String ME = "5c0cb5a3-2f6b-4f2e-9a3c-0d1e2f3a4b5c:37";
    private static final String OTHER = "6d1dc6b4-3a7c-4a3f-8b4d-1e2f3a4b5c6d:37";

    @Test
    void locksThatWereHeldBeforeDoNotCount() {
        try (Minilockd server = Minilockd.start()) {
            take(server, "leader", ME);
            HeldLocks before = HeldLocks.of(server, "*");
            assertEquals(List.of(), before.leftBy(server));

            take(server, "order:42", ME);
            assertEquals(List.of("order:42"), names(before.leftBy(server)));
        }
    }

    @Test
    void aLockThatHasAnotherOwnerCounts() {
        try (Minilockd server = Minilockd.start()) {
            take(server, "leader", ME);
            HeldLocks before = HeldLocks.of(server, "*");
            take(server, "leader", OTHER);
            take(server, "order:42", OTHER);
            assertEquals(List.of("leader", "order:42"), names(before.leftBy(server)));
        }
    }

    private static List<String> names(List<LockInfo> locks) {
        return locks.stream().map(LockInfo::name).toList();
    }

    @Test
    void onlyLocksThatFitThePatternCount() {
        try (Minilockd server = Minilockd.start()) {
            HeldLocks before = HeldLocks.of(server, "order:*");
            take(server, "stock", ME);
            take(server, "order:42", ME);
            assertEquals(List.of("order:42"), names(before.leftBy(server)));
        }
    }

    /** Takes a lock as Redisson does: a hash with the number of holds of its owner. */
    private static void take(Minilockd server, String name, String owner) {
        server.execute("DEL", name);
        server.execute("HSET", name, owner, 1);
        server.execute("PEXPIRE", name, 30_000);
    }
}
