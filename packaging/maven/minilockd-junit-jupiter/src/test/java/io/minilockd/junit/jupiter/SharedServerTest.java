package io.minilockd.junit.jupiter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.minilockd.Minilockd;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

/** A class whose tests share a server. */
@MinilockdServer(
        password = "secret",
        databases = 2,
        config = {"maxmemory 100mb", "appendonly no"})
class SharedServerTest {
    private static Minilockd ofClass;

    @BeforeAll
    static void keep(Minilockd server) {
        ofClass = server;
    }

    @RepeatedTest(2)
    void isResetBeforeEachTest(Minilockd server) {
        assertSame(ofClass, server);
        assertEquals(1L, server.execute("INCR", "counter"));
        server.clock().freeze();
        server.faults().add("COMMAND get THEN CLOSE");
        assertEquals(1, server.faults().list().size());
    }

    @Test
    void hasTheSettingsOfTheAnnotation(Minilockd server) {
        assertEquals("secret", server.password());
        assertEquals("{databases=2}", server.execute("CONFIG", "GET", "databases").toString());
        assertEquals(
                "{maxmemory=104857600}", server.execute("CONFIG", "GET", "maxmemory").toString());
    }

    @Nested
    class Within {
        @Test
        void hasTheServerOfTheClassAroundIt(Minilockd server) {
            assertSame(ofClass, server);
        }
    }
}
