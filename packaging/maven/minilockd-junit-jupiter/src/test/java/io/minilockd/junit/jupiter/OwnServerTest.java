package io.minilockd.junit.jupiter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.minilockd.Minilockd;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A class whose extension is not static: each test has a server of its own. */
class OwnServerTest {
    private static final Set<Long> PROCESSES = ConcurrentHashMap.newKeySet();

    @RegisterExtension
    private final MinilockdExtension minilockd = MinilockdExtension.builder().build();

    @RepeatedTest(2)
    void isAnotherForEachTest(Minilockd server) {
        assertSame(minilockd.server(), server);
        assertTrue(PROCESSES.add(server.pid()));
        assertEquals(1L, server.execute("INCR", "counter"));
    }
}
