package io.minilockd.spring.boot.test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.minilockd.Minilockd;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class HeldLocksTest {
    private static final String ME = "5c0cb5a3-2f6b-4f2e-9a3c-0d1e2f3a4b5c";
    private static final String OTHER = "6d1dc6b4-3a7c-4a3f-8b4d-1e2f3a4b5c6d";

    @Test
    void locksThatWereHeldBeforeDoNotCount() {
        try (Minilockd server = Minilockd.start()) {
            take(server, "leader", ME);
            HeldLocks before = HeldLocks.of(server);
            assertEquals(Optional.empty(), before.failure(server));

            take(server, "order:42", ME);
            String message = before.failure(server).orElseThrow().getMessage();
            assertTrue(
                    message.startsWith("a lock is still held at the end of the test:\n"), message);
            assertTrue(message.contains("order:42") && !message.contains("leader"), message);
        }
    }

    @Test
    void aLockThatHasAnotherOwnerCounts() {
        try (Minilockd server = Minilockd.start()) {
            take(server, "leader", ME);
            HeldLocks before = HeldLocks.of(server);
            take(server, "leader", OTHER);
            take(server, "order:42", OTHER);
            String message = before.failure(server).orElseThrow().getMessage();
            assertTrue(message.startsWith("2 locks are still held"), message);
        }
    }

    private static void take(Minilockd server, String name, String token) {
        server.execute("SET", name, token, "PX", 30_000);
    }
}
