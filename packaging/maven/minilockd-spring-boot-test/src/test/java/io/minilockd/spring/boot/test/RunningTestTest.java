package io.minilockd.spring.boot.test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.minilockd.Minilockd;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class RunningTestTest {
    @Test
    void locksThatAnAbortedTestHasLeftAreNoFailure() {
        AtomicInteger givenBack = new AtomicInteger();
        try (Minilockd server = Minilockd.start()) {
            Optional<HeldLocks> before = Optional.of(HeldLocks.of(server, "*"));
            RunningTest test = new RunningTest(server, "test", before, givenBack::incrementAndGet);
            server.execute("SET", "order:42", "token", "NX", "PX", 30_000);
            test.abort();
            assertEquals(1, givenBack.get());
            assertThrows(AssertionError.class, () -> test.end(Optional.empty()));
            assertEquals(2, givenBack.get());
        }
    }
}
