package io.minilockd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class MinilockdTest {
    @Test
    void aLeaseLapsesWhenTheClockIsAdvanced() {
        try (Minilockd server = Minilockd.start()) {
            server.execute("SET", "lock", "me", "NX", "PX", 30_000);
            server.clock().advance(Duration.ofSeconds(30));
            assertEquals(0L, server.execute("EXISTS", "lock"));
        }
    }

    @Test
    void closeEndsTheProcess() {
        Minilockd server = Minilockd.start();
        assertTrue(ProcessHandle.of(server.pid()).isPresent());
        server.close();
        server.close();
        assertFalse(ProcessHandle.of(server.pid()).map(ProcessHandle::isAlive).orElse(false));
    }
}
