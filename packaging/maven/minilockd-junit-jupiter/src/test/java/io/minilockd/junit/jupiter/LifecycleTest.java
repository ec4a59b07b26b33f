package io.minilockd.junit.jupiter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.minilockd.Minilockd;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.testkit.engine.EngineExecutionResults;
import org.junit.platform.testkit.engine.EngineTestKit;

/** Where a server can be a parameter, by the lifecycle of the instances of a class. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@MinilockdServer
class LifecycleTest {
    private final Minilockd ofConstructor;

    LifecycleTest(Minilockd server) {
        ofConstructor = server;
    }

    @BeforeAll
    void isThatOfTheClass(Minilockd server) {
        assertSame(ofConstructor, server);
    }

    @Test
    void isThatOfTheTests(Minilockd server) {
        assertSame(ofConstructor, server);
        assertEquals("PONG", server.execute("PING"));
    }

    @Nested
    @TestInstance(TestInstance.Lifecycle.PER_CLASS)
    @MinilockdServer(databases = 2)
    class WithAServerOfItsOwn {
        private final Minilockd ofNested;

        WithAServerOfItsOwn(Minilockd server) {
            ofNested = server;
        }

        @Test
        void isAnother(Minilockd server) {
            assertSame(ofNested, server);
            assertEquals("{databases=2}", server.execute("CONFIG", "GET", "databases").toString());
        }
    }

    /** Several servers, as RedLock needs them. */
    static class Several {
        @RegisterExtension
        static final MinilockdExtension ONE = MinilockdExtension.builder().build();

        @RegisterExtension
        static final MinilockdExtension TWO = MinilockdExtension.builder().build();

        @Test
        void areOtherOnes() {
            ONE.server().execute("SET", "key", 1);
            assertEquals(0L, TWO.server().execute("EXISTS", "key"));
        }
    }

    @MinilockdServer(per = ServerPer.METHOD)
    static class TooEarly {
        TooEarly(Minilockd server) {
            server.check();
        }

        @Test
        void doesNotRun() {}
    }

    @Test
    void severalExtensionsHaveAServerEach() {
        run(Several.class).testEvents().assertStatistics(counts -> counts.succeeded(1));
    }

    @Test
    void aServerOfATestIsNotThereForItsConstructor() {
        String message =
                run(TooEarly.class).testEvents().failed().stream()
                        .map(event -> event.getRequiredPayload(TestExecutionResult.class))
                        .map(result -> result.getThrowable().orElseThrow().getMessage())
                        .findFirst()
                        .orElseThrow();
        assertTrue(message.contains("in the test or in @BeforeEach"), message);
        assertTrue(message.contains("ServerPer.CLASS"), message);
    }

    private static EngineExecutionResults run(Class<?> tests) {
        return EngineTestKit.engine("junit-jupiter")
                .selectors(DiscoverySelectors.selectClass(tests))
                .execute();
    }
}
